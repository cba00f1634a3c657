import { constants } from 'node:os';
import { messageOf } from '../api/errors.ts';
import { statusGroups } from '../chain/gov/proposalGroups.ts';
import {
  brokenLines,
  type CliCommand,
  meantText,
  type Option,
  readArguments,
  usageLine,
  usageOf,
} from './cliCommand.ts';
import { completionOf } from './completion.ts';
import { packageVersion } from './ownPackage.ts';
import { runWithStdin } from './stdinFile.ts';
import { printErrors, printLines, terminalWidth } from './terminal.ts';

const endpoint: Option = ['--endpoint URL', 'Base URL of a REST endpoint'];
const state: Option = [
  '--state FILE',
  'Genesis or exported state (.json or .json.gz), - for stdin, or sample for the sample chain',
];
const headerEnv: Option = [
  '--header-env NAME=VAR',
  'Send the header NAME to the endpoint, with the value of the environment variable VAR',
];
const height: Option = ['--height N', 'State after block N (requires --endpoint)'];
const json: Option = ['--json', 'Print the answer as JSON, exactly as agents receive it'];
const tsv: Option = ['--tsv', 'Print tab-separated rows with full values'];
const all: Option = ['--all', 'Show all rows'];
const limit: Option = ['--limit N', 'Show at most N rows (default: 20)'];
const key: Option = ['--key KEY', 'Show the next rows, with the key from the previous answer'];
const from = [endpoint, state, height, headerEnv, json, tsv] as const;

/** Makes the parts that all commands for tools of `src/tools` have. */
function askingTool(name: string): Pick<CliCommand, 'exitCodes' | 'failed' | 'run'> {
  return {
    exitCodes: '0 success, 1 not found, 2 the source could not be read',
    failed: 2,
    run: async (given, signal): Promise<number> => (await import('./commands/askCommands.ts')).ask(name, given, signal),
  };
}

/** A command that asks one source. */
type AskCommand = Pick<CliCommand, 'summary' | 'form' | 'about' | 'options'>;

