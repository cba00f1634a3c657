import { enableCompileCache } from 'node:module';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
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

const endpoint: Option = ['--endpoint URL', 'REST address of a node of the chain'];
const state: Option = [
  '--state FILE',
  'a genesis or exported state (.json or .json.gz); - is stdin, sample the sample chain',
];
const headerEnv: Option = [
  '--header-env NAME=VAR',
  'sends the header NAME to the endpoint, with the value of the environment variable VAR',
];
const height: Option = ['--height N', 'as it was after this block; goes with --endpoint'];
const json: Option = ['--json', 'the answer as JSON, with the members that agents get'];
const tsv: Option = ['--tsv', 'the rows as lines with tabs, values whole'];
const all: Option = ['--all', 'all rows'];
const limit: Option = ['--limit N', 'at most so many rows: 20 where absent'];
const key: Option = ['--key KEY', 'the rows behind those of an answer before, which names the key'];
const from = [endpoint, state, height, headerEnv, json, tsv] as const;

/** Makes the parts that all commands for tools of `src/tools` have. */
function askingTool(name: string): Pick<CliCommand, 'exitCodes' | 'failed' | 'run'> {
  return {
    exitCodes: '0 answered, 1 there is no such thing: a sentence says so, 2 the chain could not be asked',
    failed: 2,
    run: async (given, signal): Promise<number> => (await import('./commands/askCommands.ts')).ask(name, given, signal),
  };
}

/** A command that asks one source. */
type Question = Pick<CliCommand, 'summary' | 'form' | 'about' | 'options'>;

/** The commands that ask one source, by name, with the options that only they have. */
const questions: Readonly<Record<string, Question>> = {
  proposals: {
    summary: 'lists proposals, the newest first',
    form: '',
    about: `Lists governance proposals, the newest first; with --status voting those that end next come first.`,
    options: [
      ['--status S', 'only these', statusGroups],
      ['--outcome O', 'only open votes that come to this now', ['would_pass', 'would_fail', 'too_close', 'unknown']],
      ['--ends-before TIME', 'only open ones that end before this time (2026-12-31T00:00:00Z)'],
      ['--type T', 'only those with this in the type of a message'],
      ['--voter ADDRESS', 'only those that this account has voted on, as far as the chain knows'],
      ['--text T', 'only those with this in the title, the description or a type'],
      ['--sort S', 'the order', ['newest', 'oldest', 'ends', 'turnout']],
      ...[all, limit, key],
    ],
  },
  proposal: {
    summary: 'shows one proposal, and whether it would pass',
    form: 'ID',
    about: `Shows one governance proposal: what it would change, where it stands, and why it would pass or be rejected.`,
    options: [
      ['--votes', 'also how the validators have voted, while voting is open'],
      ['--of ADDRESSES', 'also the votes of these accounts or operators, with commas'],
    ],
  },
  votes: {
    summary: 'shows how the validators have voted on a proposal',
    form: 'ID',
    about: `Shows how the bonded validators have voted on a proposal, the greatest first, or how the accounts that --of names have.
A chain keeps votes only while voting is open.`,
    options: [
      ['--of ADDRESSES', 'only the votes of these accounts or operators, with commas'],
      ['--sort S', 'the order', ['power', 'vote', 'moniker']],
      ...[all, limit],
    ],
  },
  supply: {
    summary: 'lists the supply, or shows one denom and where its coins are',
    form: '[DENOM]',
    about: `Lists the total supply with all digits, or shows one denom: what is known of it, and where its coins are.`,
    options: [
      ['--split', 'also of an endpoint where the coins of DENOM are: up to some 300 requests'],
      ['--of ADDRESS', 'also what this account holds of DENOM'],
      ['--text T', 'only denoms with this in the name or the symbol'],
      ['--sort S', 'the order', ['denom', 'amount', 'symbol', 'value']],
      ...[all, limit, key],
    ],
  },
  holders: {
    summary: 'lists the accounts that hold most of a denom',
    form: 'DENOM',
    about: `Lists the accounts that hold most of a denom, the largest first. A node is asked for all of them: beyond 10,000 they are not known.`,
    options: [['--sort S', 'the order', ['amount', 'address', 'name']], all, limit],
  },
  validators: {
    summary: 'lists validators, the greatest first',
    form: '',
    about: `Lists validators, bonded ones first and the greatest of them first, with the sums of all that match.`,
    options: [
      ['--text T', 'only those with this in the moniker or the operator address'],
      ['--status S', 'only these', ['bonded', 'unbonding', 'unbonded']],
      ['--jailed', 'only jailed ones'],
      ['--min-amount N', 'only those with at least so many tokens, in base units'],
      ['--sort S', 'the order', ['power', 'moniker', 'commission']],
      ['--reverse', 'the other way round'],
      ...[all, limit, key],
    ],
  },
  params: {
    summary: 'lists the parameters of all modules, or of one',
    form: '[MODULE]',
    about: `Lists the parameters that are in force, of every module or of one, in the form of the chain, beside what they mean where that is known.`,
    options: [
      ['--sort S', 'the order', ['module', 'parameter', 'value']],
      ...[all, ['--limit N', 'at most so many rows: all where absent'] as const],
    ],
  },
};

