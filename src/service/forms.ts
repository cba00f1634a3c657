import { statusNames } from '../api/statusNames.ts';
import { type Fields, isFields, toCoin, toDigits, toFields, toList, toText } from './keptValue.ts';
import { toDecimal, type Vote, type VoteOption } from './state.ts';
import { MisfitError } from './stateErrors.ts';

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

const words: Readonly<Record<string, VoteOption>> = {
  VOTE_OPTION_YES: 'yes',
  VOTE_OPTION_ABSTAIN: 'abstain',
  VOTE_OPTION_NO: 'no',
  VOTE_OPTION_NO_WITH_VETO: 'no_with_veto',
  Yes: 'yes',
  Abstain: 'abstain',
  No: 'no',
  NoWithVeto: 'no_with_veto',
};

const whole = 10n ** 18n;

/** The weighted options of a vote (0.43+), or its one `option` of before; options that nobody knows count for nothing. */
export function readOptions(vote: Fields): Vote['options'] {
  const options = toList(vote.options, '.options');
  if (options.length === 0) {
    const option = typeof vote.option === 'string' ? words[vote.option] : undefined;
    return option ? [{ option, weight: whole }] : [];
  }
  return options.flatMap((item, index) => {
    const path = `.options[${index}]`;
    const { option, weight } = toFields(item, path);
    const known = typeof option === 'string' ? words[option] : undefined;
    const share = toDecimal(toText(weight, `${path}.weight`));
    if (share === undefined) throw new MisfitError('Expected a decimal number', `${path}.weight`);
    return known ? [{ option: known, weight: share }] : [];
  });
}

const rfc3339 = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z"/g;

/** Moves every time in a JSON text by `shift` milliseconds. The zero time `0001-01-01T00:00:00Z` means absent and stays. */
export function shiftTimes(json: string, shift: number): string {
  return json.replace(rfc3339, (text, seconds: string, fraction: string | undefined) => {
    const time = Date.parse(`${seconds}Z`);
    if (Number.isNaN(time) || seconds.startsWith('0001-01-01')) return text;
    return JSON.stringify(shiftTime(time + Math.round(Number(fraction ?? 0) * 1000), shift));
  });
}

function shiftTime(time: number, shift: number): string {
  return new Date(time + shift).toISOString();
}

const statuses: Readonly<Record<string, string>> = {
  '': 'PROPOSAL_STATUS_UNSPECIFIED',
  DepositPeriod: 'PROPOSAL_STATUS_DEPOSIT_PERIOD',
  VotingPeriod: 'PROPOSAL_STATUS_VOTING_PERIOD',
  Passed: 'PROPOSAL_STATUS_PASSED',
  Rejected: 'PROPOSAL_STATUS_REJECTED',
  Failed: 'PROPOSAL_STATUS_FAILED',
};

const contents: Readonly<Record<string, string>> = {
  'gov/TextProposal': '/cosmos.gov.v1beta1.TextProposal',
  'gov/SoftwareUpgradeProposal': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
  'cosmos-sdk/TextProposal': '/cosmos.gov.v1beta1.TextProposal',
  'cosmos-sdk/ParameterChangeProposal': '/cosmos.params.v1beta1.ParameterChangeProposal',
  'cosmos-sdk/CommunityPoolSpendProposal': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
  'cosmos-sdk/SoftwareUpgradeProposal': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
  'cosmos-sdk/CancelSoftwareUpgradeProposal': '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
};

/**
 * A proposal as written before SDK 0.40 → the v1beta1 form; anything else is handed back as it is.
 * Three ages: `{content: {type, value}, id, proposal_status}` (0.36–0.39), `{proposal_content: {…}, proposal_id}` (0.34),
 * and `{type, value: {title, description, proposal_id, …}}` with the content among the other fields (until 0.33).
 */
export function fromAmino(wire: Fields): Fields {
  const proposal = typeof wire.type === 'string' && isFields(wire.value) ? wire.value : wire;
  if (!('proposal_status' in proposal)) return wire;
  const { id, proposal_status, content, proposal_content, title, description, proposal_type, ...rest } = proposal;
  const inner = content ?? proposal_content;
  const amino = inner ?? { type: wire.type, value: { title, description } };
  return {
    ...rest,
    proposal_id: proposal.proposal_id ?? id,
    content: toContent(amino),
    status: typeof proposal_status === 'string' ? (statuses[proposal_status] ?? proposal_status) : proposal_status,
  };
}

/** `{type, value}` → `{"@type", …}`; a name that nobody knows stays as it is. */
function toContent(amino: unknown): unknown {
  if (!isFields(amino) || typeof amino.type !== 'string' || !isFields(amino.value)) return amino;
  const { proposal_type: _, ...value } = amino.value;
  return { '@type': contents[amino.type] ?? amino.type, ...value };
}
