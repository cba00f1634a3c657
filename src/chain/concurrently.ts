/** `work` on items in order, `atOnce` at a time. After a failure none is begun; rejects when what was begun ended. */
export async function concurrently<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // A loop that throws closes the generator for the others.
  const queue = (function* () {
    yield* items;
  })();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const worked of ended) if (worked.status === 'rejected') throw worked.reason;
}
