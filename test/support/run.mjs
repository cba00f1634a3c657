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

/** Runs to the end, and gives whether that went well, with its output on stderr (stdout is for the script's own). */
function runs(command, args, cwd, quiet = false) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', quiet ? 'ignore' : 2, quiet ? 'ignore' : 2],
  });
  return error === undefined && status === 0;
}

function npmRuns(args, quiet) {
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  if (cli && existsSync(cli)) return runs(process.execPath, [cli, ...args, ...options], root, quiet);
  return runs('npm', [...args, ...options], root, quiet);
}

function giveUp(what) {
  console.error(`${what} failed in ${root}; what npm says is above.`);
  process.exit(1);
}

/** npm writes `.package-lock.json` last: it is absent after half an install, and older after a change of the lock file. */
function dependenciesAreInstalled() {
  const installed = join(modules, '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** npm starts us through a shell, which stays when npm is killed: npm's process id; undefined where that is not so. */
function npmOver(shell) {
  if (!process.env.npm_lifecycle_event) return undefined;
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(shell)], { encoding: 'utf8' });
  return /^\s*(\d+) \S*sh\s*$/.exec(stdout ?? '')?.[1];
}

function isGone(pid) {
  try {
    return pid !== undefined && !process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

// `npm ci` refuses a lock file without the optional parts for other platforms, which a registry may not have had when it
// was written; `npm install` takes the same locked versions.
if (!dependenciesAreInstalled()) {
  console.error('Installing the dependencies…');
  if (!npmRuns(['ci'], true) && !npmRuns(['install', '--no-save'])) giveUp('`npm install`');
}
// The binary is put in place by an install script, which some machines block.
if (!existsSync(nodeBinary) && !runs(process.execPath, ['installArchSpecificPackage'], nodePackage)) {
  giveUp('The installation of Node 24');
}

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
const npm = npmOver(parent);
setInterval(() => (process.ppid !== parent || isGone(npm)) && child.kill('SIGTERM'), 1000).unref();

child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
