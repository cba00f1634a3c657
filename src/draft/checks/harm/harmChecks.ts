import type { Node } from 'jsonc-parser';
import { type Coin, readCoins } from '../../../chain/coin.ts';
import { bareName, isFields, ownValue, valueAt } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import { quotient } from '../../../chain/ratio.ts';
import { type ChainFacts, legacyName } from '../../chainFacts.ts';
import {
  type Draft,
  type DraftAction,
  exactValue,
  itemsOf,
  legacyChanges,
  member,
  nodeAt,
  textOf,
} from '../../draftText.ts';
import { isDuration } from '../../fieldForms.ts';
import { type Finding, warning } from '../../finding.ts';
import { legacyJson } from '../params/legacyParamChecks.ts';
import { keepsTo, readDecimal, readPeriod, readWhole, rulesOf } from '../params/paramRules.ts';
import { paramsNode } from '../params/paramsChecks.ts';
import { extremeFields, extremeOf, isRarelyStated } from './extremes.ts';

/** Checks for changes that pass and harm the chain. Compares with today's parameters. */
export function checkHarm(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action) => {
    const changes = paramChanges(draft, facts, action);
    return [
      ...changes.flatMap((change) => riskFindings(change, facts)),
      ...sendFindings(action, facts),
      ...listedFindings(action, facts),
      ...changes.flatMap((change) => evidenceFindings(draft, facts, change)),
    ];
  });
}

/** The reason for which a change of a parameter is a risk. */
type Risk =
  /** The denom is another one than today. */
  | 'denom'
  /** A duration, number or share becomes at least ten times smaller or larger. */
  | 'jump'
  /** A setting that is on today is turned off. */
  | 'off'
  /** Deposits exceed the supply, or are at least ten times today's. */
  | 'coins'
  /** There would be fewer validators than are bonded now. */
  | 'validators'
  /** Names of today's list are missing. */
  | 'names';

/** Risks by package and path of the parameter. */
const risks: Readonly<Record<string, Readonly<Record<string, Risk>>>> = {
  'cosmos.staking.v1beta1': {
    bond_denom: 'denom',
    unbonding_time: 'jump',
    max_validators: 'validators',
    historical_entries: 'jump',
  },
  'cosmos.mint.v1beta1': {
    mint_denom: 'denom',
    blocks_per_year: 'jump',
    goal_bonded: 'jump',
    inflation_max: 'jump',
    inflation_min: 'jump',
    inflation_rate_change: 'jump',
  },
  'cosmos.gov.v1': {
    voting_period: 'jump',
    expedited_voting_period: 'jump',
    max_deposit_period: 'jump',
    quorum: 'jump',
    threshold: 'jump',
    veto_threshold: 'jump',
    expedited_threshold: 'jump',
    min_initial_deposit_ratio: 'jump',
    min_deposit_ratio: 'jump',
    proposal_cancel_ratio: 'jump',
    min_deposit: 'coins',
    expedited_min_deposit: 'coins',
  },
  'cosmos.distribution.v1beta1': { community_tax: 'jump' },
  'cosmos.slashing.v1beta1': {
    signed_blocks_window: 'jump',
    min_signed_per_window: 'jump',
    downtime_jail_duration: 'jump',
    slash_fraction_downtime: 'jump',
    slash_fraction_double_sign: 'jump',
  },
  'cosmos.auth.v1beta1': {
    max_memo_characters: 'jump',
    tx_size_cost_per_byte: 'jump',
    sig_verify_cost_ed25519: 'jump',
    sig_verify_cost_secp256k1: 'jump',
  },
  'cosmos.consensus.v1': {
    'block.max_bytes': 'jump',
    'block.max_gas': 'jump',
    'evidence.max_age_duration': 'jump',
    'evidence.max_age_num_blocks': 'jump',
    'validator.pub_key_types': 'names',
  },
  'cosmos.crisis.v1beta1': { constant_fee: 'coins' },
  'cosmos.bank.v1beta1': { default_send_enabled: 'off' },
  'ibc.core.client.v1': { allowed_clients: 'names' },
  'ibc.core.connection.v1': { max_expected_time_per_block: 'jump' },
  'ibc.applications.transfer.v1': { send_enabled: 'off', receive_enabled: 'off' },
  'ibc.applications.interchain_accounts.host.v1': { host_enabled: 'off' },
  'ibc.applications.interchain_accounts.controller.v1': { controller_enabled: 'off' },
};

/** A parameter that a draft would change. */
interface ParamChange {
  readonly module: string;
  /** The path of the parameter, such as `block.max_gas`. */
  readonly field: string;
  readonly node: Node;
  readonly asked: unknown;
  readonly today: unknown;
}