/** Makes the command of a question. The options of its source come first. */
function commandOf([name, question]: readonly [string, Question]): readonly [string, CliCommand] {
  const about = `${question.about} Without --endpoint and --state it is asked of the sample chain.`;
  return [name, { ...askingTool(name), ...question, about, options: [...from, ...question.options] }];
}

/** The commands that ask sources, by name. */
const reads: Readonly<Record<string, CliCommand>> = {
  ...Object.fromEntries(Object.entries(questions).map(commandOf)),
  compare: {
    ...askingTool('compare'),
    summary: 'lists what differs between two sources',
    form: 'LEFT [RIGHT]',
    hasStateOperands: true,
    about: `Lists what differs between two sources: supply, proposals, validators and parameters of all modules. LEFT and RIGHT are each the REST
address of a node (a past block is its address with #height=N) or a state file; - is stdin, sample the sample chain. LEFT alone is a node after
the two blocks that --height names; a state file has one height.`,
    options: [
      ...[headerEnv, json, tsv],
      ['--height N', 'given twice: compares LEFT after these two blocks'],
      ['--what W', 'only this', ['supply', 'proposals', 'validators', 'params', 'all']],
      ['--sort S', 'the order of all rows; difference: the greatest first', ['section', 'key', 'difference']],
      ...[all, ['--limit N', 'at most so many rows: 100 where absent'] as const, key],
    ],
  },
};

