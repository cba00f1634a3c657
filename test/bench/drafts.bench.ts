import { parseTree } from 'jsonc-parser';
import { checkDraft } from '../../src/draft/checkDraft.ts';
import { facts, largeDrafts } from '../unit/draft/exampleDrafts.ts';
import { median, type Row } from './row.ts';

/** A draft of 100 kB: the checks, over its parser, as processor time, which other processes on the machine do not change. */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  return Object.entries(largeDrafts()).map(([name, text]) => {
    const check = () => checkDraft(text, facts);
    const parse = () => parseTree(text);
    for (let warming = 0; warming < (isSmallest ? 0 : 20); warming++) [check(), parse()];
    const rounds = Array.from({ length: isSmallest ? 1 : 25 }, () => ({
      check: millisecondsOf(check),
      parse: millisecondsOf(parse),
    }));
    return {
      name: `draft of ${Math.round(text.length / 1000)} kB, ${name}`,
      value: median(rounds.map((round) => round.check)),
      baseline: median(rounds.map((round) => round.parse)),
      unit: 'ms',
      target: { of: 'value', atMost: 15 },
    };
  });
}

/** Milliseconds of one run. Several are measured at once, since clocks have steps of milliseconds. */
function millisecondsOf(work: () => unknown): number {
  const runs = 5;
  const start = process.threadCpuUsage();
  for (let run = 0; run < runs; run++) work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000 / runs;
}
