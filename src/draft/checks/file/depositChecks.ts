import { type Coin, coinsText, readCoins } from '../../../chain/coin.ts';
import { smallestDeposits } from '../../../chain/gov/proposal.ts';
import { roundHalfEven } from '../../../chain/ratio.ts';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import { removeChild, setMember, type TextEdit } from '../../draftEdits.ts';
import { type Draft, member } from '../../draftText.ts';
import { error, errorIf, type Finding, hint, type Repair, repair, warning } from '../../finding.ts';
import { isOldList, opening } from './formChecks.ts';
import { isWithoutTexts } from './titleChecks.ts';

/** The deposits that a proposal needs, expedited or not. */
interface Deposits {
  /** All of these coins start the vote. Undefined if the chain does not state them. */
  readonly minimum: readonly Coin[] | undefined;
  /** All of these coins are needed to submit. */
  readonly initial: readonly Coin[];
  /** One of these coins is needed in each deposit. Empty if any coin will do. */
  readonly single: readonly Coin[];
}

/** The deposits of a chain, by validateInitialDeposit and AddDeposit of SDK 0.47 to 0.53 (x/gov/keeper/deposit.go). */
export function depositsOf({ govParams }: ChainFacts, isExpedited: boolean): Deposits {
  const minimum = isExpedited ? (govParams?.expeditedMinDeposit ?? undefined) : govParams?.minDeposit;
  const share = govParams?.minInitialDepositRatio;
  // AtomOne has the parameter, but does not check it when a proposal is submitted.
  const ratio = govParams?.burnNoThreshold === undefined ? govParams?.minDepositRatio : undefined;
  return {
    minimum,
    initial: (share && minimum?.map((coin) => ({ ...coin, amount: roundHalfEven(coin.amount * share) }))) || [],
    single: (minimum && smallestDeposits(minimum, ratio)) ?? [],
  };
}

/** Checks the deposit against the minimum of the chain. */
export function checkDeposit(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const { kind, root } = draft;
  if (isWithoutTexts(kind)) return [];
  const value = member(root, 'deposit')?.value;
  const at = value ?? opening(root);
  const text: unknown = value?.value ?? '';
  const isExpedited = isExpeditedDraft(draft);
  const deposits = depositsOf(facts, isExpedited);
  const repairs = depositRepairs(draft, deposits, isExpedited);
  if (typeof text !== 'string' || value?.type === 'array') {
    const coins = value?.type === 'array' ? listedCoins(value) : undefined;
    const written = coins ? [repair('deposit-as-text', {}, setMember(draft, root, 'deposit', coinsText(coins)))] : [];
    return [errorIf(!isOldList(draft, facts, value))('deposit-form', at, {}, [...written, ...repairs])];
  }
  const { govParams } = facts;
  const accepted = acceptedDenoms(facts);
  const coins = text.trim() === '' ? [] : readDeposit(text, facts);
  if (!coins) return [error('deposit-form', at, {}, repairs)];
  const refused = accepted && coins.find(({ denom }) => !accepted.includes(denom));
  if (accepted && refused) {
    const base = baseOf(refused.denom, accepted);
    const isRefused = isSince(facts, 'expedited') === true || govParams?.minDepositRatio !== undefined;
    const report = errorIf(isRefused && base === undefined);
    return [report('deposit-denom', at, { denom: refused.denom, accepted, base }, repairs)];
  }
  const { initial, single, minimum } = deposits;
  if (!reachesAll(coins, initial))
    return [error('deposit-small', at, { needed: initial, isAnyEnough: false, isExpedited }, repairs)];
  if (single.length > 0 && !single.some((one) => reachesAll(coins, [one])))
    return [error('deposit-small', at, { needed: single, isAnyEnough: true, isExpedited }, repairs)];
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

/**
 * The accepted denom that a denom may be the whole unit of: `uatom` for `atom`. The command lines of apps that registered
 * both convert one to the other (sdk.RegisterDenom, and NormalizeDecCoin in types/denom.go).
 */
function baseOf(denom: string, accepted: readonly string[]): string | undefined {
  return accepted.find((one) => /^[afpnum]/.test(one) && one.slice(1) === denom);
}

/** Checks for an expedited vote on a chain that has none. The chain drops the field silently. */
export function checkExpedited(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const found = isExpeditedDraft(draft) ? member(draft.root, 'expedited') : undefined;
  const isKnown = facts.govParams?.quorum !== undefined && facts.govParams.expeditedVotingPeriod === undefined;
  if (!found || !isKnown) return [];
  const entry = found.key.parent;
  const repairs = entry ? [repair('expedited-remove', {}, removeChild(entry))] : [];
  return [warning('expedited-unsupported', found.key, {}, repairs)];
}

/** Whether a draft asks for an expedited vote. */
export function isExpeditedDraft({ kind, root }: Draft): boolean {
  return kind === 'messages' && member(root, 'expedited')?.value.value === true;
}

/** Sets the deposit to the amount that is needed to submit, or to the one that starts the vote. */
function depositRepairs(draft: Draft, deposits: Deposits, isExpedited: boolean): readonly Repair[] {
  const { minimum, initial, single } = deposits;
  const first = single[0];
  const needed = initial.map((coin) => (coin.denom === first?.denom && first.amount > coin.amount ? first : coin));
  const toSubmit = needed.length === 0 && first ? [first] : needed;
  const put = (coins: readonly Coin[]): TextEdit => setMember(draft, draft.root, 'deposit', coinsText(coins));
  const vote = minimum ? [repair('deposit-to-vote', { deposit: coinsText(minimum), isExpedited }, put(minimum))] : [];
  return toSubmit.length > 0
    ? [...vote, repair('deposit-to-submit', { deposit: coinsText(toSubmit) }, put(toSubmit))]
    : vote;
}

/**
 * The coins of a deposit (sdk.ParseCoinsNormalized). Undefined if the text is no list of coins, or has a denom twice.
 * Denoms have at least three characters. A chain may set another rule (sdk.SetCoinDenomRegex), and the denoms that it
 * accepts show it.
 */
export function readDeposit(text: string, facts: ChainFacts): readonly Coin[] | undefined {
  const accepted = acceptedDenoms(facts) ?? [];
  // The SDK cuts decimals.
  const coins = readCoins(
    text.split(',').map((part) => {
      const [, amount, denom] =
        /^\s*(\d{1,100})(?:\.\d{1,18})?\s*([a-zA-Z][a-zA-Z0-9/:._-]{0,127})\s*$/.exec(part) ?? [];
      const isDenom = denom !== undefined && (denom.length > 2 || accepted.includes(denom));
      return { denom: isDenom ? denom : undefined, amount };
    }),
  );
  return coins && new Set(coins.map(({ denom }) => denom)).size === coins.length ? coins : undefined;
}

function acceptedDenoms({ govParams }: ChainFacts): readonly string[] | undefined {
  return govParams?.minDeposit?.map(({ denom }) => denom);
}

function listedCoins(list: Draft['root']): readonly Coin[] | undefined {
  return readCoins(
    list.children?.map((coin) => ({
      denom: member(coin, 'denom')?.value.value,
      amount: String(member(coin, 'amount')?.value.value),
    })),
  );
}

/** Whether coins have at least the amount of each needed coin. */
export function reachesAll(coins: readonly Coin[], needed: readonly Coin[]): boolean {
  return needed.every(
    ({ denom, amount }) => amount === 0n || coins.some((coin) => coin.denom === denom && coin.amount >= amount),
  );
}
