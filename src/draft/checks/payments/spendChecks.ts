import type { Node } from 'jsonc-parser';
import { type Coin, readCoins } from '../../../chain/coin.ts';
import type { Field } from '../../../chain/content/messageFields.ts';
import { quotient, whole } from '../../../chain/ratio.ts';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import {
  allActions,
  type Draft,
  type DraftAction,
  isPoolSpend,
  itemsOf,
  member,
  rangeOf,
  rawOf,
  textOf,
} from '../../draftText.ts';
import { error, errorIf, type Finding, type Repair, repair, warning } from '../../finding.ts';
import { triedTime } from '../failTime.ts';
import { fieldsIn } from '../fields/messageTable.ts';

/** Checks the sum of all spends of a draft against the community pool. */
export function checkSpends(draft: Draft, { communityPool }: ChainFacts): readonly Finding[] {
  const asked = new Map<string, bigint>();
  const held = communityPool && new Map(communityPool.map(({ denom, amount }) => [denom, amount] as const));
  const last = new Map<string, Node>();
  const over = draft.actions.flatMap((action): readonly Finding[] => {
    const value = isPoolSpend(action) ? member(action.node, 'amount')?.value : undefined;
    if (!value || !held) return [];
    const coins = coinsOf(value);
    for (const { denom, amount } of coins) {
      asked.set(denom, (asked.get(denom) ?? 0n) + amount);
      last.set(denom, value);
    }
    const heldOf = (denom: string): bigint => held.get(denom) ?? 0n;
    const over = coins.find(({ denom }) => (asked.get(denom) ?? 0n) > heldOf(denom));
    if (!over) return [];
    const { denom } = over;
    // A content is tried by itself when it is submitted, so the sum of several shows later.
    const isTried = action.isLegacy && coins.some((coin) => coin.amount > heldOf(coin.denom));
    const sum = { denom, amount: asked.get(denom) ?? over.amount };
    const facts = { asked: sum, held: heldOf(denom), fails: triedTime(isTried) };
    return [error('spend-over-pool', value, { ...facts, holds: communityPool?.slice(0, 5) ?? [] })];
  });
  const most = [...last].flatMap(([denom, node]): readonly Finding[] => {
    const [amount, all] = [asked.get(denom) ?? 0n, held?.get(denom) ?? 0n];
    const share = amount > all ? undefined : quotient(amount, all);
    const isMost = share !== undefined && share >= mostOfPool;
    return isMost ? [warning('spend-most-of-pool', node, { asked: { denom, amount }, share })] : [];
  });
  return [...over, ...most];
}

/** From this share of the community pool on, a spend leaves next to nothing for others. */
const mostOfPool = (whole * 9n) / 10n;

const sendType = '/cosmos.bank.v1beta1.MsgSend';

/**
 * Checks lists of coins that are paid. None may be empty. Denoms stand once and in order (types/coin.go, Validate).
 * Also checks settings of denoms.
 */
export function checkCoins(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action): readonly Finding[] => {
    const { node, typeUrl } = action;
    const isSetting = typeUrl === '/cosmos.bank.v1beta1.MsgSetSendEnabled';
    const isPaid = isPoolSpend(action) || typeUrl === sendType;
    const field = coinField(action);
    const list = member(node, isSetting ? 'send_enabled' : isPaid ? 'amount' : (field?.name ?? ''))?.value;
    if (list?.type !== 'array') return [];
    const denoms = itemsOf(list).map((coin) => textOf(coin, 'denom') ?? '');
    // Legacy contents may pay nothing (CommunityPoolSpendProposal, ValidateBasic).
    if (denoms.length === 0 && !(isPaid && !action.isLegacy) && !field?.isNeeded) return [];
    // SDK 0.47 accepts a spend of nothing.
    const isCertain = typeUrl === sendType || isSince(facts, 'expedited') === true;
    if (denoms.length === 0) return [errorIf(isCertain)('coins-form', list, { fault: 'empty' })];
    const twice = itemsOf(list).find((_, at) => denoms.indexOf(denoms[at] ?? '') < at);
    if (twice) return [error('coins-form', twice, { fault: 'twice' })];
    const isSorted = denoms.every((denom, at) => at === 0 || (denoms[at - 1] ?? '') < denom);
    return isSorted || isSetting ? [] : [error('coins-form', list, { fault: 'order' }, sortRepair(draft, list))];
  });
}

/** The field with a list of coins that a message of the tables has. */
function coinField({ isLegacy, typeUrl }: DraftAction): Field | undefined {
  const fields = isLegacy ? undefined : fieldsIn(typeUrl.slice(1));
  return fields?.find(({ type, repeated }) => type === 'Coin' && repeated);
}

/** Puts the coins of a list in the order of their denoms. */
export function sortRepair(draft: Draft, list: Node): readonly Repair[] {
  const items = itemsOf(list);
  const sorted = items.toSorted((a, b) => ((textOf(a, 'denom') ?? '') < (textOf(b, 'denom') ?? '') ? -1 : 1));
  const edits = items.map((item, at) => ({ range: rangeOf(item), newText: rawOf(draft, sorted[at] ?? item) }));
  return [repair('coins-sort', {}, ...edits)];
}

/** The coins of a value, as far as they can be read. Another check reports the rest. */
function coinsOf(value: Node): readonly Coin[] {
  if (value.type === 'string') return readCoins(value.value) ?? [];
  return itemsOf(value).flatMap((coin) => coinOf(coin));
}

/** The coin of an object. Empty if it cannot be read. */
export function coinOf(coin: Node): readonly Coin[] {
  return readCoins([{ denom: textOf(coin, 'denom'), amount: String(member(coin, 'amount')?.value.value) }]) ?? [];
}
