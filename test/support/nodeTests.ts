// The runner of one level of tests in plain Node: `node nodeTests.ts RESULTS FILE…`.
import { runMocha } from './mochaRun.ts';

// What tests started is ended, and their folders removed, when this process exits, not when a signal ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const [results = '', ...files] = process.argv.slice(2);
const { failed } = await runMocha(files, results, 'import');
process.exitCode = failed > 0 ? 1 : 0;
// Tests leave nothing running. A process that does not end by itself now is told of, and fails.
setTimeout(() => {
  console.error(`The tests are done, but something is still open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, 15_000).unref();
