import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toGovParams } from '../../../src/api/decode/govParams.ts';
import type { FactChanges } from '../../unit/page/factsOf.ts';
import { messageProposals } from './messageProposals.ts';
import { oddProposals } from './oddProposals.ts';
import { recordedContents } from './recordedContents.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A proposal of the gallery: what it is there for, and its fields but the id. */
export interface GalleryCase {
  readonly name: string;
  readonly form: 'v1beta1' | 'v1';
  readonly proposal: Fields;
}

interface SampleState {
  readonly genesis_time: string;
  readonly app_state: {
    readonly gov: { readonly params: Fields; readonly proposals: readonly Fields[] };
  };
}

const sample: SampleState = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../media/sampleChain.json'), 'utf8'),
);

/** A case with the id that it always has, whichever of them are shown. */
export interface NumberedCase extends GalleryCase {
  readonly id: number;
}

/** Every kind of content in the sample chain, each status of it; the odd ones; what was recorded of real chains. */
export function galleryCases(): readonly NumberedCase[] {
  return numbered([...sampleCases(), ...oddProposals(), ...recordedContents()]);
}

/** Proposals of gov v1, which have a state of their own. */
export function messageCases(): readonly NumberedCase[] {
  return numbered(messageProposals());
}

/** Ids from 1 on. */
export function numbered(cases: readonly GalleryCase[]): readonly NumberedCase[] {
  return cases.map((one, at) => ({ ...one, id: at + 1 }));
}

/** A state file with these proposals; everything else is the sample chain's. Its time stands still. */
export function stateOf(cases: readonly NumberedCase[]): string {
  const proposals = cases.map(({ form, proposal, id }) => ({
    [form === 'v1' ? 'id' : 'proposal_id']: `${id}`,
    ...proposal,
  }));
  const gov = {
    ...sample.app_state.gov,
    starting_proposal_id: '1000',
    deposits: [],
    votes: [],
    proposals,
  };
  return JSON.stringify({ ...sample, app_state: { ...sample.app_state, gov } });
}

/** The facts beside a proposal of the sample chain, on the last day of 2025. */
export function sampleFacts(): FactChanges {
  return {
    chainId: 'sample-1',
    sourceName: 'Sample chain',
    now: new Date('2025-12-31T12:00:00Z'),
    readAt: new Date(),
    unitOf: (denom) => (denom === 'usample' ? { symbol: 'SAMPLE', exponent: 6, source: 'chain' } : undefined),
    inputs: { params: toGovParams({ v1: sample.app_state.gov.params }), bondDenom: 'usample' },
  };
}

/** One proposal of each type and status. */
function sampleCases(): readonly GalleryCase[] {
  const seen = new Set<string>();
  const cases: GalleryCase[] = [];
  for (const { id: _id, ...proposal } of sample.app_state.gov.proposals) {
    const name = `${typeOf(proposal.messages)} ${String(proposal.status).replace('PROPOSAL_STATUS_', '')}`;
    if (seen.has(name)) continue;
    seen.add(name);
    cases.push({ name, form: 'v1', proposal });
  }
  return cases;
}

/** The type of the first message, or of the legacy content in it. A text has no message. */
function typeOf(messages: unknown): string {
  const [message] = Array.isArray(messages) ? messages : [];
  const type = message?.content?.['@type'] ?? message?.['@type'] ?? 'TextProposal';
  return String(type).split('.').at(-1) ?? '';
}