/** The commands that ask one source, by name, with the options that only they have. */
const questions: Readonly<Record<string, AskCommand>> = {
  proposals: {
    summary: 'List proposals, newest first',
    form: '',
    about: `List governance proposals, newest first. With --status voting, those that end next come first.`,
    options: [
      ['--status S', 'Only proposals with this status', statusGroups],
      [
        '--outcome O',
        'Only open votes that would have this outcome if voting ended now',
        ['would_pass', 'would_fail', 'too_close', 'unknown'],
      ],
      ['--ends-before TIME', 'Only open proposals that end before this time (2026-12-31T00:00:00Z)'],
      ['--type T', 'Only proposals with this text in a message type'],
      ['--voter ADDRESS', 'Only proposals that this account voted on (chains keep votes only while voting is open)'],
      ['--depositor ADDRESS', 'Only open proposals that this account deposited on'],
      ['--text T', 'Only proposals with this text in the title, description or a message type'],
      ['--sort S', 'Sort order', ['newest', 'oldest', 'ends', 'turnout']],
      ...[all, limit, key],
    ],
  },
  proposal: {
    summary: 'Show one proposal and whether it would pass',
    form: 'ID',
    about: `Show one governance proposal: what it would change, where it stands and why it would pass or be rejected.`,
    options: [
      ['--votes', 'Also show how validators voted, while voting is open'],
      ['--of ADDRESSES', 'Also show the votes of these accounts or operators, separated by commas'],
    ],
  },
  votes: {
    summary: 'Show how validators voted on a proposal',
    form: 'ID',
    about: `Show how bonded validators voted on a proposal, largest first, or how the accounts in --of voted. Chains keep votes only while voting
is open.`,
    options: [
      ['--of ADDRESSES', 'Only the votes of these accounts or operators, separated by commas'],
      ['--sort S', 'Sort order', ['power', 'vote', 'moniker']],
      ...[all, limit],
    ],
  },
  supply: {
    summary: 'List the supply, or show one denom and where its coins are',
    form: '[DENOM]',
    about: `List the exact total supply, or show one denom: what is known about it and where its coins are.`,
    options: [
      ['--split', 'Also show where the coins of DENOM are on an endpoint (up to about 300 requests)'],
      ['--of ADDRESS', 'Also show how much of DENOM this account holds. Without DENOM: list everything it holds'],
      [
        '--at TIME',
        'Also show how much of DENOM is still vesting or unbonding at this time (2026-12-31T00:00:00Z), state files only',
      ],
      ['--text T', 'Only denoms with this text in the name or symbol'],
      ['--sort S', 'Sort order', ['denom', 'amount', 'symbol', 'value']],
      ...[all, limit, key],
    ],
  },
  holders: {
    summary: 'List the largest holders of a denom',
    form: 'DENOM',
    about: `List the largest holders of a denom. On a node, all holders are read to find the largest. This works for up to 10,000
holders.`,
    options: [['--sort S', 'Sort order', ['amount', 'address', 'name']], all, limit],
  },
  validators: {
    summary: 'List validators by power',
    form: '',
    about: `List validators, bonded first, then by power, with totals for all matches.`,
    options: [
      ['--text T', 'Only validators with this text in the moniker or operator address'],
      ['--status S', 'Only validators with this status', ['bonded', 'unbonding', 'unbonded']],
      ['--jailed', 'Only jailed validators'],
      ['--min-amount N', 'Only validators with at least N tokens, in base units'],
      ['--sort S', 'Sort order', ['power', 'moniker', 'commission', 'missed']],
      ['--reverse', 'Reverse the order'],
      ...[all, limit, key],
    ],
  },
  params: {
    summary: 'List the parameters of one or all modules',
    form: '[MODULE]',
    about: `List the current parameters of one or all modules, as the chain reports them, with their meaning where known.`,
    options: [
      ['--sort S', 'Sort order', ['module', 'parameter', 'value']],
      ...[all, ['--limit N', 'Show at most N rows (default: all)'] as const],
    ],
  },
};

/** Makes the command of a question. The options of its source come first. */
function commandOf([name, question]: readonly [string, AskCommand]): readonly [string, CliCommand] {
  const about = `${question.about} Without --endpoint or --state, the sample chain is used.`;
  return [name, { ...askingTool(name), ...question, about, options: [...from, ...question.options] }];
}

/** The commands that ask sources, by name. */
const reads: Readonly<Record<string, CliCommand>> = {
  ...Object.fromEntries(Object.entries(questions).map(commandOf)),
  compare: {
    ...askingTool('compare'),
    summary: 'List the differences between two sources',
    form: 'LEFT [RIGHT]',
    hasStateOperands: true,
    about: `List the differences between two sources: supply, community pool, proposals, validators and parameters of all modules. LEFT and RIGHT are
each the base URL of a REST endpoint, a state file, - for stdin or sample for the sample chain. For a past block of an endpoint, add #height=N to its URL. To
compare one endpoint at two blocks, use LEFT alone and --height twice.`,
    options: [
      ...[headerEnv, json, tsv],
      ['--height N', 'Compare LEFT at two blocks (use this option twice)'],
      ['--what W', 'Compare only this part', ['supply', 'community_pool', 'proposals', 'validators', 'params', 'all']],
      ['--module M,…', 'Compare only the parameters of these modules'],
      ['--sort S', 'Sort order of all rows (difference puts the largest first)', ['section', 'key', 'difference']],
      ...[all, ['--limit N', 'Show at most N rows (default: 100)'] as const, key],
    ],
  },
};

