import type { Node } from 'jsonc-parser';
import type { Coin } from '../../../chain/coin.ts';
import { ownValue } from '../../../chain/fields.ts';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import { replaceValue } from '../../draftEdits.ts';
import { type Draft, type DraftAction, exactValue, isPoolSpend, itemsOf, member, textOf } from '../../draftText.ts';
import { error, errorIf, type Finding, type RepairOf, repair, warning } from '../../finding.ts';
import { typeError } from '../fields/fieldChecks.ts';
import { depositsOf, reachesAll } from '../file/depositChecks.ts';
import { coinOf } from './spendChecks.ts';

/** The fields with the payer and the coins of a message. */
interface PaymentFields {
  readonly payer: string;
  readonly coins: string;
}

/** Messages that pay from an account, by package and name: `payer coins`. Sources: as for the table of messages. */
const payments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cosmos.bank.v1beta1': { MsgSend: 'from_address amount' },
  'cosmos.distribution.v1beta1': {
    MsgDepositValidatorRewardsPool: 'depositor amount',
    MsgFundCommunityPool: 'depositor amount',
  },
  'cosmos.gov.v1': { MsgDeposit: 'depositor amount', MsgSubmitProposal: 'proposer initial_deposit' },
  'cosmos.gov.v1beta1': { MsgDeposit: 'depositor amount', MsgSubmitProposal: 'proposer initial_deposit' },
  'cosmos.protocolpool.v1': { MsgFundCommunityPool: 'depositor amount' },
  'cosmos.staking.v1beta1': { MsgDelegate: 'delegator_address amount' },
  'cosmos.vesting.v1beta1': {
    MsgCreatePermanentLockedAccount: 'from_address amount',
    MsgCreateVestingAccount: 'from_address amount',
  },
  'cosmwasm.wasm.v1': {
    MsgExecuteContract: 'sender funds',
    MsgInstantiateContract: 'sender funds',
    MsgInstantiateContract2: 'sender funds',
  },
  'ibc.applications.transfer.v1': { MsgTransfer: 'sender token' },
};

function paymentFields({ package: module, name }: DraftAction): PaymentFields | undefined {
  const own = ownValue(payments, module) ?? {};
  const [payer, coins] = ownValue(own, name)?.split(' ') ?? [];
  return payer === undefined || coins === undefined ? undefined : { payer, coins };
}

/** The value with the coins that an action pays, and its payer. */
interface Payment {
  readonly payer: string | undefined;
  readonly list: Node;
}

function paymentOf(action: DraftAction): Payment | undefined {
  if (action.typeUrl === '/cosmos.bank.v1beta1.MsgMultiSend') {
    const [input] = itemsOf(member(action.node, 'inputs')?.value);
    const taken = member(input, 'coins')?.value;
    return taken && { payer: textOf(input, 'address'), list: taken };
  }
  const fields = paymentFields(action);
  const list = fields && member(action.node, fields.coins)?.value;
  return list && { payer: textOf(action.node, fields.payer), list };
}

/** The objects of the coins in a value, which is a list of them or one. */
function coinNodes(list: Node): readonly Node[] {
  return list.type === 'object' ? [list] : itemsOf(list);
}

/** Gives the coins of a value, which is a list of them or one. */
function coinsIn(list: Node): readonly Coin[] {
  return coinNodes(list).flatMap((node) => coinOf(node));
}

/** The places of denoms that an action pays. */
export function sentDenoms(action: DraftAction): readonly Node[] {
  const list = paymentOf(action)?.list;
  return (list ? coinNodes(list) : []).flatMap((coin) => {
    const denom = member(coin, 'denom')?.value;
    return denom && typeof denom.value === 'string' ? [denom] : [];
  });
}

/**
 * Checks payments from the gov account, which holds the deposits of others, and the denoms and amounts of stakes and
 * deposits. The account may spend coins beyond the deposits of open proposals.
 */
export function checkPayments(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const { govAccount } = facts;
  const [paid, granted] = [new Map<string, bigint>(), new Map<string, bigint>()];
  const addTo = (sums: Map<string, bigint>, { denom, amount }: Coin): void => {
    sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  };
  return draft.actions.flatMap((action): readonly Finding[] => {
    const recipient = textOf(action.node, 'recipient');
    const pool = isPoolSpend(action) ? member(action.node, 'amount')?.value : undefined;
    if (pool && recipient !== undefined && recipient === govAccount)
      for (const coin of coinsIn(pool)) addTo(granted, coin);
    const others = [...stakeFindings(draft, facts, action), ...depositFindings(facts, action)];
    const payment = paymentOf(action);
    if (!payment || payment.payer === undefined) return others;
    if (govAccount !== undefined && payment.payer !== govAccount) return others;
    const coins = coinsIn(payment.list);
    for (const coin of coins) addTo(paid, coin);
    // Coins that an earlier message pays to gov are no deposits.
    const drawn = [...new Set(coins.map(({ denom }) => denom))].map((denom) => {
      return { denom, paid: paid.get(denom) ?? 0n, own: (paid.get(denom) ?? 0n) - (granted.get(denom) ?? 0n) };
    });
    return [...payerFindings(draft, facts, action, payment, drawn), ...others];
  });
}

/** The payments of a denom so far, and how much of them the gov account has to have already. */
interface Drawn {
  readonly denom: string;
  readonly paid: bigint;
  readonly own: bigint;
}

