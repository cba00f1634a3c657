import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../api/errors.ts';
import { type Command, readArguments, usageOf } from './cliCommand.ts';
import { printErrors, printLines } from './terminal.ts';

const endpoint = ['--endpoint URL', 'REST address of a node of the chain'] as const;
const state = ['--state FILE', 'a genesis or exported state (.json or .json.gz)'] as const;
const headerEnv = [
  '--header-env NAME=VAR',
  'sends the header NAME to the endpoint, with the value of the environment variable VAR',
] as const;

const height = ['--height N', 'as it was after this block; goes with --endpoint'] as const;
const json = ['--json', 'the answer as JSON, the same that agents get'] as const;
const paged = [
  ['--limit N', 'at most so many rows: 20 where absent, up to 200'],
  ['--key KEY', 'the rows behind those of an answer before, which names the key'],
] as const;
const from = [endpoint, state, height, headerEnv, json] as const;
const orSample = 'Without --endpoint and --state it is asked of the sample chain.';

/** What asks a tool of `src/tools`, with the operand as the input of that name. */
function asking(tool: string, operand?: 'id' | 'denom'): Pick<Command, 'exitCodes' | 'failed' | 'run'> {
  return {
    exitCodes: '0 answered, 1 there is no such thing: a sentence says so, 2 the chain could not be asked',
    failed: 2,
    run: async (given, signal): Promise<number> => {
      const { ask } = await import('./askCommands.ts');
      return ask(tool, operand === undefined ? {} : { [operand]: given.operands[0] }, given, signal);
    },
  };
}

/** The commands of `chain-inspector`, by name. What they need is loaded when they run. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'proposals',
    {
      ...asking('list_proposals'),
      summary: 'lists proposals, the newest first',
      form: '',
      about: `Lists governance proposals, the newest first; with --status voting those that end next come first.
${orSample}`,
      options: [
        ...from,
        ['--status S', 'only these: deposit, voting, passed, rejected or failed'],
        ['--voter ADDRESS', 'only those that this account has voted on, as far as the chain knows'],
        ['--text T', 'only those with this in the title, the description or a type'],
        ...paged,
      ],
    },
  ],
  [
    'proposal',
    {
      ...asking('get_proposal', 'id'),
      summary: 'shows one proposal, and whether it would pass',
      form: 'ID',
      about: `Shows one governance proposal: what it would change, where it stands, and why it would pass or fail.
${orSample}`,
      options: [...from, ['--votes', 'also how the validators have voted, while voting is open']],
    },
  ],
  [
    'supply',
    {
      ...asking('get_supply', 'denom'),
      summary: 'lists the supply, or shows one denom and where its coins are',
      form: '[DENOM]',
      about: `Lists the total supply with all digits, or shows one denom: what is known of it, and where its coins are.
${orSample}`,
      options: [
        ...from,
        ['--split', 'also of an endpoint where the coins of DENOM are: up to some 300 requests'],
        ...paged,
      ],
    },
  ],
  [
    'denom',
    {
      summary: 'says what an ibc/ denom stands for, or which one stands for a path',
      form: 'TEXT',
      about: `Says what an ibc/ denom stands for where the chain registry knows the path, or which denom stands for a path with a
base denom (transfer/channel-141/uosmo). Nothing is asked over the network. The same denom can stand on several chains: those
are listed whose channels the registry knows.`,
      options: [['--json', 'the answer as JSON']],
      exitCodes: '0 answered, 1 the path is not known, 2 the table could not be read',
      failed: 2,
      run: async (given) => (await import('./denomCommand.ts')).nameDenom(given),
    },
  ],
  [
    'validators',
    {
      ...asking('list_validators'),
      summary: 'lists validators, the greatest first',
      form: '',
      about: `Lists validators, bonded ones first and the greatest of them first.
${orSample}`,
      options: [...from, ['--text T', 'only those with this in the moniker or the operator address'], ...paged],
    },
  ],
  [
    'check',
    {
      summary: 'checks drafts of proposals',
      form: 'FILE… --endpoint URL | --state FILE',
      about: `Checks drafts of governance proposals against a chain. docs/drafts.md explains each finding. Nothing is sent but questions for
parameters, and no draft leaves this machine. FILE is a file, a folder, a pattern such as 'proposals/**/*.json', or - for stdin.
Of a folder or a pattern the files that are no drafts are passed over.`,
      options: [
        endpoint,
        state,
        headerEnv,
        [
          '--format F',
          `text (default), json (with the edits that would mend what was found), sarif (2.1.0) or
github (annotations of a workflow)`,
        ],
        ['--fail-on S', 'what makes the exit code 1: error (default) or warning'],
      ],
      exitCodes:
        '0 no errors, 1 errors found (with --fail-on warning: or warnings), 2 nothing of that, but a file could not be checked',
      failed: 2,
      run: async (given, signal) => (await import('./checkCommand.ts')).check(given, signal),
    },
  ],
  [
    'mcp',
    {
      summary: 'offers the same answers to agents, as an MCP server over stdin and stdout',
      form: '',
      about: `Answers the questions of an agent as an MCP server over stdin and stdout, until its input ends. No port is opened. The first
endpoint or state file that is given is asked where a question names none, and no others are asked than these.
Without any it is the sample chain.`,
      options: [
        [endpoint[0], `${endpoint[1]}; may be repeated`],
        [state[0], `${state[1]}; may be repeated`],
        headerEnv,
      ],
      exitCodes: '0 the input ended',
      failed: 2,
      run: async (given, signal) => (await import('./mcpCommand.ts')).serveMcp(given, signal),
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
      run: async (given, signal) => (await import('./stateCommands.ts')).serve(given, signal),
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
      run: async (given, signal) => (await import('./stateCommands.ts')).exportState(given, signal),
    },
  ],
]);

const usage = `Usage: chain-inspector COMMAND …

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`).join('\n')}

chain-inspector COMMAND --help says more about each.`.split('\n');

/** Runs the command line of this process, and sets the exit code. What goes wrong is a sentence on stderr. */
export async function main(): Promise<void> {
  // Half of a short run would be compiling; the folder is the user's own, since what lies there is run.
  if (!import.meta.dirname) enableCompileCache(join(homedir(), '.cache', 'chain-inspector', 'compiled'));
  // What reads the output may end first (`| head`).
  process.stdout.on('error', () => undefined);
  const stopping = new AbortController();
  // The second signal ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error('Stopped')));
  process.exitCode = await runCommandLine(process.argv.slice(2), stopping.signal);
}

/** Runs the command that the first argument names, with the others. Resolves with the exit code; `signal` ends it. */
export async function runCommandLine([name = '', ...args]: readonly string[], signal: AbortSignal): Promise<number> {
  const command = commands.get(name);
  if (command) return runCommand(name, command, args, signal);
  const isHelp = name === '--help' || name === 'help';
  if (isHelp) printLines(usage);
  else printErrors(name === '' ? usage : [`There is no command ${name}.`, '', ...usage]);
  return isHelp ? 0 : 64;
}

async function runCommand(
  name: string,
  command: Command,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  try {
    const given = readArguments(args, command);
    if (!given.values.help) return await command.run(given, signal);
    printLines(usageOf(name, command));
    return 0;
  } catch (error) {
    const reason = messageOf(error);
    const isUsage = error instanceof Error && error.name === 'UsageError';
    printErrors(isUsage ? [reason, '', ...usageOf(name, command)] : [reason]);
    return isUsage ? 64 : command.failed;
  }
}
