// Builds dist/simd.wasm of src/service/wasm, where it is older than its sources.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = join(root, 'src/service/wasm');
const target = join(root, 'dist/simd.wasm');
/** Of 64 KiB; the layout is in the sources. Pages that are never used take no memory. */
const pages = 832;

export async function buildWasm() {
  const files = readdirSync(sources).map((name) => join(sources, name));
  const built = statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if ([...files, fileURLToPath(import.meta.url)].every((file) => statSync(file).mtimeMs < built)) return;
  mkdirSync(join(root, 'dist'), { recursive: true });
  const { main } = await import('assemblyscript/asc');
  const memory = ['--initialMemory', `${pages}`, '--maximumMemory', `${pages}`];
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
