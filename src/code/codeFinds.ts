import { type AddressFault, basePrefix, readBech32 } from '../chain/address.ts';
import type { DenomTrace } from '../chain/coin.ts';
import { ibcHashOf, readTrace } from './trace.ts';

/** A denom, path or address in a line of code. `start` and `end` are its columns. */
export type CodeFind = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'ibc'; readonly denom: string; readonly digits: string }
  | { readonly kind: 'trace'; readonly trace: DenomTrace }
  | { readonly kind: 'denom'; readonly denom: string }
  | { readonly kind: 'address'; readonly text: string; readonly address: CodeAddress }
  | { readonly kind: 'link'; readonly url: string }
);

/** An address, described by its prefix: of an account, a validator (`valoper`, `valcons`) or a key (`…pub`). */
export interface CodeAddress {
  /** The prefix of accounts, such as `cosmos` in `cosmosvaloper`. */
  readonly chainPrefix: string;
  readonly role: string;
  /** The fault that makes the address invalid. Undefined if its checksum is right. */
  readonly fault: AddressFault['kind'] | undefined;
}

/** Facts about chains that a search in code uses. */
export interface CodeKnowledge {
  /** Prefixes of account addresses in the chain registry. */
  readonly prefixes: ReadonlySet<string>;
  /** Whether the shown source has a denom, or the registry lists it for that chain. */
  readonly hasDenom: (denom: string) => boolean;
}

/**
 * The longest text that is recognized. People write no longer denoms, paths or addresses, and the rest of a line is not
 * read.
 */
const longest = 512;

/**
 * Characters that continue a word. A find may stand beside other ASCII characters only, so a letter of another alphabet
 * rules it out.
 */
const inside: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[\w/:.\-#?=&%+~@]/.test(String.fromCharCode(code)),
);
const border = /[\s"'`()[\]{}<>,;|!*$\\^]/;

/**
 * Finds the denom, path or address at a column of a line. Undefined if nothing is certain. Reads at most 512 characters
 * on each side.
 */
export function findInCode(line: string, column: number, knowledge: CodeKnowledge): CodeFind | undefined {
  const isInside = (at: number): boolean => inside[line.charCodeAt(at)] === true;
  if (!isInside(column)) return undefined;
  let start = column;
  let end = column;
  while (start > 0 && column - start <= longest && isInside(start - 1)) start -= 1;
  while (end < line.length && end - column <= longest && isInside(end)) end += 1;
  if (end - start > longest || !isBorder(line[start - 1]) || !isBorder(line[end])) return undefined;
  const isQuoted = /["'`]/.test(line[start - 1] ?? '') && line[end] === line[start - 1];
  return readWord(line.slice(start, end), start, { isQuoted, knowledge });
}

const isBorder = (character: string | undefined): boolean => character === undefined || border.test(character);

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

interface Surroundings {
  readonly isQuoted: boolean;
  readonly knowledge: CodeKnowledge;
}

function readWord(text: string, from: number, { isQuoted, knowledge }: Surroundings): CodeFind | undefined {
  if (text.startsWith('http') && /^https?:\/\//.test(text))
    return { kind: 'link', url: text, start: from, end: from + text.length };
  // Cuts `12` of `12uatom`, the colon behind a key, and the end of a sentence.
  let last = text.length;
  while (last > 0 && ':.=?'.includes(text[last - 1] ?? ' ')) last -= 1;
  let first = 0;
  while (first < last && isDigit(text.charCodeAt(first))) first += 1;
  const [amount, name] = [text.slice(0, first), text.slice(first, last)];
  const start = from + amount.length;
  const place = { start, end: start + name.length };
  const digits = name.startsWith('ibc/') ? ibcHashOf(name) : undefined;
  if (digits !== undefined && name === `ibc/${digits}`) return { kind: 'ibc', denom: name, digits, ...place };
  const trace = name.startsWith('transfer/channel-') ? readTrace(name) : undefined;
  if (trace) return { kind: 'trace', trace, ...place };
  const address = amount === '' ? readAddress(name, knowledge.prefixes) : undefined;
  if (address) return { kind: 'address', text: name, address, ...place };
  const isMarked = isQuoted || amount !== '' || /^factory\/[a-z\d]+\/./.test(name);
  return isMarked && knowledge.hasDenom(name) ? { kind: 'denom', denom: name, ...place } : undefined;
}

/** Reads 20 or 32 bytes behind a prefix of the registry. Any other text is of another network, or no address. */
function readAddress(text: string, prefixes: ReadonlySet<string>): CodeAddress | undefined {
  const whole = /^([a-z][a-z\d]{0,40})1(?:[02-9ac-hj-np-z]{38}|[02-9ac-hj-np-z]{58})$/.exec(text)?.[1];
  if (whole === undefined) return undefined;
  const chainPrefix = basePrefix(whole);
  if (!prefixes.has(chainPrefix)) return undefined;
  const read = readBech32(text);
  return { chainPrefix, role: whole.slice(chainPrefix.length), fault: 'kind' in read ? read.kind : undefined };
}

/** Texts that a terminal offers to open: denoms of IBC and of factories, and operator addresses. */
export type TerminalFind = Extract<CodeFind, { kind: 'ibc' | 'denom' | 'address' }>;

/** The longest line of a terminal that is read. */
const longestLine = 20_000;

/** Finds all such texts in a line of a terminal. `prefixes` as in `CodeKnowledge`. */
export function findInTerminal(line: string, prefixes: ReadonlySet<string>): readonly TerminalFind[] {
  if (line.length > longestLine || !/ibc\/|factory\/|valoper1/.test(line)) return [];
  const knowledge = { prefixes, hasDenom: isFactoryDenom };
  const found = Array.from(line.matchAll(/[\w/:.\-#?=&%+~@]+/g), ({ index }) => findInCode(line, index, knowledge));
  return found.filter((one) => one !== undefined).filter(isOfTerminal);
}

function isOfTerminal(found: CodeFind): found is TerminalFind {
  if (found.kind === 'address') return found.address.role === 'valoper' && found.address.fault === undefined;
  return found.kind === 'ibc' || found.kind === 'denom';
}

/** Whether a denom is `factory/{address}/{name}` of x/tokenfactory, with an address whose checksum is right. */
function isFactoryDenom(denom: string): boolean {
  const [, address = ''] = /^factory\/([a-z\d]{8,100})\/[\w/:.-]{1,64}$/.exec(denom) ?? [];
  return 'prefix' in readBech32(address);
}
