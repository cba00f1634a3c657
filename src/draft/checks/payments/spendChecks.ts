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
import { fieldsIn, fieldsInside } from '../fields/messageTable.ts';
import { firstRepeated } from '../messages/listChecks.ts';

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

const [sendType, settingType] = ['/cosmos.bank.v1beta1.MsgSend', '/cosmos.bank.v1beta1.MsgSetSendEnabled'] as const;

/** A list of coins in an action. */
interface CoinList {
  readonly list: Node;
  /** Whether the chain refuses an empty one. */
  readonly isNeeded: boolean;
}

/**
 * Checks lists of coins that are paid. None may be empty. Denoms stand once and in order (types/coin.go, Validate).
 * Also checks settings of denoms.
 */
export function checkCoins(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action) =>
    coinLists(action).flatMap((one) => listFindings(draft, facts, action, one)),
  );
}

/**
 * The lists of coins in the fields of an action, also those one level deeper, such as those of the inputs of a payment to
 * several. Legacy contents may pay nothing (CommunityPoolSpendProposal, ValidateBasic).
 */
function coinLists(action: DraftAction): readonly CoinList[] {
  const { node, typeUrl, isLegacy } = action;
  const isPaid = isPoolSpend(action) || typeUrl === sendType;
  const own = isPaid ? 'amount' : typeUrl === settingType ? 'send_enabled' : undefined;
  const list = own === undefined ? undefined : member(node, own)?.value;
  if (own !== undefined) return list ? [{ list, isNeeded: isPaid && !isLegacy }] : [];
  const fields = (!isLegacy && fieldsIn(typeUrl.slice(1))) || [];
  const inner = fields.flatMap(({ name, type }) => {
    const value = member(node, name)?.value;
    const objects = value?.type === 'array' ? itemsOf(value) : value ? [value] : [];
    return objects.flatMap((one) => listsOf(one, fieldsInside(type) ?? []));
  });
  return [...listsOf(node, fields), ...inner];
}

function listsOf(node: Node, fields: readonly Field[]): readonly CoinList[] {
  return fields.flatMap(({ name, type, repeated, isNeeded = false }) => {
    const list = type === 'Coin' && repeated ? member(node, name)?.value : undefined;
    return list ? [{ list, isNeeded }] : [];
  });
}

function listFindings(
  draft: Draft,
  facts: ChainFacts,
  { typeUrl }: DraftAction,
  { list, isNeeded }: CoinList,
): readonly Finding[] {
  if (list.type !== 'array') return [];
  const denoms = itemsOf(list).map((coin) => textOf(coin, 'denom') ?? '');
  if (denoms.length === 0 && !isNeeded) return [];
  // SDK 0.47 accepts a spend of nothing.
  const isCertain = typeUrl === sendType || isSince(facts, 'expedited') === true;
  if (denoms.length === 0) return [errorIf(isCertain)('coins-form', list, { fault: 'empty' })];
  const isGranted = typeUrl === '/cosmos.bank.v1beta1.SendAuthorization';
  const twice = firstRepeated(itemsOf(list), (coin) => textOf(coin, 'denom') ?? '');
  if (twice && isGranted) return [warning('coins-form', twice, { fault: 'twiceGranted' })];
  if (twice) return [error('coins-form', twice, { fault: 'twice' })];
  const isSorted = denoms.every((denom, at) => at === 0 || (denoms[at - 1] ?? '') < denom);
  if (isSorted || typeUrl === settingType) return [];
  return [error('coins-form', list, { fault: isGranted ? 'useless' : 'order' }, sortRepair(draft, list))];
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
