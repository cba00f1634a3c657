import { availableParallelism } from 'node:os';

/** Each editor keeps about one processor busy; more of them than that would only wait for each other. */
const most = Math.min(2, availableParallelism());

/** Runs all of them, two at a time and begun in order, and gives their results in order. Rejects when one does. */
export async function atOnce<T>(runs: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const results: T[] = [];
  const waiting = [...runs.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await next[1]();
  };
  await Promise.all(Array.from({ length: most }, work));
  return results;
}
