import { join } from 'node:path';
import { build } from './build.ts';
import { projectFolder } from './folders.ts';
import { foreground } from './processes.ts';

const cwd = projectFolder;

/** `npm run check`: types of the extension and of its page, format and lint. All are told, not only the first. */
export async function check(_args: readonly string[], stop: AbortSignal): Promise<number> {
  const codes = [
    await foreground('tsc', ['-p', '.'], stop, { cwd }),
    await foreground('tsc', ['-p', 'media'], stop, { cwd }),
    await foreground('biome', ['check', '--error-on-warnings'], stop, { cwd }),
  ];
  return Math.max(...codes);
}

/** `npm run watch`: builds again with every change. */
export async function watch(_args: readonly string[], stop: AbortSignal): Promise<number> {
  return foreground(process.execPath, ['esbuild.mjs', '--watch'], stop, { cwd });
}

/** `npm run package`: the small build, packed into a `.vsix` at the top of the project (or `--out FILE`). */
export async function packageExtension(args: readonly string[], stop: AbortSignal): Promise<number> {
  await build({ production: true });
  const packing = ['package', '--no-dependencies', '--no-rewrite-relative-links', ...args];
  return foreground('vsce', packing, stop, { cwd });
}

/** `npm run serve -- FILE [--port N]`: the embedded service from the command line; prints the service's lines only. Runs from source. */
export async function serve(args: readonly string[], stop: AbortSignal): Promise<number> {
  // A relative path is meant from where the command was typed; npm itself goes to the top of the project.
  const typedIn = process.env.npm_lifecycle_event === undefined ? process.cwd() : process.env.INIT_CWD;
  return foreground(process.execPath, [join(cwd, 'src/service/serve.ts'), ...args], stop, { cwd: typedIn ?? cwd });
}

/** `npm run bench [-- NAME…]`: the measurements of test/bench whose file names contain one of the names; of the code that users install. */
export async function bench(args: readonly string[], stop: AbortSignal): Promise<number> {
  await build({ production: true });
  return foreground(process.execPath, ['test/bench/run.ts', ...args], stop, { cwd });
}
