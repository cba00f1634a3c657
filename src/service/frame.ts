import type { ListWant, ObjectWant, ValueWant } from './want.ts';

/** An object or a list that was entered, and how far it has been read. */
export interface Frame {
  readonly want: ObjectWant | ListWant;
  /** Of a list. */
  readonly element: ValueWant | undefined;
  /** Of an object: the members that it has had. */
  readonly keys: Set<string> | undefined;
  /** Member name, or "" before the first. */
  key: string;
  index: number;
  phase: 'first' | 'item' | 'colon' | 'value' | 'next';
}

/** A frame before its first member or element. */
export function toFrame(want: ObjectWant | ListWant): Frame {
  const isList = want.kind === 'list';
  return {
    want,
    element: isList ? { kind: 'value', value: want.element } : undefined,
    keys: isList ? undefined : new Set(),
    key: '',
    index: -1,
    phase: 'first',
  };
}

/** Where reading stands, the outermost frame first: `app_state.gov.proposals[41]`. */
export function pathOf(frames: readonly Frame[]): string {
  let path = '';
  for (const frame of frames) {
    if (frame.want.kind === 'list') path += `[${frame.index}]`;
    else if (frame.key) path += `${path ? '.' : ''}${frame.key}`;
  }
  return path;
}

/**
 * Takes elements from `from` on at once, as long as they stand in a row. Returns where the last one ends, or, after the
 * comma that follows it, where the first one begins that has to be read as usual.
 */
export function takeQuickly(frame: Frame, quick: NonNullable<ListWant['quick']>, chunk: Buffer, from: number): number {
  const last = chunk.length - 1;
  let at = from;
  for (;;) {
    const end = quick(chunk, at, chunk.length);
    if (end < 0) return at;
    if (end >= last || chunk[end] !== 0x2c || chunk[end + 1] !== 0x7b) return end;
    at = end + 1;
    frame.index++;
  }
}
