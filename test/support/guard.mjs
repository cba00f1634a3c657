// `node guard.mjs input|none COMMAND ARGS…` runs a command and, when whoever started us is gone, in whatever way (our standard
// input closes then), ends it and all that it started: the guard leads a process group of its own.
import { spawn } from 'node:child_process';

const [input, command, ...args] = process.argv.slice(2);
// Our own standard input is the line to whoever started us; that of the command is the third descriptor behind it.
const child = spawn(command, args, { stdio: [input === 'input' ? 3 : 'ignore', 'inherit', 'inherit'] });

function endAll() {
  if (process.platform === 'win32') child.kill();
  else process.kill(-process.pid, 'SIGKILL');
  process.exit(1);
}

process.stdin.on('close', endAll).resume();
// The group gets these signals, so the command has them already; it is given its time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