/** Packages that hold legacy parameters today, by subspace. */
const legacyPackages: Readonly<Record<string, string>> = {
  gov: 'cosmos.gov.v1',
  baseapp: 'cosmos.consensus.v1',
  transfer: 'ibc.applications.transfer.v1',
  icahost: 'ibc.applications.interchain_accounts.host.v1',
  icacontroller: 'ibc.applications.interchain_accounts.controller.v1',
};
const legacyGroups: Readonly<Record<string, string>> = {
  depositparams: '',
  votingparams: '',
  tallyparams: '',
  BlockParams: 'block.',
  EvidenceParams: 'evidence.',
  ValidatorParams: 'validator.',
};

/** The parameters with a risk that an action would change, in both forms of such a proposal. */
function paramChanges(draft: Draft, facts: ChainFacts, action: DraftAction): readonly ParamChange[] {
  if (action.name !== 'MsgUpdateParams') return legacyParamChanges(draft, facts, action);
  const module = action.package;
  const today = facts.moduleParams.get(module);
  const object = paramsNode(action);
  if (!object || (!today && !isRarelyStated(module))) return [];
  return fieldsAtRisk(module).flatMap((field) => {
    const node = nodeAt(object, field);
    return node ? changed({ module, field, node, asked: exactValue(draft, node), today: valueAt(today, field) }) : [];
  });
}

function legacyParamChanges(draft: Draft, facts: ChainFacts, action: DraftAction): readonly ParamChange[] {
  return legacyChanges(action).flatMap((change) => {
    const { subspace, key } = change;
    const node = member(change.node, 'value')?.value;
    const stated = facts.legacyParams.get(legacyName(change));
    if (!node || !stated) return [];
    const asked = parseJson(legacyJson(draft, action, node));
    const today = parseJson(stated);
    const module = ownValue(legacyPackages, subspace) ?? `cosmos.${subspace}.v1beta1`;
    const group = ownValue(legacyGroups, key);
    return fieldsAtRisk(module).flatMap((field) => {
      if (group === undefined)
        return bareName(field) === bareName(key) ? changed({ module, field, node, asked, today }) : [];
      const inner = field.startsWith(group) ? field.slice(group.length) : '';
      const [given, before] = [valueAt(asked, inner), valueAt(today, inner)];
      return given === undefined ? [] : changed({ module, field, node, asked: given, today: before });
    });
  });
}

function fieldsAtRisk(module: string): readonly string[] {
  const own = Object.keys(ownValue(risks, module) ?? {});
  return [...new Set([...own, ...extremeFields(module)])];
}

function changed(change: ParamChange): readonly ParamChange[] {
  const isSame = JSON.stringify(change.asked) === JSON.stringify(change.today);
  const isUnknown = (change.today ?? null) === null && !isRarelyStated(change.module);
  return isUnknown || isSame ? [] : [change];
}

function riskFindings(change: ParamChange, facts: ChainFacts): readonly Finding[] {
  const { module, field, node } = change;
  const limit = rulesOf(module).limits[field];
  // The check of values names those that the module refuses.
  if (limit && keepsTo(limit, change.asked, facts.prefix) === false) return [];
  const effect = extremeOf(change, change.asked, change.today);
  const [asked, today] = [String(change.asked), String(change.today)];
  if (effect !== undefined) return [warning('param-extreme', node, { field, effect, asked, today })];
  const own: Readonly<Record<string, Risk>> = ownValue(risks, module) ?? {};
  const risk = ownValue(own, field);
  switch (risk) {
    case 'denom':
      return denomFindings(change, facts);
    case 'jump':
      return jumpFindings(change);
    case 'off':
      return change.asked === false && change.today === true ? [warning('sends-off', node, { field })] : [];
    case 'coins':
      return depositFindings(change, facts);
    case 'validators':
      return validatorFindings(change, facts);
    case 'names':
      return nameFindings(change);
    case undefined:
      return [];
    default:
      return risk satisfies never;
  }
}

/**
 * Finds stake that is paid out before evidence against it is too old. It is not slashed then
 * (x/evidence/keeper/infraction.go, x/staking/keeper/slash.go).
 */
function evidenceFindings(draft: Draft, facts: ChainFacts, change: ParamChange): readonly Finding[] {
  const { module, field, node, asked } = change;
  const isUnbonding = module === stakingModule && field === 'unbonding_time';
  if (!isUnbonding && field !== evidenceAge) return [];
  const other = isUnbonding
    ? valueIn(draft, facts, consensusModule, evidenceAge)
    : valueIn(draft, facts, stakingModule, 'unbonding_time');
  const [own, against] = [readPeriod(asked), readPeriod(other)];
  if (own === undefined || against === undefined) return [];
  const [unbonding, evidence] = isUnbonding ? [own, against] : [against, own];
  if (unbonding <= 0n || unbonding >= evidence) return [];
  return [warning('evidence-age', node, { unbonding: Number(unbonding) / 1e9, evidence: Number(evidence) / 1e9 })];
}

