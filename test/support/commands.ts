// What `npm start`, `npm test` and `npm run …` do, by name; run.mjs comes here once the dependencies are in place.

import { build } from './build.ts';
import { start } from './commandStart.ts';
import { bench, check, packageExtension, serve, watch } from './commandsOfBuild.ts';
import { test, testHost, testUi, testUnit } from './commandTest.ts';

/** Resolves with the exit code. `stop` is aborted when the user wants an end; what was started is then to be ended. */
type Command = (args: readonly string[], stop: AbortSignal) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
  start,
  test: (_args, stop) => test({ full: false, stop }),
  'test:full': (_args, stop) => test({ full: true, stop }),
  'test:unit': testUnit,
  'test:host': testHost,
  'test:ui': testUi,
  'test:node': async (args, stop) => (await import('../node/run.ts')).testNode(args, stop),
  check,
  build: async (args) => {
    await build({ production: args.includes('--production') });
    return 0;
  },
  watch,
  package: packageExtension,
  bench,
  serve,
};

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) {
  console.error(`There is no command "${name}"; there are ${Object.keys(commands).join(', ')}.`);
  process.exit(2);
}
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
try {
  process.exit(await command(args, stopping.signal));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
