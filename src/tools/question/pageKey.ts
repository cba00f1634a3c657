import { type Fields, isFields } from '../../chain/fields.ts';

/** The reason why a key cannot be used. `form`: it is none of ours. `question`: it belongs to another question. */
export type KeyFault = 'form' | 'question';

/**
 * The parts of a question that its keys are bound to: the tool, its sources and the input that selects and orders its
 * rows.
 */
export interface KeyOwner {
  readonly tool: string;
  readonly sources: readonly string[];
  readonly input: Fields;
}

/** Members of an input that neither select nor order rows. */
const ofPages = ['key', 'limit', 'fields', 'source', 'left', 'right'];

/** Gives a place in a list as a key for clients: its text, bound to the question. */
export function sealKey(owner: KeyOwner, place: string): string {
  return `${sealOf(owner, place)}.${Buffer.from(place).toString('base64url')}`;
}

/** Gives the place of a key that `sealKey` made for the same question. */
export function openKey(owner: KeyOwner, key: string): { readonly place: string } | KeyFault {
  const [whole, seal, text = ''] = /^([0-9a-f]{16})\.([\w-]{1,30000})$/.exec(key) ?? [];
  if (whole === undefined) return 'form';
  const place = Buffer.from(text, 'base64url').toString();
  return seal === sealOf(owner, place) ? { place } : 'question';
}

function sealOf({ tool, sources, input }: KeyOwner, place: string): string {
  const chosen = Object.entries(input).filter(([name]) => !ofPages.includes(name));
  const sorted = chosen.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([tool, sources, sorted, place]);
  return checksumOf(text, 0x811c9dc5) + checksumOf(text, 0x9747b28c);
}

/** Gives FNV-1a in 8 hexadecimal digits. It finds keys that were mixed up, not forged ones. */
function checksumOf(text: string, start: number): string {
  let sum = start;
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}

/** Gives the answer with its `next_key` in the form for clients. */
export function withSealedKey(answer: Fields, owner: KeyOwner): Fields {
  const { metadata } = answer;
  if (!isFields(metadata) || typeof metadata.next_key !== 'string') return answer;
  return { ...answer, metadata: { ...metadata, next_key: sealKey(owner, metadata.next_key) } };
}
