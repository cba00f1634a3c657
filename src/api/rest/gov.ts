import { forks } from '../../chain/gov/forks.ts';
import { type GovForm, type ProposalStatus, statuses } from '../../chain/gov/proposal.ts';
import type { Client } from '../client.ts';
import { toStatus } from '../decode/proposalRows.ts';
import { readProposalId, readProposalRow, readProposalRows, type WireProposalRow } from '../decode/readReply.ts';
import {
  isFailedRow,
  isHttpError,
  isNodeAnswer,
  isNodeFault,
  isReplyError,
  isStatedByNode,
  isTooLarge,
  isUnsupported,
  ModuleError,
} from '../errors.ts';
import type { ProposalFilter, ProposalsRequest } from '../node.ts';
import { govForms, type Query } from '../operations.ts';
import { emptyPage, type Page, pageQuery, type ReplyInfo, toPage } from '../pages.ts';
import { statusNames } from '../wireValues.ts';
import type { DialectMemory } from './dialect.ts';

/** The form that is asked for if the first one is not offered or fails. */
const otherForm: Readonly<Record<GovForm, GovForm>> = { v1: 'v1beta1', v1beta1: 'v1' };

/** The form in which the gov module is asked, and the first path segment. */
interface Way {
  readonly form: GovForm;
  /** The segment; the known one if absent. */
  readonly segment?: string | undefined;
}

/** A request for a page by its key, or by its position in the list. */
export interface RowsRequest extends ProposalsRequest {
  readonly offset?: number | undefined;
}

/**
 * The gov module of one node. Asks in gov v1, which loses nothing, or else in v1beta1 (docs/nodes.md#v1-to-v1beta1).
 * Falls back to the other form if one is not offered or fails, and remembers which one answered. Every method rejects
 * like `Client.get`.
 */
export class Gov {
  readonly #client: Client;
  readonly #memory: DialectMemory;
  readonly #preferred: (() => Promise<GovForm>) | undefined;

  constructor(client: Client, preferred?: () => Promise<GovForm>) {
    this.#client = client;
    this.#memory = client.memory;
    this.#preferred = preferred;
  }

  /** Gives the form in which the node is asked. Undefined if the chain has no gov module. */
  async form(signal: AbortSignal | undefined): Promise<GovForm | undefined> {
    const { gov } = this.#memory.traits;
    if (gov !== undefined) return gov === 'none' ? undefined : gov;
    const first = await this.#ask((way) => this.#readPage(way, {}, { limit: 1 }, signal), signal);
    return first && this.form(signal);
  }

