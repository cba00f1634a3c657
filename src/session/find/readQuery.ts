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
