import { build } from 'esbuild';

/** Writes a source file of this folder as the extension host loads it: a CommonJS module of its own. */
export async function bundleForHost(file: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    logLevel: 'warning',
  });
}