/** The other commands, by name. */
const others: Readonly<Record<string, CliCommand>> = {
  denom: {
    summary: 'Show what an ibc/ denom stands for, or find the denom for a path',
    form: 'TEXT',
    about: `Show what an ibc/ denom stands for, if the chain registry knows its path, or find the denom for a path that ends in a base denom
(transfer/channel-141/uosmo). Nothing is sent over the network. The same denom can exist on several chains. The chains whose channels are in
the registry are listed.`,
    options: [['--json', 'Print the answer as JSON']],
    exitCodes: '0 success, 1 unknown path, 2 the table could not be read',
    failed: 2,
    run: async (given) => (await import('./commands/denomCommand.ts')).nameDenom(given),
  },
  check: {
    summary: 'Check proposal drafts',
    form: 'FILE… --endpoint URL | --state FILE',
    about: `Check governance proposal drafts against a chain. docs/drafts.md explains each finding. Drafts never leave this machine: only
parameters are requested from the chain. FILE is a file, a folder, a pattern such as 'proposals/**/*.json' or - for stdin. In folders
and patterns, files that are not drafts are skipped.`,
    options: [
      ...[endpoint, state, height, headerEnv],
      [
        '--format F',
        'Output format (default: text; json includes fixes, github is for workflows)',
        ['text', 'json', 'sarif', 'github'],
      ],
      ['--json', 'Same as --format json'],
      ['--fail-on S', 'Lowest severity that sets exit code 1 (default: error)', ['error', 'warning']],
      [
        '--binaries',
        'Also download the files in upgrade plans from public hosts over https, to compare checksums (nothing is kept or run)',
      ],
    ],
    exitCodes:
      '0 no errors, 1 errors (or warnings, with --fail-on warning), 2 no errors, but some files could not be checked',
    failed: 2,
    run: async (given, signal) => (await import('./commands/checkCommand.ts')).check(given, signal),
  },
  mcp: {
    summary: "Answer agents' questions as an MCP server over stdin and stdout",
    form: '',
    about: `Answer an agent's questions as an MCP server over stdin and stdout, until the input ends. No port is opened. Only the endpoints
and state files given with the options below are read, and the first one is the default. If none are given, the sample chain is used.`,
    options: [
      [endpoint[0], `${endpoint[1]} (repeatable)`],
      ['--state FILE', 'Genesis or exported state (.json or .json.gz), or sample for the sample chain (repeatable)'],
      ['--folder DIR', 'Folder of drafts that agents can check by file name (repeatable)'],
      headerEnv,
    ],
    exitCodes: '0 the input ended or the server was stopped',
    failed: 2,
    isServer: true,
    run: async (given, signal) => (await import('./mcp/mcpCommand.ts')).serveMcp(given, signal),
  },
  serve: {
    summary: 'Serve a state file as a REST API on this machine',
    form: 'FILE',
    hasStateOperands: true,
    about: `Serve a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain as a read-only REST API on 127.0.0.1. FILE is never written
to, and nothing leaves this machine. The printed address lists the available paths.`,
    options: [['--port N', 'Port to listen on (default: a free one)']],
    exitCodes: '0 stopped, 1 could not serve',
    failed: 1,
    isServer: true,
    run: async (given, signal) => (await import('./commands/stateCommands.ts')).serve(given, signal),
  },
  export: {
    summary: 'Write the tables of a state file',
    form: 'STATE --to DIR',
    hasStateOperands: true,
    about: `Write the tables of a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain to a folder, with a manifest.json.
docs/tables.md describes the columns.`,
    options: [
      ['--to DIR', 'Output folder (created if it does not exist)'],
      ['--format F', 'Table format (default: parquet)', ['parquet', 'ndjson']],
      [
        '--tables N,…',
        'Only these tables: supply, supply_split, denom_metadata, balances, delegations, unbonding_delegations, validators, proposals, proposal_messages, deposits, votes, params',
      ],
      ['--force', 'Replace the tables in a folder that is not empty'],
    ],
    exitCodes: '0 success, 1 nothing was written',
    failed: 1,
    run: async (given, signal) => (await import('./commands/stateCommands.ts')).exportState(given, signal),
  },
  completion: {
    summary: 'Print a shell completion script',
    form: 'SHELL',
    about: `Print a script that completes commands and options in bash, zsh, fish or powershell. To use it in this session:

bash, zsh: source <(chain-inspector completion bash)

fish: chain-inspector completion fish | source

PowerShell: chain-inspector completion powershell | Out-String | Invoke-Expression`,
    options: [],
    words: ['bash', 'zsh', 'fish', 'powershell'],
    exitCodes: '0 success',
    failed: 1,
    run: async ({ operands: [shell = ''] }) => {
      printLines(completionOf(shell, commands));
      return 0;
    },
  },
};