  /** Reads one page of proposals. It is empty if the chain has no gov module. */
  async page(
    filter: ProposalFilter,
    request: ProposalsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow>> {
    const read = await this.#ask((way) => this.#readPage(way, filter, request, signal), signal);
    return read ?? emptyPage;
  }

  /** Reads one page of all proposals in the known form, without a fallback. */
  async pageOfAll(request: RowsRequest, signal: AbortSignal | undefined): Promise<Page<WireProposalRow>> {
    return this.#readPage({ form: (await this.form(signal)) ?? 'v1' }, {}, request, signal);
  }

  /** Implements `ChainNode.proposal`. */
  async proposal(id: bigint, signal?: AbortSignal): Promise<WireProposalRow & { readonly info?: ReplyInfo }> {
    try {
      const row = await this.#ask(
        async ({ form, segment }) => {
          const ask = { params: { form, proposalId: String(id) }, signal, segment };
          const { reply, info, mask } = await this.#client.get('proposal', ask);
          const found = readProposalId(form, reply.proposal);
          if (typeof found === 'string') return { ...unreadable(id, mask ? mask(found) : found), info };
          if (found !== id) return { ...unreadable(id, `the node responded with proposal ${found}`), info };
          return { ...readProposalRow(form, reply.proposal, { characters: info.characters, mask }), info };
        },
        signal,
        false,
      );
      if (row) return row;
    } catch (error) {
      if (!isFailedRow(error) && !isTooLarge(error)) throw error;
      return unreadable(id, error);
    }
    // Only a state says which form it prefers.
    throw new ModuleError(this.#preferred ? 'govOfState' : 'gov');
  }

  async #ask<T>(
    ask: (way: Way) => Promise<T>,
    signal: AbortSignal | undefined,
    isOfList = true,
  ): Promise<T | undefined> {
    await this.#client.contact(signal);
    if (this.#memory.traits.gov === 'none') return undefined;
    const known = this.#memory.traits.gov;
    const refusals: unknown[] = [];
    let fault: { readonly error: unknown; readonly isOwn: boolean } | undefined;
    for (const way of await this.#candidates()) {
      try {
        const answer = await ask(way);
        this.#keep(way, !fault && refusals.every(isStatedByNode));
        return answer;
      } catch (error) {
        const isOther = known === undefined && isReplyError(error) && ['page', 'json', 'shape'].includes(error.code);
        if (isOther) fault ??= { error, isOwn: way.segment === this.#memory.traits.segment };
        else if (isUnsupported(error)) refusals.push(error);
        if (isOther || isUnsupported(error)) continue;
        if (known === undefined && isNodeAnswer(error)) this.#keep(way, !fault && refusals.every(isStatedByNode));
        if (!isNodeFault(error) || isTooLarge(error)) throw error;
        return this.#askOther(ask, way, error);
      }
    }
    // A web page instead of an answer, for example while a node starts, is no refusal. Nothing follows from it.
    if (fault?.isOwn) throw fault.error;
    // A node that has answered in a form has a gov module, even if it refuses one proposal.
    if (known !== undefined && !isOfList) throw refusals[0];
    if (!fault) await this.#keepNoGov(signal, refusals);
    return undefined;
  }

  async #askOther<T>(ask: (way: Way) => Promise<T>, { form, segment }: Way, fault: unknown): Promise<T> {
    const other = otherForm[form];
    try {
      const answer = await ask({ form: other, segment });
      if (other === 'v1') this.#memory.remember({ gov: 'v1' });
      return answer;
    } catch (error) {
      // "Too many requests" and "no credential" are not answers. In all other cases, the first fault is more specific.
      throw isHttpError(error) && [401, 403, 429].includes(error.status) && !isTooLarge(error) ? error : fault;
    }
  }

  async #candidates(): Promise<readonly Way[]> {
    const { traits, version } = this.#memory;
    const isOld = version !== undefined && version.minor < 46;
    const known = traits.gov === 'none' ? undefined : traits.gov;
    const first = known ?? (isOld ? 'v1beta1' : await this.#preferred?.().catch(() => undefined));
    const forms = first ? [first, otherForm[first]] : govForms;
    const forked = forks.flatMap(({ govSegment }) => govSegment ?? []);
    const segments = new Set([traits.govSegment ?? traits.segment, traits.segment, ...forked]);
    return [...segments].flatMap((segment) => forms.map((form) => ({ form, segment })));
  }

  /** Keeps the way that answered. `isStated` is true if only the node itself refused the ways before it. */
  #keep({ form, segment }: Way, isStated: boolean): void {
    const { traits } = this.#memory;
    const found = { gov: form, govSegment: segment === traits.segment ? undefined : segment };
    // The known way was asked first, so its answer tells nothing about the others.
    if (traits.gov === found.gov && traits.govSegment === found.govSegment) return;
    if (isStated) this.#memory.remember(found);
    else this.#memory.suppose(found);
  }

  /**
   * Keeps that the chain has no gov module. Rejects with the first refusal if not even the supply is answered, since
   * that is another kind of service.
   */
  async #keepNoGov(signal: AbortSignal | undefined, refusals: readonly unknown[]): Promise<void> {
    const before = this.#memory.traits.segment;
    await this.#client.get('supply', { query: { limit: '1' }, signal }).catch((error: unknown) => {
      if (!isNodeAnswer(error)) throw refusals[0];
    });
    if (this.#memory.traits.segment !== before) throw refusals[0];
    if (refusals.every(isStatedByNode)) this.#memory.remember({ gov: 'none' });
    else this.#memory.suppose({ gov: 'none' });
  }

  async #readPage(
    { form, segment }: Way,
    filter: ProposalFilter,
    request: RowsRequest,
    signal: AbortSignal | undefined,
  ): Promise<Page<WireProposalRow>> {
    const query = { ...pageQuery(request), ...filterQuery(filter, this.#memory.traits.segment === 'chain') };
    const ask = { params: { form }, query, height: request.height, signal, segment };
    const answer = await this.#client.get('proposals', ask);
    const { reply, info, mask, url } = answer;
    return toPage(answer, readProposalRows(form, reply.proposals, { characters: info.characters, mask, url }), request);
  }
}

/**
 * Gives the query of a filter. The contract uses names of statuses. Nodes take numbers everywhere, but names in some
 * versions only (docs/nodes.md#status).
 */
export function filterQuery(
  { status, voter, depositor }: ProposalFilter,
  isNamed: boolean,
): Pick<Query<'proposals'>, 'status' | 'voter' | 'depositor'> {
  const number = status && statuses.indexOf(status);
  return {
    ...(number === undefined ? {} : { status: isNamed ? statusNames[number] : String(number) }),
    ...(voter ? { voter } : {}),
    ...(depositor ? { depositor } : {}),
  };
}

/** Makes the row of a proposal that the node cannot give. */
export function unreadable(id: bigint, error: unknown): Extract<WireProposalRow, { form: 'unreadable' }> {
  const reason = isHttpError(error) ? (error.nodeMessage ?? `HTTP ${error.status}`) : String(error);
  return { form: 'unreadable', id, reason };
}

/** True if `row` has this status. An unreadable row may have any status. */
export function hasStatus(row: WireProposalRow, status: ProposalStatus): boolean {
  return row.form === 'unreadable' || toStatus(row.proposal.status) === status;
}
