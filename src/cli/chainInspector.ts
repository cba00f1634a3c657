#!/usr/bin/env node
// The build writes this file for old versions of Node, too. Everything else is loaded once the version is known.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) void start();
else {
  process.stderr.write(`chain-inspector requires Node 22.19 or later. This is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
}

async function start(): Promise<void> {
  if (!import.meta.dirname) await cacheCompiledCode();
  const { main } = await import('./commandLine.ts');
  await main();
}

/**
 * Lets Node keep the compiled code of the files that it loads from now on. Without a cache, half of a short run would
 * be compiling. The folder is the user's own, because code in it is run.
 */
async function cacheCompiledCode(): Promise<void> {
  const { enableCompileCache } = await import('node:module');
  const { homedir } = await import('node:os');
  const { join } = await import('node:path');
  enableCompileCache(join(homedir(), '.cache', 'chain-inspector', 'compiled'));
}
