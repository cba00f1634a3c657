import { forks } from '../forks.ts';
import type { Client } from './client.ts';
import {
  isFailedRow,
  isHttpError,
  isNodeAnswer,
  isNodeFault,
  isReplyError,
  isTooLarge,
  isUnsupported,
  ModuleError,
} from './errors.ts';
import type { ProposalFilter, ProposalsRequest } from './node.ts';
import { type GovForm, govForms, type Query } from './operations.ts';
import { emptyPage, type Page, type PageInfo, pageQuery, toPage } from './pages.ts';
import { readProposalId, readProposalRow, readProposalRows, type WireProposalRow } from './readReply.ts';
import { statusNames } from './wireValues.ts';

/** The form that is asked where one is not offered, or fails. */
const otherForm: Readonly<Record<GovForm, GovForm>> = { v1: 'v1beta1', v1beta1: 'v1' };

type InForm<T> = (form: GovForm, segment: string | undefined) => Promise<T>;

/** A page by its key, or by its place in the list. */
export interface RowsRequest extends ProposalsRequest {
  readonly offset?: number | undefined;
}

/** The gov module of one node. Every method rejects as `Client.get` does. */
export interface Gov {
  /** The form in which the node is asked; undefined where the chain has no gov module. */
  form(signal: AbortSignal | undefined): Promise<GovForm | undefined>;
  /** One page of proposals, empty where the chain has no gov module. */
  page(
    filter: ProposalFilter,
    request: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow>>;
  /** One page of all proposals in the form that is known, without a fallback. */
  pageOfAll(request: RowsRequest, signal: AbortSignal | undefined): Promise<Page<WireProposalRow>>;
  /** As `ChainNode.proposal`. */
  proposal(id: bigint, signal?: AbortSignal): Promise<WireProposalRow & { readonly info?: PageInfo }>;
}

/**
 * Asks the gov module in the form that the node offers: gov v1, which loses nothing, else v1beta1 (docs/nodes.md#v1-to-v1beta1).
 * Each falls back to the other where it is not offered, or fails; what answered is remembered.
 */
export function createGov(client: Client, preferred?: () => Promise<GovForm>): Gov {
  const { memory } = client;

  async function form(signal: AbortSignal | undefined): Promise<GovForm | undefined> {
    const { gov } = memory.facts;
    if (gov !== undefined) return gov === 'none' ? undefined : gov;
    const first = await askInForm((form, segment) => readPage(form, {}, { limit: 1 }, signal, segment), signal);
    return first && form(signal);
  }

  async function page(
    filter: ProposalFilter,
    request: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow>> {
    const read = await askInForm((form, segment) => readPage(form, filter, request, signal, segment), signal);
    return read ?? emptyPage;
  }

  async function pageOfAll(request: RowsRequest, signal: AbortSignal | undefined): Promise<Page<WireProposalRow>> {
    return readPage((await form(signal)) ?? 'v1', {}, request, signal);
  }

  async function proposal(id: bigint, signal?: AbortSignal): Promise<WireProposalRow & { readonly info?: PageInfo }> {
    try {
      const row = await askInForm(async (form, segment) => {
        const ask = { params: { form, proposalId: String(id) }, signal, segment };
        const { reply, info, mask } = await client.get('proposal', ask);
        const found = readProposalId(form, reply.proposal);
        if (typeof found === 'string') return { ...unreadable(id, mask ? mask(found) : found), info };
        if (found !== id) return { ...unreadable(id, `the node answered with proposal ${found}`), info };
        return { ...readProposalRow(form, reply.proposal, { characters: info.characters, mask }), info };
      }, signal);
      if (row) return row;
    } catch (error) {
      if (!isFailedRow(error) && !isTooLarge(error)) throw error;
      return unreadable(id, error);
    }
    throw new ModuleError('gov');
  }

  async function askInForm<T>(ask: InForm<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
    await client.contact(signal);
    if (memory.facts.gov === 'none') return undefined;
    const known = memory.facts.gov;
    let refusal: unknown;
    let fault: { readonly error: unknown; readonly isOwn: boolean } | undefined;
    for (const { form, segment } of await candidates()) {
      try {
        const answer = await ask(form, segment);
        rememberForm(form, segment);
        return answer;
      } catch (error) {
        const isOther = known === undefined && isReplyError(error) && ['page', 'json', 'shape'].includes(error.code);
        if (isOther) fault ??= { error, isOwn: segment === memory.facts.segment };
        else if (isUnsupported(error)) refusal ??= error;
        if (isOther || isUnsupported(error)) continue;
        if (known === undefined && isNodeAnswer(error)) rememberForm(form, segment);
        if (!isNodeFault(error) || isTooLarge(error)) throw error;
        return askOther(ask, form, segment, error);
      }
    }
    // A page in place of an answer, while a node starts for example, is no refusal, and nothing follows from it.
    if (fault?.isOwn || refusal === undefined) throw fault?.error;
    if (!fault) await rememberNoGov(signal, refusal);
    return undefined;
  }

  async function askOther<T>(ask: InForm<T>, form: GovForm, segment: string | undefined, fault: unknown): Promise<T> {
    const other = otherForm[form];
    try {
      const answer = await ask(other, segment);
      if (other === 'v1') memory.remember({ gov: 'v1' });
      return answer;
    } catch (error) {
      // Too many requests, or none without a credential, are no answer; in all other cases the first fault is more specific.
      throw isHttpError(error) && [401, 403, 429].includes(error.status) && !isTooLarge(error) ? error : fault;
    }
  }

  async function candidates(): Promise<readonly { readonly form: GovForm; readonly segment: string | undefined }[]> {
    const { facts, version } = memory;
    const isOld = version !== undefined && version.minor < 46;
    const known = facts.gov === 'none' ? undefined : facts.gov;
    const first = known ?? (isOld ? 'v1beta1' : await preferred?.().catch(() => undefined));
    const forms = first ? [first, otherForm[first]] : govForms;
    const forked = forks.flatMap(({ govSegment }) => govSegment ?? []);
    const segments = new Set([facts.govSegment ?? facts.segment, facts.segment, ...forked]);
    return [...segments].flatMap((segment) => forms.map((form) => ({ form, segment })));
  }

  function rememberForm(gov: GovForm, segment: string | undefined): void {
    memory.remember({ gov, govSegment: segment === memory.facts.segment ? undefined : segment });
  }

  /** Rejects with `refusal` where not even the supply is answered: that is no chain without gov, but another kind of service. */
  async function rememberNoGov(signal: AbortSignal | undefined, refusal: unknown): Promise<void> {
    const before = memory.facts.segment;
    await client.get('supply', { query: { limit: '1' }, signal }).catch((error: unknown) => {
      if (!isNodeAnswer(error)) throw refusal;
    });
    if (memory.facts.segment !== before) throw refusal;
    memory.remember({ gov: 'none' });
  }

  async function readPage(
    form: GovForm,
    filter: ProposalFilter,
    request: RowsRequest,
    signal: AbortSignal | undefined,
    segment?: string,
  ): Promise<Page<WireProposalRow>> {
    const query = { ...pageQuery(request), ...filterQuery(filter, memory.facts.segment === 'chain') };
    const answer = await client.get('proposals', { params: { form }, query, height: request.height, signal, segment });
    const { reply, info, mask, url } = answer;
    return toPage(answer, readProposalRows(form, reply.proposals, { characters: info.characters, mask, url }), request);
  }

  return { form, page, pageOfAll, proposal };
}

/** The contract names statuses; nodes take numbers everywhere, and names in some versions only (docs/nodes.md#status). */
export function filterQuery(
  { status, voter, depositor }: ProposalFilter,
  isNamed: boolean,
): Pick<Query<'proposals'>, 'status' | 'voter' | 'depositor'> {
  const names: readonly string[] = statusNames;
  const number = names.indexOf(status ?? '');
  return {
    ...(status ? { status: isNamed || number < 0 ? status : String(number) } : {}),
    ...(voter ? { voter } : {}),
    ...(depositor ? { depositor } : {}),
  };
}

/** The row of a proposal that the node cannot give. */
export function unreadable(id: bigint, error: unknown): Extract<WireProposalRow, { form: 'unreadable' }> {
  const reason = isHttpError(error) ? (error.nodeMessage ?? `HTTP ${error.status}`) : String(error);
  return { form: 'unreadable', id, reason };
}

/** Whether `row` has this status, by name or by number; an unreadable row may have any. */
export function hasStatus(row: WireProposalRow, status: string): boolean {
  if (row.form === 'unreadable') return true;
  const wire = row.proposal.status;
  return wire === status || statusNames[Number(wire)] === status;
}
