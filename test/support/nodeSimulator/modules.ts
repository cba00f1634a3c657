import { statusNames } from '../../../src/api/wireValues.ts';
import type { EraRules } from './eras.ts';
import { GatewayError, notImplemented, readPage } from './simulatedNode.ts';
import type { SimulatorProposal, SimulatorState } from './simulatorState.ts';

/** Bank operations of an era. `path` is what follows `bank/v1beta1/`, decoded, as the gateway splits it. */
export function answerBank(rules: EraRules, state: SimulatorState, path: readonly string[], query: URLSearchParams) {
  const [first, ...rest] = path;
  if (first !== 'supply') throw notImplemented();
  if (rest.length === 0) return supply(rules, state, query);
  if (rest.length > 1) throw notImplemented();
  const [denom = ''] = rest;
  if (rules.supplyOf === 'path') return { amount: coinOf(rules, state, denom) };
  if (denom === 'by_denom') return { amount: coinOf(rules, state, query.get('denom') ?? '') };
  throw notImplemented();
}

function supply(rules: EraRules, state: SimulatorState, query: URLSearchParams) {
  const entries = state.coins
    .map((coin) => ({ key: Buffer.from(coin.denom), row: coin }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  if (rules.supplyUnpaged) return { supply: entries.map(({ row }) => toWire(row)) };
  const { rows, nextKey, total } = rules.engine(entries, readPage(query, rules.knowsReverse), () => true);
  if (rules.sortsPages) rows.sort((a, b) => Buffer.compare(Buffer.from(a.denom), Buffer.from(b.denom)));
  return {
    supply: rows.map(toWire),
    pagination: { next_key: nextKey?.toString('base64') ?? null, total: String(total) },
  };
}

function coinOf(rules: EraRules, state: SimulatorState, denom: string) {
  if (!rules.denoms.test(denom)) throw invalidDenom(rules, denom);
  return toWire({ denom, amount: state.coins.find((coin) => coin.denom === denom)?.amount ?? 0n });
}

function invalidDenom(rules: EraRules, denom: string): GatewayError {
  if (rules.abci) {
    return denom === ''
      ? new GatewayError(3, 'invalid denom')
      : new GatewayError(2, 'panic message redacted to hide potentially sensitive system info: panic');
  }
  return new GatewayError(rules.sdkVersion.startsWith('v0.46') ? 13 : 3, `invalid denom: ${denom}`);
}

function toWire(coin: { readonly denom: string; readonly amount: bigint }) {
  return { denom: coin.denom, amount: String(coin.amount) };
}

/** Gov operations of an era. `path` is what follows `gov/`. */
export function answerGov(rules: EraRules, state: SimulatorState, path: readonly string[], query: URLSearchParams) {
  const [version, kind, id, ...rest] = path;
  if (kind !== 'proposals' || rest.length > 0) throw notImplemented();
  if (version !== 'v1beta1' && !(version === 'v1' && rules.govV1)) throw notImplemented();
  const toWire = (one: SimulatorProposal): Record<string, unknown> =>
    version === 'v1' ? toV1(rules, one) : toV1beta1(rules, one);
  if (id !== undefined) return { proposal: toWire(findProposal(rules, state, id)) };
  const entries = state.proposals
    .map((row) => ({ key: idBytes(row.id), row }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  const hit = readFilter(rules, query);
  const { rows, nextKey, total } = rules.engine(entries, readPage(query, rules.knowsReverse), hit);
  return {
    proposals: rows.map(toWire),
    pagination: { next_key: nextKey?.toString('base64') ?? null, total: String(total) },
  };
}

function findProposal(rules: EraRules, state: SimulatorState, id: string): SimulatorProposal {
  if (!/^\d+$/.test(id)) {
    throw new GatewayError(
      3,
      `type mismatch, parameter: proposal_id, error: strconv.ParseUint: parsing "${id}": invalid syntax`,
    );
  }
  if (id === '0') throw new GatewayError(3, 'proposal id can not be 0');
  const found = state.proposals.find((one) => one.id === BigInt(id));
  if (found) return found;
  const said = `proposal ${id} doesn't exist`;
  throw new GatewayError(5, rules.abci ? `rpc error: code = NotFound desc = ${said}: key not found` : said);
}

function readFilter(rules: EraRules, query: URLSearchParams): (one: SimulatorProposal) => boolean {
  const status = readStatus(rules, query.get('proposal_status') ?? '0');
  const voter = query.get('voter');
  const depositor = query.get('depositor');
  return (one) => {
    for (const address of [voter, depositor]) {
      if (address && !address.startsWith('cosmos1')) {
        throw new GatewayError(13, 'decoding bech32 failed: invalid separator index -1');
      }
    }
    if (status > 0 && status < statusNames.length && one.status !== status) return false;
    if (voter && !(one.status === 2 && one.voters.includes(voter))) return false;
    return !depositor || ((one.status === 1 || one.status === 2) && one.depositors.includes(depositor));
  };
}

function readStatus(rules: EraRules, text: string): number {
  const names: readonly string[] = statusNames;
  if (/^\d+$/.test(text)) {
    if (rules.statusNames && Number(text) >= names.length) throw invalidStatus(text);
    return Number(text);
  }
  if (!rules.statusNames) throw new GatewayError(3, `strconv.ParseInt: parsing "${text}": invalid syntax`);
  const number = names.indexOf(text);
  if (number < 0) throw invalidStatus(text);
  return number;
}

function invalidStatus(text: string): GatewayError {
  return new GatewayError(3, `${text} is not a valid v1beta1.ProposalStatus`);
}

const unregistered =
  'no concrete type registered for type URL /removed.v1.OldProposal against interface *v1beta1.Content';

function toV1beta1(rules: EraRules, one: SimulatorProposal) {
  if (one.unregistered) throw new GatewayError(rules.abci ? 2 : 13, unregistered);
  const [message] = one.messages;
  if (one.messages.length !== 1 && !rules.hidesWordless) {
    throw new GatewayError(2, `codespace sdk code 29: invalid type: ${rules.wordless}`);
  }
  const content = one.messages.length !== 1 ? null : (message?.content ?? message ?? null);
  return {
    proposal_id: String(one.id),
    content,
    status: statusNames[one.status] ?? one.status,
    final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
    ...times(one, '0001-01-01T00:00:00Z'),
  };
}

function toV1(rules: EraRules, one: SimulatorProposal) {
  if (one.unregistered) throw new GatewayError(13, unregistered);
  return {
    id: String(one.id),
    messages: one.messages,
    status: statusNames[one.status] ?? one.status,
    final_tally_result: { yes_count: '0', abstain_count: '0', no_count: '0', no_with_veto_count: '0' },
    ...times(one, null),
    metadata: '',
    ...(rules.titles ? { title: one.title, summary: one.summary, proposer: '' } : {}),
  };
}

function times(one: SimulatorProposal, never: string | null) {
  const voting = one.status > 1;
  return {
    submit_time: '2026-01-02T03:04:05.123456789Z',
    deposit_end_time: '2026-01-16T03:04:05.123456789Z',
    total_deposit: [{ denom: 'utoken0', amount: '10000000' }],
    voting_start_time: voting ? '2026-01-03T00:00:00Z' : never,
    voting_end_time: voting ? '2026-01-17T00:00:00Z' : never,
  };
}

function idBytes(id: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(id);
  return bytes;
}
