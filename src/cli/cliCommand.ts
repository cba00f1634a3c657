import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '../api/errors.ts';

/** One command of the command line. */
export interface Command {
  /** What it does, in one line. */
  readonly summary: string;
  /** What has to stand behind its name, operands first: `FILE…` (one or more), `ID`, `[DENOM]` (none or one), "" (nothing). */
  readonly form: string;
  /** What the usage says before the options. */
  readonly about: string;
  /** Its options, each with what it is for: `--port N`. `--help` is added. */
  readonly options: readonly (readonly [form: string, meaning: string])[];
  /** What the exit codes mean. */
  readonly exitCodes: string;
  /** The exit code for what is thrown. */
  readonly failed: 1 | 2;
  /** Resolves with the exit code. Rejects with `UsageError` (exit code 64), or with what could not be done. */
  readonly run: (given: Given, signal: AbortSignal) => Promise<number>;
}

/** The command line is wrong: one sentence, which the usage follows. Bundles have copies of this class: tell it by its name. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

/** Every option there is; a command takes those that it lists. */
const options = {
  ...{ endpoint: texts, state: texts, height: text, 'header-env': text },
  ...{ json: flag, format: text, help: flag, 'fail-on': text },
  ...{ status: text, voter: text, text, limit: text, key: text, votes: flag, split: flag },
  ...{ to: text, tables: text, force: flag, port: text },
};

type Flag = 'force' | 'help' | 'json' | 'split' | 'votes';
type TextOption = Exclude<keyof typeof options, Flag | 'endpoint' | 'state'>;

/** What was given to a command, each value as it was typed. */
export interface Given {
  readonly operands: readonly string[];
  readonly values: Readonly<Partial<Record<TextOption, string> & Record<Flag, boolean>>>;
  /** The values of `--endpoint` and of `--state`, which become `file:` URIs, in the order in which they were typed. */
  readonly addresses: readonly string[];
}

/** Reads the arguments behind the name of a command. Throws `UsageError` for what it does not take. */
export function readArguments(args: readonly string[], { form, options: listed }: Command): Given {
  const { values: all, positionals: operands, tokens } = parse(args);
  const names = listed.map(([option]) => /^--([\w-]+)/.exec(option)?.[1]).concat('help');
  const other = Object.keys(all).find((name) => !names.includes(name));
  if (other !== undefined) throw new UsageError(`Unknown option '--${other}'.`);
  const { endpoint: _endpoint, state: _state, ...values } = all;
  const [operand = ''] = form.split(' ', 1);
  const isWanted = /^[A-Z]/.test(operand) && !values.help;
  const max = operand.endsWith('…') ? operands.length : Math.sign(operand.length);
  if (operands.length > max || (isWanted && operands.length === 0))
    throw new UsageError(
      operand === '' ? `Unexpected "${operands[0]}".` : `Expected one ${operand.replace(/\W/g, '')}.`,
    );
  const addresses = tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.value === undefined) return [];
    const isSource = token.name === 'state' || token.name === 'endpoint';
    // As from a variable of the environment that is not set.
    if (isSource && token.value.trim() === '') throw new UsageError(`--${token.name} is empty.`);
    if (token.name === 'state') return pathToFileURL(resolve(token.value)).href;
    return token.name === 'endpoint' ? token.value : [];
  });
  return { operands, values, addresses };
}

const grammar = { options, allowPositionals: true, tokens: true } as const;

function parse(args: readonly string[]): ReturnType<typeof parseArgs<typeof grammar>> {
  try {
    return parseArgs({ args: [...args], ...grammar });
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** The length of the longest text. */
export function widthOf(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}

/** The usage of a command, in lines. */
export function usageOf(name: string, { form, about, options: listed, exitCodes }: Command): readonly string[] {
  const rows = [...listed, ['--help', 'this text'] as const];
  const width = widthOf(rows.map(([option]) => option)) + 4;
  const lines = rows.map(([option, meaning]) => {
    return `  ${option}`.padEnd(width) + meaning.replaceAll('\n', `\n${' '.repeat(width)}`);
  });
  const text = `Usage: ${['chain-inspector', name, form, '[OPTION]…'].filter((part) => part !== '').join(' ')}

${about}

${lines.join('\n')}

Exit code: ${exitCodes}, 64 wrong usage.`;
  return text.split('\n');
}