/** The other commands, by name. */
const others: Readonly<Record<string, CliCommand>> = {
  denom: {
    summary: 'says what an ibc/ denom stands for, or which one stands for a path',
    form: 'TEXT',
    about: `Says what an ibc/ denom stands for where the chain registry knows the path, or which denom stands for a path with a base denom
(transfer/channel-141/uosmo). Nothing is asked over the network. The same denom can stand on several chains: those are listed whose channels
the registry knows.`,
    options: [['--json', 'the answer as JSON']],
    exitCodes: '0 answered, 1 the path is not known, 2 the table could not be read',
    failed: 2,
    run: async (given) => (await import('./commands/denomCommand.ts')).nameDenom(given),
  },
  check: {
    summary: 'checks drafts of proposals',
    form: 'FILE… --endpoint URL | --state FILE',
    about: `Checks drafts of governance proposals against a chain. docs/drafts.md explains each finding. Nothing is sent but questions for
parameters, and no draft leaves this machine. FILE is a file, a folder, a pattern such as 'proposals/**/*.json', or - for stdin. Of a folder
or a pattern the files that are no drafts are passed over.`,
    options: [
      ...[endpoint, state, height, headerEnv],
      [
        '--format F',
        'how findings are written (text where absent; json has the edits that would mend them, github is for a workflow)',
        ['text', 'json', 'sarif', 'github'],
      ],
      ['--json', 'the same as --format json'],
      ['--fail-on S', 'what makes the exit code 1 (error where absent)', ['error', 'warning']],
      [
        '--binaries',
        'also download what upgrade plans name, over https from public hosts, to compare checksums; nothing is kept or run',
      ],
    ],
    exitCodes:
      '0 no errors, 1 errors found (with --fail-on warning: or warnings), 2 nothing of that, but a file could not be checked',
    failed: 2,
    run: async (given, signal) => (await import('./commands/checkCommand.ts')).check(given, signal),
  },
  mcp: {
    summary: 'offers the same answers to agents, as an MCP server over stdin and stdout',
    form: '',
    about: `Answers the questions of an agent as an MCP server over stdin and stdout, until its input ends. No port is opened. The first endpoint or
state file that is given is asked where a question names none, and no others are asked than these. Without any it is the sample chain.`,
    options: [
      [endpoint[0], `${endpoint[1]}; may be repeated`],
      [
        '--state FILE',
        'a genesis or exported state (.json or .json.gz), or sample for the sample chain; may be repeated',
      ],
      ['--folder DIR', 'a folder whose drafts may be checked by their names; may be repeated'],
      headerEnv,
    ],
    exitCodes: '0 the input ended, or it was stopped',
    failed: 2,
    isServer: true,
    run: async (given, signal) => (await import('./mcp/mcpCommand.ts')).serveMcp(given, signal),
  },
  serve: {
    summary: 'serves a state file as REST on this machine',
    form: 'FILE',
    hasStateOperands: true,
    about: `Serves a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain as read-only REST on 127.0.0.1. FILE is never written to, and
nothing leaves this machine. The address that is printed answers with a list of paths.`,
    options: [['--port N', 'the port to listen on; 0 or none = a free one']],
    exitCodes: '0 stopped, 1 not served: a sentence says why',
    failed: 1,
    isServer: true,
    run: async (given, signal) => (await import('./commands/stateCommands.ts')).serve(given, signal),
  },
  export: {
    summary: 'writes the tables of a state file',
    form: 'STATE --to DIR',
    hasStateOperands: true,
    about: `Writes the tables of a genesis or exported state (.json or .json.gz) of a Cosmos SDK chain into a folder, with a manifest.json beside them.
The columns are described in docs/tables.md.`,
    options: [
      ['--to DIR', 'the folder; it is made where it is missing'],
      ['--format F', 'of the tables (parquet where absent)', ['parquet', 'ndjson']],
      [
        '--tables N,…',
        'only these: supply, supply_split, denom_metadata, balances, delegations, unbonding_delegations, validators, proposals, proposal_messages, deposits, votes, params',
      ],
      ['--force', 'replace the tables in a folder that holds files'],
    ],
    exitCodes: '0 written, 1 nothing was written: a sentence says why',
    failed: 1,
    run: async (given, signal) => (await import('./commands/stateCommands.ts')).exportState(given, signal),
  },
  completion: {
    summary: 'prints what completes these commands in a shell',
    form: 'SHELL',
    about: `Prints a script that completes commands and options in a shell: bash, zsh, fish or powershell. For this session:

bash, zsh: source <(chain-inspector completion bash)

fish: chain-inspector completion fish | source

PowerShell: chain-inspector completion powershell | Out-String | Invoke-Expression`,
    options: [],
    words: ['bash', 'zsh', 'fish', 'powershell'],
    exitCodes: '0 printed',
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
      'chain-inspector COMMAND --help, or help COMMAND, says more about each. --version prints the version.',
      width,
    ),
  ];
}

/** Runs the command line of this process, and sets the exit code. An error is a sentence on stderr. */
export async function main(): Promise<void> {
  // Without a cache, half of a short run would be compiling. The folder is the user's own, because code in it is run.
  if (!import.meta.dirname) enableCompileCache(join(homedir(), '.cache', 'chain-inspector', 'compiled'));
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

async function printVersion(): Promise<number> {
  printLines([await packageVersion()]);
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
    `There is no command ${name}.${meantText(name, [...commands.keys(), 'help'])}`,
    'Usage: chain-inspector COMMAND …',
    'chain-inspector --help lists the commands.',
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
    const more = [usageLine(name, command), `chain-inspector ${name} --help says more.`];
    printErrors(isUsage ? [reason, ...more] : [reason]);
    return isUsage ? 64 : command.failed;
  }
}
