#!/usr/bin/env node
// The first process of every npm script. It needs nothing but Node 20 and npm: it sees to it that the dependencies are
// installed, then hands over to Node 24 of `node_modules` (the package `node`), whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(root, 'node_modules');
const nodePackage = join(modules, 'node');
const nodeBinary = join(nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Runs to the end with its output on stderr, so that what a script prints on stdout is the script's own. */
function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (error || status !== 0) {
    console.error(`\`${[command, ...args].join(' ')}\` failed in ${cwd}${error ? `: ${error.message}` : ''}.`);
    process.exit(1);
  }
}

function npm(args) {
  const cli = process.env.npm_execpath;
  if (cli && existsSync(cli)) run(process.execPath, [cli, ...args], root);
  else run('npm', args, root);
}

/** npm writes `.package-lock.json` last: it is absent after half an install, and older after a change of the lock file. */
function dependenciesAreInstalled() {
  const installed = join(modules, '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

if (!dependenciesAreInstalled()) npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
// The binary is put in place by an install script, which some machines block.
if (!existsSync(nodeBinary)) run(process.execPath, ['installArchSpecificPackage'], nodePackage);

const path = [join(modules, '.bin'), process.env.PATH].join(delimiter);
const commands = join(root, 'test', 'support', 'commands.ts');
const child = spawn(nodeBinary, [commands, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
});

// A signal may come to this process alone; and whoever started it may be gone without a word.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000).unref();

child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
