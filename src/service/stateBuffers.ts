import type { State } from './state.ts';

/** All buffers of `parts`, to be handed to another thread instead of copied. */
export function buffersOf(parts: Partial<State>): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner);
  };
  visit(parts);
  return [...found];
}
