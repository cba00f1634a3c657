import { statusNames } from '../api/wireValues.ts';
import type { Fields } from '../chain/fields.ts';
import type { GovForm } from '../chain/gov/proposal.ts';
import { formOf, type GovState, renameTally, toIdKey, toV1, toV1beta1, votingPeriod } from './modules/govReader.ts';
import { readGovParams } from './modules/moduleParams.ts';
import type { Staking } from './modules/staking.ts';
import { toVoteReply } from './modules/votes.ts';
import { badParameter, GatewayError, notImplemented } from './serviceErrors.ts';
import { readAddressKey, rowBy } from './stateAddresses.ts';
import type { StateSnapshot } from './stateSnapshot.ts';
import { type Body, fieldsAt, findKey, type KeyedTable, readUint64, rowAt, tablePage, toTable } from './table.ts';

/** Answers `gov/v1/constitution` (SDK 0.50 and later). */
export function constitution({ constitution: text }: GovState): string {
  if (text === undefined) throw notImplemented();
  return JSON.stringify({ constitution: text });
}

/** The words of nodes since SDK 0.46.8 (docs/nodes.md#v1-to-v1beta1). */
const notConvertible =
  "codespace sdk code 29: invalid type: can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one";

/** Converts a proposal of the other form; undefined if it has no such form. */
const toForm: Readonly<Record<GovForm, (fields: Fields, gov: GovState) => Fields | undefined>> = {
  v1: (fields, { authority }) => toV1(fields, authority),
  v1beta1: (fields) => toV1beta1(fields),
};

/**
 * Answers a page of proposals. If one v1 proposal has no v1beta1 form, the whole v1beta1 page fails (500, code 2), as
 * on a node.
 */
export function proposals(gov: GovState, form: GovForm, query: URLSearchParams): Body {
  const toRow = (position: number): string => proposalAt(gov, form, position);
  return tablePage('proposals', gov.proposals, query, { matches: rowFilter(gov, query), toRow });
}

export function proposalAt(gov: GovState, form: GovForm, position: number): string {
  const row = rowAt(gov.proposals, position);
  if (formOf(row) === form) return row;
  const fields = fieldsAt(gov.proposals, position);
  const converted = toForm[form](fields, gov);
  if (!converted) throw new GatewayError('unknown', notConvertible);
  return JSON.stringify(converted);
}

/**
 * Answers `…/{id}/tally`: the final tally, or for an open vote the count from the votes and delegations of the state.
 */
export async function tally(gov: GovState, state: StateSnapshot, form: GovForm, id: string): Promise<string> {
  const position = positionOf(gov, id);
  const reply = (tally: unknown, stored: GovForm = 'v1beta1'): string =>
    JSON.stringify({ tally: renameTally(tally, stored, form) });
  if (gov.proposals.tags[position] !== votingPeriod)
    return reply(fieldsAt(gov.proposals, position).final_tally_result, formOf(rowAt(gov.proposals, position)));
  if (!gov.hasVotes) return reply({});
  return reply((await talliesOf(state))[String(idOfPath(id))] ?? {});
}

async function talliesOf(state: StateSnapshot): Promise<NonNullable<Staking['tallies']>> {
  const { tallies } = await state.get('staking');
  if (!tallies) throw new GatewayError('unimplemented', 'running tallies are not calculated for this state');
  return tallies;
}

/** Answers facts of an open vote beside its tally: options with decimals, which the tally cuts, and its votes. */
export async function tallyDetails(gov: GovState, state: StateSnapshot, id: string): Promise<string> {
  if (gov.proposals.tags[positionOf(gov, id)] !== votingPeriod) throw notImplemented();
  const own = gov.hasVotes ? (await talliesOf(state))[String(idOfPath(id))] : undefined;
  const { fractions = [], votes = 0, largest = [], validators = [] } = own ?? {};
  return JSON.stringify({ fractions, votes: `${votes}`, largest, validators });
}

function idOfPath(text: string): bigint {
  const id = readUint64(text, 'proposal_id');
  if (id === 0n) throw new GatewayError('invalidArgument', 'proposal id can not be 0');
  return id;
}

export function positionOf(gov: GovState, text: string): number {
  const id = idOfPath(text);
  const position = findKey(gov.proposals, toIdKey(id));
  if (position < 0) throw new GatewayError('notFound', `proposal ${id} doesn't exist`);
  return position;
}

/** Answers `…/{id}/votes`. The list is empty without votes, after the vote and for an unknown proposal. */
export function votes(table: KeyedTable, form: GovForm, query: URLSearchParams): Body {
  const toRow = (position: number): string => JSON.stringify(toVoteReply(fieldsAt(table, position), form));
  return tablePage('votes', table, query, { toRow });
}

/** Answers `…/{id}/votes/{voter}`. One error covers no vote, the end of voting and an unknown proposal. */
export function vote(gov: GovState, form: GovForm, id: string, voter: string): string {
  const found = rowBy(ofProposal(gov.votes, id), 'voter', voter);
  if (!found) throw new GatewayError('invalidArgument', `voter: ${voter} not found for proposal: ${id}`);
  return JSON.stringify({ vote: toVoteReply(found, form) });
}

/**
 * Answers `…/{id}/deposits/{depositor}`. A missing deposit is 404 since SDK 0.50, whose parameters have an expedited
 * period.
 */
export function deposit(gov: GovState, id: string, depositor: string): string {
  const found = rowBy(ofProposal(gov.deposits, id), 'depositor', depositor);
  if (found) return JSON.stringify({ deposit: found });
  if ('expedited_voting_period' in readGovParams(gov.params))
    throw new GatewayError('notFound', `collections: not found: key '("${id}", "${depositor}")'`);
  throw new GatewayError('invalidArgument', `depositer: ${depositor} not found for proposal: ${id}`);
}

const noRows = toTable([]);

export function ofProposal(tables: Readonly<Record<string, KeyedTable>>, id: string): KeyedTable {
  return tables[String(idOfPath(id))] ?? noRows;
}

function rowFilter(gov: GovState, query: URLSearchParams): ((position: number) => boolean) | undefined {
  const status = readStatus(query.get('proposal_status') ?? query.get('proposalStatus') ?? '');
  const voted = proposalsOf(gov, gov.votes, query, 'voter');
  const deposited = proposalsOf(gov, gov.deposits, query, 'depositor');
  if (status === 0 && !voted && !deposited) return undefined;
  return (position) =>
    (status === 0 || gov.proposals.tags[position] === status) &&
    (!voted || voted.has(position)) &&
    (!deposited || deposited.has(position));
}

/** Reads a status by name or number. 0, unspecified and an empty text do not filter. */
function readStatus(text: string): number {
  if (text === '') return 0;
  const names: readonly string[] = statusNames;
  const number = /^\d+$/.test(text) ? Number(text) : names.indexOf(text);
  if (number >= 0 && number < names.length) return number;
  throw badParameter('proposal_status', `${text.slice(0, 80)} is not a valid types.ProposalStatus`);
}

function proposalsOf(
  gov: GovState,
  tables: GovState['votes'],
  query: URLSearchParams,
  name: string,
): ReadonlySet<number> | undefined {
  const address = query.get(name) ?? '';
  if (address === '') return undefined;
  readAddressKey(name, address);
  const ids = Object.keys(tables).filter((id) => rowBy(tables[id] ?? noRows, name, address));
  return new Set(ids.map((id) => findKey(gov.proposals, toIdKey(BigInt(id)))));
}
