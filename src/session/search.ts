import { isAbort } from '../api/errors.ts';
import type { Coin, DenomUnit } from '../chain/coin.ts';
import type { ProposalRow } from '../chain/proposal.ts';
import { hasText } from '../chain/supplyStore.ts';
import { readProposals, readSupply } from './readAll.ts';
import type { Session } from './session.ts';

/** How far a search has come, and what it found with the last page. */
export interface SearchStep {
  /** Rows looked at so far. */
  readonly proposals: number;
  readonly denoms: number;
  readonly foundProposals: readonly ProposalRow[];
  readonly foundCoins: readonly Coin[];
}

/** How a search ended. `failures` say which list could not be read to its end, and why. */
export interface SearchEnd {
  readonly proposals: number;
  readonly denoms: number;
  readonly failures: readonly unknown[];
}

/**
 * Looks for a text in every proposal and denom of a chain, loaded rows first; what is read is not kept, and nothing that is
 * loaded is read again. One list that fails does not end the other. Rejects only where the chain cannot be opened;
 * a `signal` ends it with what was searched so far.
 */
export async function searchAll(
  session: Session,
  text: string,
  signal: AbortSignal,
  onStep: (step: SearchStep) => void,
): Promise<SearchEnd> {
  const matcher = toMatcher(text);
  const { proposals, supply } = session;
  const node = await session.node();
  const unitOf = (denom: string) => supply.unit(denom);
  const searched = { proposals: 0, denoms: 0 };
  const inProposals = async () => {
    for await (const { rows } of readProposals(proposals, node, {}, signal)) {
      searched.proposals += rows.length;
      onStep({ ...searched, foundProposals: rows.filter((row) => matcher.proposal(row)), foundCoins: [] });
    }
  };
  const inSupply = async () => {
    await supply.loadUnits().catch(() => undefined);
    for await (const { rows } of readSupply(supply, node, signal)) {
      searched.denoms += rows.length;
      onStep({ ...searched, foundProposals: [], foundCoins: rows.filter((coin) => matcher.coin(coin, unitOf)) });
    }
  };
  const ends = await Promise.allSettled([inProposals(), inSupply()]);
  const failures = ends.flatMap((end) => (end.status === 'rejected' && !isAbort(end.reason) ? [end.reason] : []));
  return { ...searched, failures };
}

/** Tells which rows hold a text. */
export interface Matcher {
  proposal(row: ProposalRow): boolean;
  coin(coin: Coin, unitOf: (denom: string) => DenomUnit | undefined): boolean;
}

/**
 * Looks for a text as it is typed, upper and lower case being the same: in the title, description and types of a proposal,
 * in the name and symbol of a denom. No pattern has a meaning.
 */
export function toMatcher(text: string): Matcher {
  const wanted = text.trim();
  // A pattern without copies: descriptions are long, and there are many.
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  const has = (part: string | undefined) => part !== undefined && pattern.test(part);
  return {
    proposal: (row) =>
      row.kind === 'proposal' &&
      (has(row.title) || row.contents.some(({ typeUrl }) => has(typeUrl)) || has(row.description)),
    coin: (coin, unitOf) => hasText(coin.denom, wanted, unitOf),
  };
}

/** What a typed text may mean; several at once, since `42` and `uatom` are words, too. */
export interface Query {
  /** A proposal's id: `42`, `#42`, or the address of its page or of its REST answer. */
  readonly id: bigint | undefined;
  /** A denom as the chain writes it. */
  readonly denom: string | undefined;
  /** What to look for in titles, descriptions, denoms and symbols; "" for an address of a page. */
  readonly text: string;
  /** Whether the text is the address of a page. */
  readonly isAddress: boolean;
}

/** Reads what somebody typed or pasted into Look Up…. Never throws. */
export function readQuery(typed: string): Query {
  const text = typed.trim();
  if (/^https?:\/\//i.test(text)) return { id: idOfPage(text), denom: undefined, text: '', isAddress: true };
  return { id: readId(text), denom: readDenom(text), text, isAddress: false };
}

/** `42`, `#42` → 42n; undefined for anything else. Ids are uint64 from 1 on (contract-facts section 3). */
export function readId(text: string): bigint | undefined {
  const digits = /^\s*#?(\d{1,20})\s*$/.exec(text)?.[1];
  if (!digits) return undefined;
  const id = BigInt(digits);
  return id > 0n && id < 2n ** 64n ? id : undefined;
}

/**
 * Which denoms are valid is the chain's word; a text without spaces that begins with a letter may be one (SDK
 * types/coin.go). The hash of `ibc/…` is upper case on every chain (ibc-go, transfer/types/trace.go).
 */
function readDenom(text: string): string | undefined {
  const hash = /^ibc\/([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hash) return `ibc/${hash.toUpperCase()}`;
  return /^[a-z]\S{0,127}$/i.test(text) ? text : undefined;
}

const parameter = /^(proposal_?id|proposal|prop_?id|id)$/i;
const section = /^(proposals?|props?|gov|governance|votes?|voting)$/i;

/**
 * The id in the address of a proposal's page, as explorers write them: `…/proposals/42`, `…/gov/42`, `…/proposal/42-title`,
 * `…#/proposals/42`, `…?proposal_id=42`; also of a node's REST answer.
 */
function idOfPage(address: string): bigint | undefined {
  const url = toUrl(address);
  if (!url) return undefined;
  const hash = url.hash.slice(1).split('?');
  for (const [name, value] of [...url.searchParams, ...new URLSearchParams(hash[1])]) {
    const id = parameter.test(name) ? readId(value) : undefined;
    if (id !== undefined) return id;
  }
  const parts = [...url.pathname.split('/'), ...(hash[0] ?? '').split('/')].filter((part) => part !== '');
  for (const [at, part] of parts.entries()) {
    const digits = /^(\d{1,20})(?:-.*)?$/.exec(part)?.[1];
    if (digits && section.test(parts[at - 1] ?? '')) return readId(digits);
  }
  return undefined;
}

function toUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
