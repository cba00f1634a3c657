import { statusNames } from '../api/statusNames.ts';
import { type Fields, isFields, toCoin, toDigits, toFields, toList, toText } from './keptValue.ts';
import { MisfitError } from './stateFileError.ts';

const names: readonly string[] = statusNames;
const zeroTime = '0001-01-01T00:00:00Z';
const noVotes = { yes: '0', abstain: '0', no: '0', no_with_veto: '0' } as const;
const times = ['submit_time', 'deposit_end_time', 'voting_start_time', 'voting_end_time'] as const;

/** A proposal of a state, checked. `status` is its number in `statusNames`, 255 for one that is not there. */
export interface StoredProposal {
  readonly id: bigint;
  readonly form: 'v1beta1' | 'v1';
  readonly status: number;
  readonly fields: Fields;
}

/** Checks a proposal in the form that its own fields show; fields of neither form are kept. Throws `MisfitError`. */
export function readProposal(wire: Fields): StoredProposal {
  const v1 = !('proposal_id' in wire) && ('id' in wire || 'messages' in wire);
  const idPath = v1 ? 'id' : 'proposal_id';
  const id = BigInt(toDigits(wire[idPath], `.${idPath}`));
  if (id >= 2n ** 64n) throw new MisfitError('The id is larger than 64 bits', `.${idPath}`);
  for (const name of times) if (wire[name] !== null && wire[name] !== undefined) toText(wire[name], `.${name}`);
  const totalDeposit = toList(wire.total_deposit, '.total_deposit').map((coin, index) =>
    toCoin(coin, `.total_deposit[${index}]`),
  );
  const form = v1 ? 'v1' : 'v1beta1';
  const { [idPath]: _, ...rest } = wire;
  const fields = v1 ? v1Fields(wire) : v1beta1Fields(wire);
  // A key stands where it is first named and has the value that is named last.
  const ordered = { [idPath]: String(id), ...fields, ...rest, ...fields, total_deposit: totalDeposit };
  return { id, form, status: statusNumber(wire.status), fields: ordered };
}

function v1beta1Fields(wire: Fields): Fields {
  return {
    content: wire.content === null || wire.content === undefined ? null : toFields(wire.content, '.content'),
    status: wire.status,
    final_tally_result: tallyOf(wire.final_tally_result, '') ?? noVotes,
    submit_time: wire.submit_time ?? zeroTime,
    deposit_end_time: wire.deposit_end_time ?? zeroTime,
    total_deposit: wire.total_deposit ?? [],
    voting_start_time: wire.voting_start_time ?? zeroTime,
    voting_end_time: wire.voting_end_time ?? zeroTime,
  };
}

function v1Fields(wire: Fields): Fields {
  return {
    messages: toList(wire.messages, '.messages').map((message, index) => toFields(message, `.messages[${index}]`)),
    status: wire.status,
    final_tally_result: tallyOf(wire.final_tally_result, '_count') ?? null,
    submit_time: wire.submit_time ?? null,
    deposit_end_time: wire.deposit_end_time ?? null,
    total_deposit: wire.total_deposit ?? [],
    voting_start_time: wire.voting_start_time ?? null,
    voting_end_time: wire.voting_end_time ?? null,
  };
}

/** The tally with its fields named `yes…` + `suffix`; undefined where there is none. */
function tallyOf(wire: unknown, suffix: '' | '_count'): Fields | undefined {
  if (wire === null || wire === undefined) return undefined;
  const path = '.final_tally_result';
  const tally = toFields(wire, path);
  const known = Object.keys(noVotes).map((name) => {
    const field = `${name}${suffix}`;
    return [field, tally[field] === undefined ? '0' : toDigits(tally[field], `${path}.${field}`)];
  });
  return {
    ...Object.fromEntries(known),
    ...without(
      tally,
      known.map(([field]) => String(field)),
    ),
  };
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** A bare number is what the chain writes for a status that it does not know itself; a known one belongs in words. */
function statusNumber(wire: unknown): number {
  if (typeof wire === 'number' && wire >= statusNames.length) return 255;
  const index = names.indexOf(toText(wire, '.status'));
  return index < 0 ? 255 : index;
}

/**
 * v1 → v1beta1 as nodes of SDK 0.46.8+ do it: one legacy message gives its content, one other message stands as the
 * content itself. Undefined for none or several messages, which nodes refuse to convert (contract-facts section 5).
 */
export function toV1beta1(v1: Fields): Fields | undefined {
  const messages = toList(v1.messages, '.messages');
  const [message] = messages;
  if (messages.length !== 1 || !isFields(message)) return undefined;
  const legacy = message['@type'] === '/cosmos.gov.v1.MsgExecLegacyContent';
  const tally = isFields(v1.final_tally_result) ? v1.final_tally_result : {};
  return {
    proposal_id: v1.id,
    content: legacy ? (message.content ?? null) : message,
    status: v1.status,
    final_tally_result: {
      yes: tally.yes_count ?? '0',
      abstain: tally.abstain_count ?? '0',
      no: tally.no_count ?? '0',
      no_with_veto: tally.no_with_veto_count ?? '0',
    },
    submit_time: v1.submit_time ?? zeroTime,
    deposit_end_time: v1.deposit_end_time ?? zeroTime,
    total_deposit: v1.total_deposit,
    voting_start_time: v1.voting_start_time ?? zeroTime,
    voting_end_time: v1.voting_end_time ?? zeroTime,
  };
}

/**
 * v1beta1 → v1 as the migration to SDK 0.46 does it (x/gov/migrations/v3): the content in a MsgExecLegacyContent. `authority` is
 * the address of the chain's gov module, "" where it is not known.
 */
export function toV1(v1beta1: Fields, authority: string): Fields {
  const content = isFields(v1beta1.content) ? v1beta1.content : undefined;
  const tally = isFields(v1beta1.final_tally_result) ? v1beta1.final_tally_result : {};
  const time = (value: unknown) => (value === zeroTime ? null : (value ?? null));
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const legacy = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority };
  return {
    id: v1beta1.proposal_id,
    messages: content ? [legacy] : [],
    status: v1beta1.status,
    final_tally_result: {
      yes_count: tally.yes ?? '0',
      abstain_count: tally.abstain ?? '0',
      no_count: tally.no ?? '0',
      no_with_veto_count: tally.no_with_veto ?? '0',
    },
    submit_time: time(v1beta1.submit_time),
    deposit_end_time: time(v1beta1.deposit_end_time),
    total_deposit: v1beta1.total_deposit,
    voting_start_time: time(v1beta1.voting_start_time),
    voting_end_time: time(v1beta1.voting_end_time),
    metadata: '',
    title: text(content?.title),
    summary: text(content?.description),
    proposer: '',
  };
}