/** Reports a payment that the gov account cannot make, or that may take deposits of others. */
function payerFindings(
  draft: Draft,
  { govBalances, openDeposits }: ChainFacts,
  action: DraftAction,
  payment: Payment,
  drawn: readonly Drawn[],
): readonly Finding[] {
  const { list } = payment;
  const type = member(action.node, '@type')?.value;
  if (!type || coinNodes(list).length === 0) return [];
  const repairs = poolRepair(draft, action, payment);
  const heldOf = (denom: string): bigint | undefined => govBalances?.get(denom);
  const over = drawn.find(({ denom, own }) => own > (heldOf(denom) ?? own));
  // The balance changes with deposits until the vote is over, so this is a warning.
  if (over) {
    const asked = { denom: over.denom, amount: over.paid };
    return [warning('spend-over-balance', list, { asked, held: heldOf(over.denom) ?? 0n }, repairs)];
  }
  const taking = drawn.filter(({ own }) => own > 0n);
  const known = taking.flatMap(({ denom, own, paid }) => {
    const held = heldOf(denom);
    const deposits = openDeposits && (openDeposits.get(denom) ?? 0n);
    return held === undefined || deposits === undefined ? [] : [{ denom, own, paid, held, deposits }];
  });
  if (drawn.length > 0 && taking.length === 0) return [];
  const touched = known.find(({ own, held, deposits }) => own > held - deposits);
  if (drawn.length > 0 && !touched && known.length === taking.length) return [];
  return [warning('send-from-gov', type, { touched }, repairs)];
}

function poolRepair(
  draft: Draft,
  { node, typeUrl }: DraftAction,
  { payer, list }: Payment,
): readonly RepairOf<'spend-from-pool'>[] {
  if (typeUrl !== '/cosmos.bank.v1beta1.MsgSend') return [];
  const [recipient, amount] = [textOf(node, 'to_address'), exactValue(draft, list)];
  const spend = { '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend', authority: payer, recipient, amount };
  return [repair('spend-from-pool', {}, replaceValue(draft, node, spend))];
}

/** Messages of x/staking with a coin of the bond denom above 0 (keeper/msg_server.go), and the name of its field. */
const bonded: Readonly<Record<string, string>> = {
  MsgBeginRedelegate: 'amount',
  MsgCancelUnbondingDelegation: 'amount',
  MsgCreateValidator: 'value',
  MsgDelegate: 'amount',
  MsgUndelegate: 'amount',
};

/** The coin of an action that has to be of the bond denom. */
export function bondedCoin({ package: module, name, node }: DraftAction): Node | undefined {
  const field = module === stakingModule ? ownValue(bonded, name) : undefined;
  return field === undefined ? undefined : member(node, field)?.value;
}

const stakingModule = 'cosmos.staking.v1beta1';

function stakeFindings(draft: Draft, facts: ChainFacts, action: DraftAction): readonly Finding[] {
  const isTransfer = action.typeUrl === '/ibc.applications.transfer.v1.MsgTransfer';
  const coin = isTransfer ? member(action.node, 'token')?.value : bondedCoin(action);
  if (!coin) return [];
  const [amount, denom] = ['amount', 'denom'].map((name) => member(coin, name)?.value);
  const isPositive = !/^-|^0+$/.test(String(amount?.value));
  const today = facts.moduleParams.get(stakingModule)?.bond_denom;
  const isChanged = draft.actions.some((one) => one.name === 'MsgUpdateParams' && one.package === stakingModule);
  const isOther = !isTransfer && typeof today === 'string' && typeof denom?.value === 'string' && !isChanged;
  return [
    ...(amount && !isPositive ? [typeError(draft, amount, 'amount', 'positive amount')] : []),
    ...(denom && isOther && denom.value !== '' && denom.value !== today
      ? [error('stake-denom', denom, { field: 'amount', denom: String(denom.value), wanted: today })]
      : []),
  ];
}

/**
 * Finds deposits to other proposals in a denom that does not count, or that are too small (x/gov/keeper/deposit.go,
 * validateDepositDenom and AddDeposit).
 */
function depositFindings(facts: ChainFacts, action: DraftAction): readonly Finding[] {
  const { package: module, name } = action;
  const minimum = facts.govParams?.minDeposit;
  const isDeposit = /^cosmos\.gov\./.test(module) && (name === 'MsgDeposit' || name === 'MsgSubmitProposal');
  if (!isDeposit || !minimum || minimum.length === 0) return [];
  const accepted = minimum.map(({ denom }) => denom);
  const refused = sentDenoms(action).flatMap((denom) => {
    const given = String(denom.value);
    const isRefused = isSince(facts, 'expedited') === true;
    return accepted.includes(given) ? [] : [errorIf(isRefused)('deposit-denom', denom, { denom: given, accepted })];
  });
  return refused.length > 0 || name !== 'MsgDeposit' ? refused : smallDepositFindings(facts, action);
}

/** The minimum of an expedited proposal is larger, and it is not known whether a proposal is one. */
function smallDepositFindings(facts: ChainFacts, { node }: DraftAction): readonly Finding[] {
  const { single: needed } = depositsOf(facts, false);
  const list = member(node, 'amount')?.value;
  const coins = list ? coinsIn(list) : [];
  if (!list || coins.length === 0 || needed.length === 0) return [];
  if (needed.some((one) => reachesAll(coins, [one]))) return [];
  return [error('deposit-small', list, { needed, isAnyEnough: true, isExpedited: false, isInMessage: true })];
}
