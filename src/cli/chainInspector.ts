import { checkCommand } from './checkCommand.ts';
import { type Command, UsageError } from './cliCommand.ts';

/** The commands of `chain-inspector`, by name. */
const commands: ReadonlyMap<string, Command> = new Map([['check', checkCommand]]);

const usage = `Usage: chain-inspector COMMAND …

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`).join('\n')}

chain-inspector COMMAND --help says more about each.
`;

/** Runs the command that is named first. Gives the exit code; what goes wrong is a sentence on stderr. */
async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const command = commands.get(name);
  if (!command) {
    const isHelp = name === '--help' || name === 'help';
    (isHelp ? process.stdout : process.stderr).write(
      isHelp || name === '' ? usage : `There is no command ${name}.\n\n${usage}`,
    );
    return isHelp ? 0 : 64;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    return await command.run(args, stopping.signal);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof UsageError ? `${reason}\n\n${command.usage}` : `${reason}\n`);
    return error instanceof UsageError ? 64 : 2;
  }
}

// What reads the output may end first (`| head`).
process.stdout.on('error', () => undefined);
process.exitCode = await main(process.argv.slice(2));
