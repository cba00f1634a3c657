import { statSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, startFolder } from '../support/folders.ts';
import { runProcess } from '../support/processes.ts';
import { measureClickedStarts, measureStarts, type Start } from './editorStarts.ts';
import { median, type Row } from './row.ts';

/** The packaged extension and a trivial one in the same editor: what activation and the first rows take, and sizes. */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const [runs, clickedRuns] = isSmallest ? [1, 1] : [10, 5];
  const folder = startFolder('bench');
  try {
    const vsix = join(folder.path, 'extension.vsix');
    await runProcess('vsce', ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', vsix], {
      cwd: projectFolder,
    });
    const starts = await measureStarts(vsix, join(folder.path, 'trivial'), runs);
    const clicked = await measureClickedStarts(join(folder.path, 'clicked'), clickedRuns);
    const of = (figure: (start: Start) => number) => median(starts.map(figure));
    const ms = (name: string, own: (start: Start) => number, floor: (start: Start) => number) => ({
      name: `${name}, ${runs} runs`,
      value: of(own),
      baseline: of(floor),
      unit: 'ms' as const,
    });
    const over = (atMost: number) => ({ target: { of: 'difference' as const, atMost } });
    return [
      {
        name: `load and activate on a click, ${clickedRuns} runs`,
        value: median(clicked),
        unit: 'ms',
        target: { of: 'value', atMost: 10 },
      },
      {
        // All that starts with the window is loaded one after the other, and the editor counts the waiting too.
        ...ms(
          'load and activate with the window',
          (run) => run.own.activation,
          (run) => run.trivial.activation,
        ),
        ...over(7),
      },
      {
        ...ms(
          'icon click to any row',
          (run) => run.own.anyRow,
          (run) => run.trivial.anyRow,
        ),
        ...over(90),
      },
      ms(
        'icon click to the groups of proposals',
        (run) => run.own.groups,
        (run) => run.trivial.groups,
      ),
      {
        // First rows are those of the supply, which the service answers in the extension host.
        ...ms(
          'icon click to first rows',
          (run) => run.own.data,
          (run) => run.trivial.data,
        ),
        ...over(100),
      },
      {
        ...ms(
          'the same, again',
          (run) => run.own.again,
          (run) => run.trivial.again,
        ),
        ...over(30),
      },
      {
        name: 'code loaded at activation',
        value: sum(['extension', 'app'].map((part) => statSync(join(projectFolder, `dist/${part}.cjs`)).size)) / 1000,
        unit: 'kB',
        target: { of: 'value', atMost: 62 },
      },
      {
        name: 'packaged extension',
        value: statSync(vsix).size / 1_000_000,
        unit: 'MB',
        target: { of: 'value', atMost: 1.1 },
      },
    ];
  } finally {
    folder.dispose();
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
