// Builds dist/simd.wasm of src/service/wasm, where it is older than its sources.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryPages } from '../scan/simdLayout.ts';
import { writeSimdLayout } from '../scan/writeSimdLayout.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = join(root, 'src/service/wasm');
const target = join(root, 'dist/simd.wasm');
export async function buildWasm() {
  const tables = ['simdLayout.ts', 'writeSimdLayout.ts'].map((name) => join(sources, '../scan', name));
  const files = [...tables, ...readdirSync(sources).map((name) => join(sources, name))];
  const built = statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if ([...files, fileURLToPath(import.meta.url)].every((file) => statSync(file).mtimeMs < built)) return;
  writeSimdLayout(join(root, 'dist'));
  const { main } = await import('assemblyscript/asc');
  const memory = ['--initialMemory', `${memoryPages}`, '--maximumMemory', `${memoryPages}`];
  const size = ['--runtime', 'stub', '--noAssert', '-O3'];
  const options = [
    '--baseDir',
    root,
    '--outFile',
    target,
    '--enable',
    'simd',
    '--disableWarning',
    '112',
    '--disableWarning',
    '201',
  ];
  const { error, stderr } = await main([join(sources, 'plainRows.ts'), ...options, ...memory, ...size]);
  if (error) throw new Error(`${stderr}`, { cause: error });
}
