import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startEditor } from '../support/editor.ts';
import { projectFolder, startFolder } from '../support/folders.ts';
import { galleryCases, stateOf } from '../ui/gallery/galleryState.ts';
import { bundleForHost } from './hostBundle.ts';
import { median, type Row } from './row.ts';

const plain = 'ParameterChangeProposal PASSED';
const others = { 'long description': 'a long description', '1 MiB content': 'a mebibyte of byte code' };

interface Measured {
  readonly times: Readonly<Record<string, readonly number[]>>;
  readonly delay: Readonly<Record<string, number>>;
}

/** The time of a proposal panel from the data in the host until its page has drawn, beside the least that a panel takes. */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const runs = isSmallest ? 1 : 10;
  const { times, delay } = await measure(runs);
  const of = (name: string) => median(times[name] ?? []);
  const sizes = ['proposal.js', 'proposal.css'].map((name) => statSync(join(projectFolder, 'dist', name)).size);
  return [
    {
      name: `first panel, ${runs} runs`,
      value: of('own'),
      baseline: of('trivial'),
      unit: 'ms',
      target: { of: 'difference', atMost: 100 },
    },
    { name: 'panel that is open', value: of('open'), unit: 'ms', target: { of: 'value', atMost: 100 } },
    ...Object.keys(others).flatMap((name): Row[] => [
      { name: `open panel, ${name}`, value: of(name), unit: 'ms' },
      { name: `longest block of the host, ${name}`, value: delay[name] ?? Number.NaN, unit: 'ms' },
    ]),
    {
      name: 'page script and style',
      value: sizes.reduce((sum, size) => sum + size, 0) / 1000,
      unit: 'kB',
      target: { of: 'value', atMost: 150 },
    },
  ];
}

async function measure(runs: number): Promise<Measured> {
  const folder = startFolder('bench-panel');
  try {
    const cases = galleryCases();
    const file = join(folder.path, 'state.json');
    writeFileSync(file, stateOf(cases));
    const idOf = (name: string) => cases.find((one) => one.name === name)?.id;
    const ids = Object.fromEntries(Object.entries(others).map(([key, name]) => [key, idOf(name)]));
    const lines: string[] = [];
    const testsPath = join(folder.path, 'panelTimes.cjs');
    await bundleForHost(join(import.meta.dirname, 'panelTimes.ts'), testsPath);
    const editor = await startEditor({
      alone: true,
      testsPath,
      env: {
        PANEL_BENCH: JSON.stringify({ baseUrl: pathToFileURL(file).href, runs, plain: idOf(plain), others: ids }),
      },
      onLog: (line) => lines.push(line),
    });
    try {
      const code = await editor.exited;
      const found = lines.find((line) => line.includes('PANEL_BENCH {'));
      if (code !== 0 || found === undefined) throw new Error(`The panel was not measured: ${lines.join('\n')}`);
      return JSON.parse(found.slice(found.indexOf('{')));
    } finally {
      await editor.dispose();
    }
  } finally {
    folder.dispose();
  }
}
