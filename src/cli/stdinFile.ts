import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliCommand, fileAddress, type Given, stdinOperand, UsageError } from './cliCommand.ts';

/**
 * Runs a command. If it reads a state from stdin, stdin is copied to a file that exists until the command ends, because
 * states are read more than once. Throws `UsageError` if stdin would be read twice.
 */
export async function runWithStdin(command: CliCommand, given: Given, signal: AbortSignal): Promise<number> {
  const isStdin = (operand: string): boolean => operand === stdinOperand;
  const operands = given.operands.filter(isStdin).length;
  const states = given.addresses.filter(isStdin).length + (command.hasStateOperands ? operands : 0);
  if (states === 0) return command.run(given, signal);
  if (command.isServer) throw new UsageError('A server cannot read a state from stdin.');
  if (states > 1 || (operands > 0 && !command.hasStateOperands)) throw new UsageError('stdin can be read only once.');
  // Loaded when needed: few commands read stdin, and each waits for what is loaded before.
  const { pipeline } = await import('node:stream/promises');
  const folder = await mkdtemp(join(tmpdir(), 'chain-inspector-'));
  try {
    const file = join(folder, 'stdin');
    await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }), { signal });
    const addresses = given.addresses.map((one) => (isStdin(one) ? fileAddress(file) : one));
    const named = given.operands.map((one) => (isStdin(one) ? file : one));
    return await command.run(
      { ...given, addresses, operands: command.hasStateOperands ? named : given.operands },
      signal,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
