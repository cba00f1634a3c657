// The runner of one level of tests in plain Node: `node nodeTests.ts RESULTS FILE…`.
import { runMocha } from './mochaRun.ts';

const [results = '', ...files] = process.argv.slice(2);
const { failed } = await runMocha(files, results, 'import');
process.exitCode = failed > 0 ? 1 : 0;
// Tests leave nothing running. A process that does not end by itself now is told of, and fails.
setTimeout(() => {
  console.error(`The tests are done, but something is still open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, 15_000).unref();
