import { statusNames } from '../api/statusNames.ts';
import { bech32Prefix, bech32Text } from './bech32.ts';
import { fromAmino, readOptions, readProposal, type StoredProposal, shiftTimes } from './forms.ts';
import type { ObjectWant, Take, Want } from './jsonScanner.ts';
import { type Fields, isFields, parseKept, parseStrictly, toDigits, toFields, toText } from './keptValue.ts';
import { type Entry, toByteText, toTable } from './paging.ts';
import type { Gov, Vote } from './state.ts';
import { MisfitError } from './stateErrors.ts';

const votingPeriod = statusNames.indexOf('PROPOSAL_STATUS_VOTING_PERIOD');
const paramGroups = ['params', 'deposit_params', 'voting_params', 'tally_params'];

/** Collects `app_state.gov` while it is scanned. */
export class GovReader {
  readonly #proposals = new Map<bigint, StoredProposal>();
  readonly #votes = new Map<bigint, Map<string, Vote>>();
  readonly #depositors = new Map<string, Set<bigint>>();
  readonly #params: Record<string, unknown> = {};

  want(end: () => void): ObjectWant {
    return { kind: 'object', member: (key) => this.#member(key), end };
  }

  /**
   * The part as it is known now; all times of its proposals are moved by `shift` milliseconds. `address`: any of the chain, in
   * case that this module names none.
   */
  finish(shift: number, address: string | undefined): Gov {
    const sorted = [...this.#proposals.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const positions = new Map(sorted.map((proposal, position) => [proposal.id, position]));
    const rows = sorted.map(({ fields }) => {
      const text = JSON.stringify(fields);
      return shift === 0 ? text : shiftTimes(text, shift);
    });
    const params = readGovParams(this.#params);
    return {
      proposals: toTable(
        sorted.map((proposal, position) => ({
          key: toIdKey(proposal.id).toString('latin1'),
          row: rows[position] ?? '',
        })),
      ),
      statuses: Uint8Array.from(sorted, (proposal) => proposal.status),
      forms: Uint8Array.from(sorted, (proposal) => (proposal.form === 'v1' ? 1 : 0)),
      voters: toTable(addressEntries(this.#voters(), positions)),
      depositors: toTable(addressEntries(this.#depositors, positions)),
      params: params && JSON.stringify(params),
      authority: authorityOf([...this.#depositors.keys()][0] ?? [...this.#voters().keys()][0] ?? address),
      latest: latestOf(sorted, shift),
    };
  }

  #member(key: string): Want | undefined {
    switch (key) {
      case 'proposals':
        return { kind: 'list', element: (bytes, start, end) => this.#addProposal(bytes, start, end) };
      case 'votes':
        return {
          kind: 'list',
          element: (bytes, start, end) => this.#addVote(parseKept(bytes, start, end)),
        };
      case 'deposits':
        return {
          kind: 'list',
          element: (bytes, start, end) => this.#addDeposit(parseKept(bytes, start, end)),
        };
      default:
        if (!paramGroups.includes(key)) return undefined;
        return {
          kind: 'value',
          value: (bytes, start, end) => {
            this.#params[key] = parseKept(bytes, start, end);
          },
        };
    }
  }

  /** The groups of params as they came, for the legacy params query; undefined where there are none. */
  get paramGroups(): Readonly<Record<string, unknown>> | undefined {
    return Object.keys(this.#params).length > 0 ? this.#params : undefined;
  }

  /** The running votes by proposal, as far as they have been read. */
  get liveVotes(): ReadonlyMap<bigint, readonly Vote[]> {
    const live = [...this.#votes].filter(([id]) => this.#proposals.get(id)?.status === votingPeriod);
    return new Map(live.map(([id, votes]) => [id, [...votes.values()]]));
  }

  #voters(): Map<string, Set<bigint>> {
    const ids = new Map<string, Set<bigint>>();
    for (const [id, votes] of this.#votes) for (const voter of votes.keys()) addId(ids, voter, id);
    return ids;
  }

  #addVote(value: unknown): void {
    const { id, inner } = readItem(value, 'vote');
    const voter = toText(inner.voter, '.voter');
    const votes = this.#votes.get(id) ?? new Map<string, Vote>();
    this.#votes.set(id, votes.set(voter, { voter, options: readOptions(inner) }));
  }

  #addDeposit(value: unknown): void {
    const { id, inner } = readItem(value, 'deposit');
    addId(this.#depositors, toText(inner.depositor, '.depositor'), id);
  }

  #addProposal(bytes: Buffer, start: number, end: number): void {
    const proposal = readProposal(fromAmino(parseStrictly(bytes, start, end)));
    if (this.#proposals.has(proposal.id)) throw new MisfitError(`Proposal ${proposal.id} is there twice`, '');
    this.#proposals.set(proposal.id, proposal);
  }
}

/** The key of a proposal: its id as 8 bytes, big-endian (contract-facts section 1). */
export function toIdKey(id: bigint): Buffer {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(id);
  return key;
}

/** `{proposal_id, voter}`; before SDK 0.36 the address stands one level deeper, in `vote` or `deposit`. */
function readItem(value: unknown, wrapper: string): { readonly id: bigint; readonly inner: Fields } {
  const item = toFields(value, '');
  const inner = isFields(item[wrapper]) ? item[wrapper] : item;
  return { id: BigInt(toDigits(item.proposal_id ?? inner.proposal_id, '.proposal_id')), inner };
}

/** The address of the module account "gov": the first 20 bytes of the hash of its name (x/auth/types/account.go). */
const moduleLetters = '0d07y265gmmuvt4z0w9aw880jnsr700j';

function authorityOf(address: string | undefined): string {
  const prefix = address === undefined ? undefined : bech32Prefix(address);
  return prefix === undefined ? '' : bech32Text(prefix, moduleLetters);
}

function addId(ids: Map<string, Set<bigint>>, address: string, id: bigint): void {
  const known = ids.get(address);
  if (known) known.add(id);
  else ids.set(address, new Set([id]));
}

function addressEntries(
  ids: ReadonlyMap<string, ReadonlySet<bigint>>,
  positions: ReadonlyMap<bigint, number>,
): Entry[] {
  return [...ids].map(([address, own]) => ({
    key: toByteText(address),
    row: JSON.stringify([...own].flatMap((id) => positions.get(id) ?? []).sort((a, b) => a - b)),
  }));
}

function latestOf(proposals: readonly StoredProposal[], shift: number): number | undefined {
  const times = proposals
    .flatMap(({ fields }) => [fields.submit_time, fields.voting_start_time])
    .map((time) => (typeof time === 'string' ? Date.parse(time) : Number.NaN))
    .filter((time) => time > 0);
  return times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) + shift : undefined;
}

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

/** What `want` takes of a module, and its `params` for `keep` as well; `onMember` hears of each member that the module has. */
export function withParams(want: ObjectWant, keep: Take, onMember: () => void): ObjectWant {
  const member = (key: string): Want | undefined => {
    onMember();
    const wanted = want.member(key);
    if (key !== 'params') return wanted;
    const both: Take = (bytes, start, end, index) => {
      keep(bytes, start, end, index);
      if (wanted?.kind === 'value') wanted.value(bytes, start, end, index);
    };
    return { kind: 'value', value: both };
  };
  return { ...want, member };
}
