import { type Command, readArguments, usageOf } from './cliCommand.ts';

const endpoint = ['--endpoint URL', 'REST address of a node of the chain'] as const;
const state = ['--state FILE', 'a genesis or exported state (.json or .json.gz)'] as const;
const headerEnv = [
  '--header-env NAME=VAR',
  'sends the header NAME to the endpoint, with the value of the environment variable VAR',
] as const;

/** The commands of `chain-inspector`, by name. What they need is loaded when they run. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'check',
    {
      summary: 'checks drafts of proposals',
      form: 'FILE… --endpoint URL | --state FILE',
      about: `Checks drafts of governance proposals against a chain. docs/drafts.md explains each finding. Nothing is sent but questions for
parameters, and no draft leaves this machine.`,
      options: [
        endpoint,
        state,
        headerEnv,
        ['--format F', 'text (default) or json: a list of {file, line, column, severity, code, message}'],
      ],
      exitCodes: '0 no errors, 1 errors found, 2 a file could not be checked',
      failed: 2,
      run: async (given, signal) => (await import('./checkCommand.ts')).check(given, signal),
    },
  ],
  [
    'serve',
    {
      summary: 'serves a state file as REST on this machine',
      form: 'FILE',
      about: `Serves a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain as read-only REST on 127.0.0.1.
FILE is never written to, and nothing leaves this machine. The address that is printed answers with a list of paths.`,
      options: [['--port N', 'the port to listen on; 0 or none = a free one']],
      exitCodes: '0 stopped, 1 not served: a sentence says why',
      failed: 1,
      run: async (given, signal) => (await import('./serveCommand.ts')).serve(given, signal),
    },
  ],
  [
    'export',
    {
      summary: 'writes the tables of a state file',
      form: 'STATE --to DIR',
      about: `Writes the tables of a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain into a folder, with a
manifest.json beside them. The columns are described in docs/tables.md.`,
      options: [
        ['--to DIR', 'the folder; it is made where it is missing'],
        ['--format F', 'parquet (default) or ndjson'],
        [
          '--tables N,…',
          `only these: supply, supply_split, denom_metadata, balances, delegations, unbonding_delegations,
validators, proposals, proposal_messages, deposits, votes, params`,
        ],
        ['--force', 'replace the tables in a folder that holds files'],
      ],
      exitCodes: '0 written, 1 nothing was written: a sentence says why',
      failed: 1,
      run: async (given, signal) => (await import('./exportCommand.ts')).exportState(given, signal),
    },
  ],
]);

const usage = `Usage: chain-inspector COMMAND …

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`).join('\n')}

chain-inspector COMMAND --help says more about each.
`;

/** Runs the command line of this process, and sets the exit code. What goes wrong is a sentence on stderr. */
export async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2);
  // What reads the output may end first (`| head`).
  process.stdout.on('error', () => undefined);
  const command = commands.get(name);
  if (command) process.exitCode = await runCommand(name, command, args);
  else if (name === '--help' || name === 'help') process.stdout.write(usage);
  else {
    process.stderr.write(name === '' ? usage : `There is no command ${name}.\n\n${usage}`);
    process.exitCode = 64;
  }
}

async function runCommand(name: string, command: Command, args: readonly string[]): Promise<number> {
  const stopping = new AbortController();
  // The second signal ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error('Stopped')));
  try {
    const given = readArguments(args, command);
    if (!given.values.help) return await command.run(given, stopping.signal);
    process.stdout.write(usageOf(name, command));
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isUsage = error instanceof Error && error.name === 'UsageError';
    process.stderr.write(isUsage ? `${reason}\n\n${usageOf(name, command)}` : `${reason}\n`);
    return isUsage ? 64 : command.failed;
  }
}
