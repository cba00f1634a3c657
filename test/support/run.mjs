#!/usr/bin/env node
// The first process of every npm script. It needs only Node 20 and npm. It installs the dependencies if needed, and
// continues on Node 24 of `node_modules` (the package `node`), whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(root, 'node_modules');
const nodePackage = join(modules, 'node');
const nodeBinary = join(nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * Runs a program to its end, and returns whether it succeeded. Its output goes to stderr, since stdout belongs to the
 * script.
 */
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

/**
 * npm writes `.package-lock.json` last. The file is missing after a partial install, and too old after a change of the
 * lock file.
 */
function dependenciesAreInstalled() {
  const installed = join(modules, '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/**
 * The process id of npm. It starts us through a shell, which survives if npm is killed. Undefined if there is no npm.
 */
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

// `npm ci` refuses a lock file without optional packages for other platforms, and the registry may not have had them
// when it was written. `npm install` installs the same locked versions.
if (!dependenciesAreInstalled()) {
  console.error('Installing the dependencies…');
  if (!npmRuns(['ci'], true) && !npmRuns(['install', '--no-save'])) giveUp('`npm install`');
}
// An install script puts the binary in place, and some machines block install scripts.
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

// A signal may reach only this process, and the caller may end without a signal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
const parent = process.ppid;
const npm = npmOver(parent);
setInterval(() => (process.ppid !== parent || isGone(npm)) && child.kill('SIGTERM'), 1000).unref();

child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
