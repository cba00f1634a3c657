// `node guard.mjs input|none COMMAND ARGS…` runs a command, and ends it with everything it started when the caller is
// gone. Our standard input closes then. The guard leads a process group of its own.
import { spawn } from 'node:child_process';

const [input, command, ...args] = process.argv.slice(2);
// Our standard input is the line to the caller. That of the command is the third descriptor.
const child = spawn(command, args, { stdio: [input === 'input' ? 3 : 'ignore', 'inherit', 'inherit'] });

function endAll() {
  if (process.platform === 'win32') child.kill();
  else process.kill(-process.pid, 'SIGKILL');
  process.exit(1);
}

process.stdin.on('close', endAll).resume();
// The whole group gets these signals, so the command has them already and gets time to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
