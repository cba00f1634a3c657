import { ownValue } from '../../../chain/fields.ts';
import { whole } from '../../../chain/ratio.ts';
import { readDecimal } from '../params/paramRules.ts';
import type { Extreme } from './harmFindings.ts';

type Effects = Readonly<Record<string, Readonly<Record<string, Extreme>>>>;
/** Valid values that stop a part of the chain, or give it away, by package and path of the parameter, and by value. */
const extremes: Readonly<Record<string, Effects>> = {
  'cosmos.gov.v1': {
    quorum: { 0: 'noQuorum', 1: 'fullQuorum' },
    threshold: { 1: 'oneNo' },
    expedited_threshold: { 1: 'oneNo' },
    veto_threshold: { 1: 'noVeto' },
  },
  'cosmos.staking.v1beta1': {
    historical_entries: { 0: 'noHistory' },
    max_entries: { 1: 'oneEntry' },
    min_commission_rate: { 1: 'noRewards' },
  },
  'cosmos.slashing.v1beta1': {
    min_signed_per_window: { 0: 'neverJailed', 1: 'everyBlock' },
    slash_fraction_double_sign: { 0: 'noSlash', 1: 'wholeStake' },
    slash_fraction_downtime: { 1: 'wholeStake' },
  },
  'cosmos.mint.v1beta1': { inflation_max: { 1: 'doubled' } },
  'cosmos.distribution.v1beta1': { community_tax: { 1: 'allTaxed' } },
  'cosmos.consensus.v1': {
    'block.max_gas': { 0: 'noGas', '-1': 'noGasLimit' },
    // listEvidence in evidence/pool.go of cometbft/cometbft.
    'evidence.max_bytes': { 0: 'noEvidence' },
  },
  'cosmos.auth.v1beta1': { tx_sig_limit: { 1: 'oneSignature' } },
  'cosmos.crisis.v1beta1': { 'constant_fee.amount': { 0: 'freeChecks' } },
  // ContainsMsgType in modules/apps/27-interchain-accounts/host/types/params.go of cosmos/ibc-go.
  'ibc.applications.interchain_accounts.host.v1': { allow_messages: { '*': 'anyMessage' } },
  'cosmwasm.wasm.v1': { 'code_upload_access.permission': { Everybody: 'openUpload' } },
};

/** Parameters of packages that few chains state. They are looked at where today's value is not known, too. */
const rarelyStated: readonly string[] = ['cosmos.crisis.v1beta1', 'cosmwasm.wasm.v1'];

/** No recorded vote had this turnout. */
const highQuorum = (whole * 9n) / 10n;
/** From this minimum on, validators whose commission is smaller take as much as their delegators get. */
const highCommission = whole / 2n;

/** The paths of the parameters of a package that have such values. */
export function extremeFields(module: string): readonly string[] {
  return Object.keys(ownValue(extremes, module) ?? {});
}

/** Whether a package is judged where its parameters of today are not known. */
export function isRarelyStated(module: string): boolean {
  return rarelyStated.includes(module);
}

/** The effect of a new value. Undefined if it has none, or is today's. */
export function extremeOf(
  { module, field }: { readonly module: string; readonly field: string },
  asked: unknown,
  today: unknown,
): Extreme | undefined {
  const own = ownValue(extremes, module) ?? {};
  const effects = Object.entries(ownValue(own, field) ?? {});
  if (Array.isArray(asked)) {
    const [only, ...others] = asked;
    const isToday = Array.isArray(today) && today.includes(only);
    return others.length > 0 || isToday ? undefined : effects.find(([name]) => name === only)?.[1];
  }
  const value = readDecimal(String(asked));
  if (value === undefined) return effects.find(([limit]) => limit === asked)?.[1];
  if (value === readDecimal(String(today))) return undefined;
  const [, effect] = effects.find(([limit]) => value === readDecimal(limit)) ?? [];
  if (effect !== undefined || value >= whole) return effect;
  if (field === 'quorum' && value >= highQuorum) return 'highQuorum';
  return field === 'min_commission_rate' && value >= highCommission ? 'highCommission' : undefined;
}