const [stakingModule, consensusModule] = ['cosmos.staking.v1beta1', 'cosmos.consensus.v1'] as const;
const evidenceAge = 'evidence.max_age_duration';

/** Gives the value that a message of the draft sets, else today's. */
function valueIn(draft: Draft, facts: ChainFacts, module: string, field: string): unknown {
  const setter = draft.actions.find((one) => one.name === 'MsgUpdateParams' && one.package === module);
  const object = setter && paramsNode(setter);
  const node = object && nodeAt(object, field);
  return node ? exactValue(draft, node) : valueAt(facts.moduleParams.get(module), field);
}

/** Gives the other package whose parameters an action is compared with. */
export function heldAgainst({ name, package: module }: DraftAction): string | undefined {
  if (name !== 'MsgUpdateParams') return undefined;
  return module === stakingModule ? consensusModule : module === consensusModule ? stakingModule : undefined;
}

function denomFindings(
  { field, node, asked, today }: ParamChange,
  { supplies, votes }: ChainFacts,
): readonly Finding[] {
  if (typeof asked !== 'string' || typeof today !== 'string' || asked === '' || asked === today) return [];
  const bonded = field === 'bond_denom' ? votes?.votingPower : undefined;
  return [warning('denom-changed', node, { field, today, asked, supply: supplies?.get(asked), bonded })];
}

/** A change by this factor or more is more likely a mistake in the unit or the digits than intended. */
const largestFactor = 10n;

function jumpFindings({ field, node, asked, today }: ParamChange): readonly Finding[] {
  const isPeriod = readDecimal(String(today)) === undefined;
  const isWhole = readWhole(today) !== undefined;
  // Legacy parameters have durations in nanoseconds. A downtime names a fault and not a duration.
  const isLegacyPeriod = !isPeriod && /(period|(?<!down)time|duration)$/.test(field);
  const isReadable = isPeriod ? isDuration(String(asked)) : !isLegacyPeriod || typeof asked === 'string';
  if (!isReadable) return [];
  const read = (value: unknown): bigint | undefined =>
    isPeriod ? readPeriod(value) : isWhole ? readWhole(value) : readDecimal(value);
  const [wanted, before] = [read(asked), read(today)];
  if (wanted === undefined || before === undefined || wanted <= 0n || before <= 0n) return [];
  if (!isJump(wanted, before)) return [];
  if (!isPeriod && !isLegacyPeriod)
    return [
      warning('value-jump', node, { field, asked: String(asked), today: String(today), ...factorOf(wanted, before) }),
    ];
  const [seconds, secondsToday] = [Number(wanted) / 1e9, Number(before) / 1e9];
  return [warning('period-cut', node, { field, seconds, today: secondsToday })];
}

function isJump(wanted: bigint, before: bigint): boolean {
  return wanted * largestFactor <= before || wanted >= before * largestFactor;
}

/** The larger of two numbers above 0 by the smaller one, rounded down. */
function factorOf(wanted: bigint, before: bigint): { readonly factor: bigint; readonly isExact: boolean } {
  const [larger, smaller] = wanted > before ? [wanted, before] : [before, wanted];
  return { factor: larger / smaller, isExact: larger % smaller === 0n };
}

function depositFindings({ field, node, asked, today }: ParamChange, { supplies }: ChainFacts): readonly Finding[] {
  const before = coinsIn(today);
  return coinsIn(asked).flatMap(({ denom, amount }): readonly Finding[] => {
    const supply = supplies?.get(denom);
    if (supply === 0n) return [warning('denom-unissued', node, { field, denom, isPaid: true })];
    if (supply !== undefined && amount > supply)
      return [warning('deposit-over-supply', node, { field, asked: { denom, amount }, supply })];
    const own = before.find((coin) => coin.denom === denom)?.amount;
    if (own === undefined && amount > 0n && before.length > 0) {
      const today = before.map((coin) => coin.denom).join(', ');
      return [warning('denom-changed', node, { field, today, asked: denom, supply, bonded: undefined })];
    }
    if (own === undefined || own <= 0n || amount <= 0n || !isJump(amount, own)) return [];
    const given = { field, asked: `${amount}${denom}`, today: `${own}${denom}` };
    return [warning('value-jump', node, { ...given, ...factorOf(amount, own) })];
  });
}

function coinsIn(value: unknown): readonly Coin[] {
  return readCoins(isFields(value) ? [value] : value) ?? [];
}

