import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chainData } from '../fixtures/chainData.ts';
import { projectFolder, sampleFile, startFolder } from '../support/folders.ts';
import { median, type Row } from './row.ts';

const tools = ['get_supply', 'list_proposals'] as const;
const recorded = ['akashnet-2-testnet-2.json.gz', 'bitsong-testnet-6.json'];

/** One start: milliseconds until the answer came, and milliseconds of processor time of all threads until then. */
interface Start {
  readonly wall: number;
  readonly cpu: number | undefined;
}

/**
 * `chain-inspector mcp` from its start to the first answer, over the sample chain and, where recorded data is at hand,
 * two states. `BASELINE` names the folder of another build (`dist/commandLine.cjs`), which is measured by turns with ours.
 */
export async function bench(isSmallest: boolean): Promise<readonly Row[]> {
  const folder = startFolder('start');
  const builds = [projectFolder, process.env.BASELINE].filter((build) => build !== undefined);
  const home = join(folder.path, 'home');
  try {
    const rows: Row[] = [];
    for (const [name, file] of isSmallest ? [['sample chain', sampleFile] as const] : states(folder.path))
      for (const tool of isSmallest ? tools.slice(0, 1) : tools) {
        const starts = await byTurns(isSmallest ? 1 : 20, builds, (build) => firstAnswer(build, home, file, tool));
        rows.push(...rowsOf(`${tool} of the ${name}`, starts));
      }
    return rows;
  } finally {
    folder.dispose();
  }
}

/** The names of states and their files, unpacked, since users unpack what they look at more than once. */
function states(folder: string): readonly (readonly [name: string, file: string])[] {
  const data = chainData();
  const files = (data ? recorded : []).map((name) => {
    const file = join(folder, name.replace(/\.gz$/, ''));
    writeFileSync(file, data?.text(`states/${name}`) ?? '');
    return [name.replace(/\..*/, ''), file] as const;
  });
  return [['sample chain', sampleFile], ...files];
}

/** Starts each build in turn. The first start of each writes its compiled code and does not count. */
async function byTurns(
  rounds: number,
  builds: readonly string[],
  start: (build: string) => Promise<Start>,
): Promise<readonly (readonly Start[])[]> {
  for (const build of builds) await start(build);
  const starts: Start[][] = [];
  for (let round = 0; round < rounds; round++) {
    const own = new Map<string, Start>();
    // The order changes, since a start may meet what the one before has left.
    for (const build of round % 2 === 0 ? builds : builds.toReversed()) own.set(build, await start(build));
    starts.push(builds.flatMap((build) => own.get(build) ?? []));
  }
  return starts;
}

function rowsOf(name: string, starts: readonly (readonly Start[])[]): readonly Row[] {
  return (['wall', 'cpu'] as const).flatMap((figure): Row[] => {
    const [ours = [], others = []] = [0, 1].map((build) => starts.flatMap((turn) => turn[build]?.[figure] ?? []));
    if (ours.length === 0) return [];
    const row = { name: `${name}, ${figure}`, unit: 'ms', value: median(ours) } as const;
    return others.length === 0
      ? [row]
      : [{ ...row, baseline: median(others), target: { of: 'ratio', atMost: 1 } as const }];
  });
}

async function firstAnswer(build: string, home: string, file: string, tool: string): Promise<Start> {
  const begun = performance.now();
  const args = [join(build, 'dist/commandLine.cjs'), 'mcp', ...(file === sampleFile ? [] : ['--state', file])];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const clientInfo = { name: 'bench', version: '1' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  for (const message of [
    { id: 1, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: tool, arguments: {} } },
  ])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  try {
    for await (const line of createInterface(child.stdout)) {
      const { id, result } = JSON.parse(line);
      if (id === 2 && (result === undefined || result.isError)) throw new Error(line);
      if (id === 2) return { wall: performance.now() - begun, cpu: processorTime(child) };
    }
    throw new Error(`${build} gave no answer`);
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** Milliseconds that all threads of a process ran. Only Linux tells them while it runs; a thread may end at any time. */
function processorTime({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder).map((thread) => {
    try {
      return Number(readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ', 1)[0]);
    } catch {
      return 0;
    }
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}