/** The commands of `chain-inspector`, by name. Their modules are loaded when they run. */
export const commands: ReadonlyMap<string, CliCommand> = new Map(Object.entries({ ...reads, ...others }));

/** Gives the columns of a usage. */
function usageWidth(): number {
  return Math.min(terminalWidth() ?? 100, 120);
}

function overview(): readonly string[] {
  const width = usageWidth();
  const rows = [...commands].flatMap(([name, { summary }]) => {
    const [first, ...more] = brokenLines(summary, width - 14);
    return [`  ${name.padEnd(12)}${first}`, ...more.map((line) => `${' '.repeat(14)}${line}`)];
  });
  return [
    'Usage: chain-inspector COMMAND …',
    '',
    ...rows,
    '',
    ...brokenLines(
      'For more information about a command, run "chain-inspector COMMAND --help". For the version, use --version.',
      width,
    ),
  ];
}

/** Runs the command line of this process, and sets the exit code. An error is a sentence on stderr. */
export async function main(): Promise<void> {
  // The reader of the output may end first (`| head`).
  process.stdout.on('error', () => undefined);
  const stopping = new AbortController();
  let stopCode = 0;
  // The second signal ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      // Shells use the same code: 130 for Ctrl-C.
      stopCode = 128 + constants.signals[signal];
      stopping.abort(new Error('Stopped'));
    });
  const code = await runCommandLine(process.argv.slice(2), stopping.signal);
  process.exitCode = code > 0 && stopCode > 0 ? stopCode : code;
}

/**
 * Runs the command that the first argument names, with the other arguments. Resolves with the exit code. `signal` ends
 * it.
 */
export async function runCommandLine([name = '', ...args]: readonly string[], signal: AbortSignal): Promise<number> {
  const command = commands.get(name);
  if (command) return runCommand(name, command, args, signal);
  if (name === '--version' || name === '-V') return printVersion();
  if (name === '--help' || name === '-h' || name === 'help') return help(args);
  if (name === '') printErrors(overview());
  else printErrors(noCommand(name));
  return 64;
}

function printVersion(): number {
  printLines([packageVersion()]);
  return 0;
}

function help([name]: readonly string[]): number {
  const command = commands.get(name ?? '');
  if (name !== undefined && !command) {
    printErrors(noCommand(name));
    return 64;
  }
  printLines(name !== undefined && command ? usageOf(name, command, usageWidth()) : overview());
  return 0;
}

function noCommand(name: string): readonly string[] {
  return [
    `Unknown command: ${name}.${meantText(name, [...commands.keys(), 'help'])}`,
    'Usage: chain-inspector COMMAND …',
    'To list the commands, run "chain-inspector --help".',
  ];
}

async function runCommand(
  name: string,
  command: CliCommand,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  try {
    const given = readArguments(args, command);
    if (given.values.help) {
      printLines(usageOf(name, command, usageWidth()));
      return 0;
    }
    return await runWithStdin(command, given, signal);
  } catch (error) {
    const reason = messageOf(error);
    const isUsage = error instanceof Error && error.name === 'UsageError';
    const more = [usageLine(name, command), `For help, run "chain-inspector ${name} --help".`];
    printErrors(isUsage ? [reason, ...more] : [reason]);
    return isUsage ? 64 : command.failed;
  }
}
