/** What to do with a value: enter it as an object or a list, or keep its bytes. Whatever is not wanted is skipped unparsed. */
export type Want = ObjectWant | ListWant | ValueWant;

export interface ObjectWant {
  readonly kind: 'object';
  member(key: string): Want | undefined;
  end?(): void;
}

/** Takes one whole element: `bytes[start, end)` is its JSON, valid during the call only. Throws `MisfitError` to refuse it. */
export type Take = (bytes: Buffer, start: number, end: number, index: number) => void;

export interface ListWant {
  readonly kind: 'list';
  readonly element: Take;
  /** Tries to take the element that starts at `start` at once. Returns the index after it, or -1 to have it read as usual. */
  quick?(bytes: Buffer, start: number, end: number): number;
  /** Asked before each element: whether it and all after it may be skipped. */
  isEnough?(): boolean;
  end?(): void;
}

export interface ValueWant {
  readonly kind: 'value';
  readonly value: Take;
}
