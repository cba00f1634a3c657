import { type Coin, readCoins } from '../chain/coin.ts';
import { type Ratio, whole } from '../chain/ratio.ts';
import type { Draft } from './actions.ts';
import { member, rangeOf } from './draftText.ts';
import { removeChild, setMember } from './edits.ts';
import { error, errorIf, type Finding, hint, type Repair, repair, warning } from './finding.ts';
import { govAge, isSince, type KnownFacts } from './knownFacts.ts';
import { opening } from './textChecks.ts';

/** What a proposal of a kind (expedited or not) has to deposit; each part undefined where the chain does not state it. */
interface Deposits {
  /** What starts the vote: all of these coins. */
  readonly minimum: readonly Coin[] | undefined;
  /** What the submission needs: all of these coins. */
  readonly initial: readonly Coin[];
  /** What a single deposit needs: one of these coins; none where any will do. */
  readonly single: readonly Coin[];
}

/** x/gov/keeper/deposit.go (validateInitialDeposit, AddDeposit), SDK 0.47 to 0.53. */
function depositsOf({ govParams }: KnownFacts, isExpedited: boolean): Deposits {
  const minimum = isExpedited ? (govParams?.expeditedMinDeposit ?? undefined) : govParams?.minDeposit;
  const share = (ratio: Ratio | undefined, toAmount: (product: bigint) => bigint) =>
    ratio && minimum ? minimum.map(({ denom, amount }) => ({ denom, amount: toAmount(amount * ratio) })) : [];
  // AtomOne has the parameter, and does not look at it when a proposal is submitted.
  const ratio = govParams?.burnNoThreshold === undefined ? govParams?.minDepositRatio : undefined;
  return {
    minimum,
    initial: share(govParams?.minInitialDepositRatio, roundHalfEven),
    // A deposit that is cut to 0 still has to name the coin.
    single: share(ratio, (product) => product / whole || 1n),
  };
}

/** RoundInt of LegacyDec (cosmossdk.io/math). */
function roundHalfEven(product: bigint): bigint {
  const cut = product / whole;
  const twice = (product % whole) * 2n;
  return twice > whole || (twice === whole && cut % 2n === 1n) ? cut + 1n : cut;
}

/** The deposit against what the chain asks for. */
export function checkDeposit(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const { kind, root } = draft;
  if (kind === 'metadata') return [];
  const value = member(root, 'deposit')?.value;
  const at = value ?? opening(root);
  const text: unknown = value?.value ?? '';
  const isExpedited = isExpeditedDraft(draft);
  const deposits = depositsOf(facts, isExpedited);
  const repairs = depositRepairs(draft, deposits, isExpedited);
  if (typeof text !== 'string' || value?.type === 'array') {
    const coins = value?.type === 'array' ? listedCoins(value) : undefined;
    const written = coins ? [repair('deposit-as-text', {}, setMember(draft, root, 'deposit', coinText(coins)))] : [];
    return [error('deposit-form', at, {}, [...written, ...repairs])];
  }
  const coins = text.trim() === '' ? [] : readDeposit(text);
  if (!coins) return [error('deposit-form', at, {}, repairs)];
  const { govParams } = facts;
  const accepted = govParams?.minDeposit?.map(({ denom }) => denom);
  const foreign = accepted && coins.find(({ denom }) => !accepted.includes(denom));
  if (accepted && foreign) {
    const report = errorIf(isSince(facts, 'expedited') === true || govParams?.minDepositRatio !== undefined);
    return [report('deposit-denom', at, { denom: foreign.denom, accepted }, repairs)];
  }
  const { initial, single, minimum } = deposits;
  if (!reachesAll(coins, initial))
    return [error('deposit-small', at, { needed: initial, isAnyEnough: false }, repairs)];
  if (single.length > 0 && !single.some((one) => reachesAll(coins, [one])))
    return [error('deposit-small', at, { needed: single, isAnyEnough: true }, repairs)];
  if (!minimum || reachesAll(coins, minimum)) return [];
  return [
    hint(
      'deposit-waits',
      at,
      { minimum },
      repairs.filter(({ code }) => code === 'deposit-to-vote'),
    ),
  ];
}

/** Expedited votes where the chain has none: the field is dropped without a word. */
export function checkExpedited(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const found = isExpeditedDraft(draft) ? member(draft.root, 'expedited') : undefined;
  const isKnown = facts.govParams?.quorum !== undefined && facts.govParams.expeditedVotingPeriod === undefined;
  if (!found || !isKnown) return [];
  const entry = found.key.parent;
  const repairs = entry ? [repair('expedited-remove', {}, removeChild(entry))] : [];
  return [warning('expedited-unsupported', found.key, {}, repairs)];
}

/** Messages where the chain takes contents only (SDK up to 0.45). */
export function checkForm(draft: Draft, facts: KnownFacts): readonly Finding[] {
  const isMissing = draft.kind === 'messages' && facts.hasGovV1 === false && govAge(facts) === 'legacy';
  const { start } = rangeOf(draft.root);
  return isMissing ? [error('gov-form', { start, end: start + 1 }, { wanted: 'legacy' })] : [];
}

/** Whether a draft asks for an expedited vote. */
export function isExpeditedDraft({ kind, root }: Draft): boolean {
  return kind === 'messages' && member(root, 'expedited')?.value.value === true;
}

/** What has to be deposited to submit, and to start the vote at once. */
function depositRepairs(draft: Draft, deposits: Deposits, isExpedited: boolean): readonly Repair[] {
  const { minimum, initial, single } = deposits;
  const first = single[0];
  const needed = initial.map((coin) => (coin.denom === first?.denom && first.amount > coin.amount ? first : coin));
  const toSubmit = needed.length === 0 && first ? [first] : needed;
  const put = (coins: readonly Coin[]) => setMember(draft, draft.root, 'deposit', coinText(coins));
  const vote = minimum ? [repair('deposit-to-vote', { deposit: coinText(minimum), isExpedited }, put(minimum))] : [];
  return toSubmit.length > 0
    ? [...vote, repair('deposit-to-submit', { deposit: coinText(toSubmit) }, put(toSubmit))]
    : vote;
}

/** The coins of a deposit (sdk.ParseCoinsNormalized): undefined where it is none, or a denom stands there twice. */
export function readDeposit(text: string): readonly Coin[] | undefined {
  // Decimals are cut.
  const coins = readCoins(
    text.split(',').map((part) => {
      const [, amount, denom] =
        /^\s*(\d{1,100})(?:\.\d{1,18})?\s*([a-zA-Z][a-zA-Z0-9/:._-]{2,127})\s*$/.exec(part) ?? [];
      return { denom, amount };
    }),
  );
  return coins && new Set(coins.map(({ denom }) => denom)).size === coins.length ? coins : undefined;
}

/** `1000uatom,5stake`. */
export function coinText(coins: readonly Coin[]): string {
  return coins.map(({ amount, denom }) => `${amount}${denom}`).join(',');
}

function listedCoins(list: Draft['root']): readonly Coin[] | undefined {
  return readCoins(
    list.children?.map((coin) => ({
      denom: member(coin, 'denom')?.value.value,
      amount: String(member(coin, 'amount')?.value.value),
    })),
  );
}

function reachesAll(coins: readonly Coin[], needed: readonly Coin[]): boolean {
  return needed.every(
    ({ denom, amount }) => amount === 0n || coins.some((coin) => coin.denom === denom && coin.amount >= amount),
  );
}