/** Finds validators that would fall out. Those with the least stake go first (x/staking/keeper/val_state_change.go). */
function validatorFindings({ node, asked, today }: ParamChange, { bondedStakes }: ChainFacts): readonly Finding[] {
  const [most, before] = [readWhole(asked), readWhole(today)];
  if (most === undefined || before === undefined || most < 1n || most >= before || !bondedStakes) return [];
  const out = bondedStakes.slice(Number(most));
  if (out.length === 0) return [];
  const sum = (stakes: readonly bigint[]): bigint => stakes.reduce((all, one) => all + one, 0n);
  const [fallen, all] = [sum(out), sum(bondedStakes)];
  return [
    warning('validators-out', node, { count: out.length, of: bondedStakes.length, share: quotient(fallen, all) ?? 0n }),
  ];
}

function nameFindings({ field, node, asked, today }: ParamChange): readonly Finding[] {
  if (!Array.isArray(asked) || !Array.isArray(today) || asked.includes('*')) return [];
  // Another check names an empty list of clients.
  if (field === 'allowed_clients' && asked.length === 0) return [];
  const dropped = today.filter((name) => !asked.includes(name)).map(String);
  return dropped.length > 0 ? [warning('names-dropped', node, { field, names: dropped })] : [];
}

/** Finds settings that stop transfers of a denom that deposits are paid in. */
function sendFindings({ node, typeUrl }: DraftAction, { govParams }: ChainFacts): readonly Finding[] {
  if (typeUrl !== '/cosmos.bank.v1beta1.MsgSetSendEnabled') return [];
  const known = new Set(govParams?.minDeposit?.map(({ denom }) => denom));
  return itemsOf(member(node, 'send_enabled')?.value).flatMap((entry) => {
    const denom = textOf(entry, 'denom') ?? '';
    const enabled = member(entry, 'enabled')?.value;
    // A missing boolean field is false.
    const isOff = enabled === undefined || enabled.value === false;
    return known.has(denom) && isOff ? [warning('sends-off', enabled ?? entry, { field: 'enabled', denom })] : [];
  });
}

/** The denoms that an action names in a list, by their field. A misspelt one does nothing. */
function listedDenoms({ node, typeUrl }: DraftAction): readonly (NamedDenom & { readonly field: string })[] {
  const isPool = typeUrl === '/cosmos.protocolpool.v1.MsgUpdateParams';
  const isSetting = typeUrl === '/cosmos.bank.v1beta1.MsgSetSendEnabled';
  const field = isPool ? 'enabled_distribution_denoms' : 'send_enabled';
  const list = isPool ? nodeAt(node, `params.${field}`) : isSetting ? member(node, field)?.value : undefined;
  return itemsOf(list).flatMap((one) => {
    const at = isPool ? one : member(one, 'denom')?.value;
    return at && typeof at.value === 'string' ? [{ field, denom: at.value, at }] : [];
  });
}

function listedFindings(action: DraftAction, { supplies }: ChainFacts): readonly Finding[] {
  return listedDenoms(action)
    .filter(({ denom }) => supplies?.get(denom) === 0n)
    .map(({ field, denom, at }) => warning('denom-unissued', at, { field, denom, isPaid: false }));
}

/** Whether an action sets the number of validators. */
export function setsValidators(action: DraftAction): boolean {
  if (action.typeUrl === '/cosmos.staking.v1beta1.MsgUpdateParams') return true;
  return legacyChanges(action).some(({ subspace, key }) => subspace === 'staking' && key === 'MaxValidators');
}

const denomFields = ['min_deposit', 'expedited_min_deposit', 'constant_fee', 'bond_denom', 'mint_denom'];
const denomKeys = new Set(['depositparams', 'ConstantFee', 'BondDenom', 'MintDenom']);

/** A denom with its place in the draft. */
export interface NamedDenom {
  readonly denom: string;
  readonly at: Node;
}

/** The denoms that an action sets in parameters, or names in a list. They are of no use if nobody has the denom. */
export function riskyDenoms(draft: Draft, action: DraftAction): readonly NamedDenom[] {
  const listed = listedDenoms(action);
  if (listed.length > 0) return listed;
  if (action.name === 'MsgUpdateParams') {
    const object = paramsNode(action);
    return denomFields.flatMap((field) => {
      const at = member(object, field)?.value;
      return at ? denomsIn(exactValue(draft, at)).map((denom) => ({ denom, at })) : [];
    });
  }
  return legacyChanges(action).flatMap(({ node, key }) => {
    const at = denomKeys.has(key) ? member(node, 'value')?.value : undefined;
    return at ? denomsIn(parseJson(legacyJson(draft, action, at))).map((denom) => ({ denom, at })) : [];
  });
}

function denomsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const coins = isFields(value) ? (value.min_deposit ?? [value]) : value;
  return Array.isArray(coins)
    ? coins.flatMap((coin) => (isFields(coin) && typeof coin.denom === 'string' ? coin.denom : []))
    : [];
}
