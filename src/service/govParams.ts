import { type Fields, isFields } from './keptValue.ts';

/** What the gov module of a state holds as params: `params` since 0.47, three groups before (contract-facts section 5). */
export interface GovParamGroups {
  readonly params?: unknown;
  readonly deposit_params?: unknown;
  readonly voting_params?: unknown;
  readonly tally_params?: unknown;
}

/** Any age → the v1 form, durations in seconds (`172800s`). Undefined where the state holds no params. */
export function readGovParams(groups: GovParamGroups): Fields | undefined {
  const { veto, ...tally } = isFields(groups.tally_params) ? groups.tally_params : {};
  const params: Fields = {
    ...(isFields(groups.deposit_params) ? groups.deposit_params : {}),
    ...(isFields(groups.voting_params) ? groups.voting_params : {}),
    ...tally,
    ...(veto === undefined ? {} : { veto_threshold: veto }),
    ...(isFields(groups.params) ? groups.params : {}),
  };
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    /_period$/.test(name) ? toSeconds(value) : value,
  ]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The answer of `gov/v1beta1/params/{kind}`: the asked group, the others with zero values (contract-facts section 8). */
export function toV1beta1Params(params: Fields, kind: string): Fields | undefined {
  const groups = {
    voting: { voting_period: params.voting_period ?? '0s' },
    deposit: { min_deposit: params.min_deposit ?? [], max_deposit_period: params.max_deposit_period ?? '0s' },
    tallying: {
      quorum: params.quorum ?? '0',
      threshold: params.threshold ?? '0',
      veto_threshold: params.veto_threshold ?? '0',
    },
  };
  if (kind !== 'voting' && kind !== 'deposit' && kind !== 'tallying') return undefined;
  return {
    voting_params: kind === 'voting' ? groups.voting : { voting_period: '0s' },
    deposit_params: kind === 'deposit' ? groups.deposit : { min_deposit: [], max_deposit_period: '0s' },
    tally_params: kind === 'tallying' ? groups.tallying : { quorum: '0', threshold: '0', veto_threshold: '0' },
  };
}

/** The answer of `gov/v1/params/{kind}`: `params` whole and the asked group of old. */
export function toV1Params(params: Fields, kind: string): Fields | undefined {
  const groups = toV1beta1Params(params, kind);
  if (!groups) return undefined;
  return {
    voting_params: kind === 'voting' ? groups.voting_params : null,
    deposit_params: kind === 'deposit' ? groups.deposit_params : null,
    tally_params: kind === 'tallying' ? groups.tally_params : null,
    params,
  };
}

/** `172800s`, `1209600000000000ns`, `172800000000000` (nanoseconds, amino) and `48h0m0s` → `172800s`. */
function toSeconds(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const nanos = /^(\d+)(?:ns)?$/.exec(value)?.[1];
  if (nanos !== undefined) {
    const padded = nanos.padStart(10, '0');
    const fraction = padded.slice(-9).replace(/0+$/, '');
    return `${BigInt(padded.slice(0, -9))}${fraction ? `.${fraction}` : ''}s`;
  }
  const clock = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)$/.exec(value);
  if (!clock) return value;
  const [, hours = '0', minutes = '0', seconds = '0'] = clock;
  return `${BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)}s`;
}
