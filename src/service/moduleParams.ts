import { type Fields, isFields, parseExactly, toFields } from './jsonValue.ts';
import type { State } from './state.ts';

/** Names of durations, by module; what other modules call a period may be a count of blocks. */
const durations: Readonly<Record<string, RegExp>> = {
  gov: /_period(?:_extension)?$|^quorum_timeout$/,
  staking: /^unbonding_time$/,
  stake: /^unbonding_time$/,
  slashing:
    /^(?:downtime_jail_duration|max_evidence_age|double_sign_(?:jail|unbond)_duration|downtime_unbond_duration)$/,
  evidence: /^max_evidence_age$/,
  consensus: /^max_age_duration$/,
  connection: /^max_expected_time_per_block$/,
};

/** The params of a module of a state as nodes answer them: durations in seconds (`172800s`). Undefined where it has none. */
export function readModuleParams(all: State['params'], module: string): Fields | undefined {
  if (!Object.hasOwn(all, module)) return undefined;
  return withSeconds(toFields(parseExactly(all[module] ?? '')), module);
}

/** Gov params of any version in the v1 form: one object since 0.47, three groups before, whose `veto` has another name today. */
export function readGovParams(json: string): Fields {
  const groups = toFields(parseExactly(json));
  const all = ['deposit_params', 'voting_params', 'tally_params', 'params'].map((name) => groups[name]);
  const { veto, ...params }: Fields = Object.assign({}, ...all.filter(isFields));
  return withSeconds({ ...params, ...(veto === undefined ? {} : { veto_threshold: veto }) }, 'gov');
}

function withSeconds(params: Fields, module: string): Fields {
  const names = Object.hasOwn(durations, module) ? durations[module] : undefined;
  if (!names) return params;
  const entries = Object.entries(params).map(([name, value]) => {
    if (isFields(value)) return [name, withSeconds(value, module)];
    return [name, names.test(name) ? toSeconds(value) : value];
  });
  return Object.fromEntries(entries);
}

/** `172800s`, `1209600000000000ns`, `172800000000000` (nanoseconds, amino) and `48h0m0s` → `172800s`; a count of blocks stays. */
function toSeconds(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, nanos, unit] = /^(\d{1,100})(ns)?$/.exec(value) ?? [];
  if (nanos !== undefined) {
    // Until SDK 0.24 periods are counts of blocks, and no period is as short as a millisecond.
    if (unit === undefined && BigInt(nanos) > 0n && BigInt(nanos) < 1_000_000n) return value;
    const padded = nanos.padStart(10, '0');
    const fraction = padded.slice(-9).replace(/(?<!0)0+$/, '');
    return `${BigInt(padded.slice(0, -9))}${fraction ? `.${fraction}` : ''}s`;
  }
  const clock = /^(?:(\d{1,20})h)?(?:(\d{1,20})m)?(?:(\d{1,20})s)$/.exec(value);
  if (!clock) return value;
  const [, hours = '0', minutes = '0', seconds = '0'] = clock;
  return `${BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)}s`;
}
