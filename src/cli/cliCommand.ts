import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { closestName } from '../chain/closestName.ts';

/** One command of the command line. */
export interface CliCommand {
  /** Its purpose in one line. */
  readonly summary: string;
  /**
   * The operands that must follow its name: `FILE…` (one or more), `LEFT [RIGHT]` (one or two), `[DENOM]` (none or one), ""
   * (nothing).
   */
  readonly form: string;
  /** The text of the usage before the options. */
  readonly about: string;
  /** Its options. `--help` is added. */
  readonly options: readonly Option[];
  /** The meaning of the exit codes. */
  readonly exitCodes: string;
  /** The exit code for an error. */
  readonly failed: 1 | 2;
  /** True if it runs until it is stopped, which is then no failure. */
  readonly isServer?: true;
  /** True if its operands are states, which may come from stdin. */
  readonly hasStateOperands?: true;
  /** The words that the operand may be. */
  readonly words?: readonly string[];
  /**
   * Runs the command and resolves with the exit code. Rejects with `UsageError` (exit code 64), or with the error of
   * the failed work.
   */
  readonly run: (given: Given, signal: AbortSignal) => Promise<number>;
}

/** An option in the form of the usage (`--limit N`), its meaning, and the values that it accepts if these are few. */
export type Option = readonly [form: string, meaning: string, values?: readonly string[]];

/**
 * A wrong command line: one sentence. The usage follows it. Bundles have copies of this class, so test for it by its
 * name.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

/** All options. A command accepts those that it lists. */
const options = {
  endpoint: { ...texts, short: 'e' },
  state: { ...texts, short: 's' },
  json: { ...flag, short: 'j' },
  tsv: { ...flag, short: 't' },
  help: { ...flag, short: 'h' },
  limit: { ...text, short: 'n' },
  all: { ...flag, short: 'a' },
  ...{ folder: texts, height: text, 'header-env': text, format: text, 'fail-on': text, sort: text },
  ...{ status: text, outcome: text, 'ends-before': text, type: text, voter: text, depositor: text, text, key: text },
  ...{
    of: text,
    at: text,
    module: text,
    jailed: flag,
    reverse: flag,
    'min-amount': text,
    what: text,
    votes: flag,
    split: flag,
  },
  ...{ to: text, tables: text, force: flag, port: text, binaries: flag },
} as const;

type OptionName = keyof typeof options;
type Flag = 'all' | 'binaries' | 'force' | 'help' | 'jailed' | 'json' | 'reverse' | 'split' | 'tsv' | 'votes';
type TextOption = Exclude<OptionName, Flag | 'endpoint' | 'folder' | 'state'>;

/** The arguments of a command, each value as it was typed. */
export interface Given {
  readonly operands: readonly string[];
  readonly values: Readonly<Partial<Record<TextOption, string> & Record<Flag, boolean>>>;
  /**
   * The values of `--endpoint` and of `--state` in the typed order. Those of `--state` become `file:` URIs; `-` is
   * stdin, and "" the sample chain.
   */
  readonly addresses: readonly string[];
  /** The values of `--height` in the typed order. */
  readonly heights: readonly string[];
  /** The values of `--folder`, as whole paths. */
  readonly folders: readonly string[];
}

/** Gives the name of an option in its form: `--limit N` → `limit`. */
export function optionName([form]: Option): string {
  return form.replace(/^--/, '').split(' ', 1)[0] ?? '';
}

/** Gives the letter for an option. Undefined if it has none. */
export function shortOf(name: string): string | undefined {
  const known = Object.entries(options).find(([one]) => one === name)?.[1];
  return known && 'short' in known ? known.short : undefined;
}

/** Reads the arguments after the name of a command. Throws `UsageError` for those that it does not accept. */
export function readArguments(args: readonly string[], command: CliCommand): Given {
  const { values: all, positionals: operands, tokens } = parse(args, command);
  const { endpoint: _endpoint, state: _state, folder = [], ...values } = all;
  if (!values.help) checkOperands(operands, command);
  const addresses = tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.value === undefined) return [];
    const isPlace = ['state', 'endpoint', 'folder'].includes(token.name);
    // An environment variable that is not set gives an empty value.
    if (isPlace && token.value.trim() === '') throw new UsageError(`--${token.name} is empty.`);
    if (token.name === 'state') return token.value === stdinOperand ? stdinOperand : stateAddress(token.value);
    return token.name === 'endpoint' ? token.value : [];
  });
  const heights = tokens.flatMap((token) =>
    token.kind === 'option' && token.name === 'height' ? [token.value ?? ''] : [],
  );
  return { operands, values, addresses, heights, folders: folder.map((path) => resolve(path)) };
}

/** The operand for standard input. */
export const stdinOperand = '-';

/** The word for the sample chain in the place of a state. A file of this name is `./sample`. */
export const sampleWord = 'sample';

/** Gives the address of a state: "" for the sample chain, or that of a file. */
export function stateAddress(state: string): string {
  return state === sampleWord ? '' : fileAddress(state);
}

/** Gives the address of a file. */
export function fileAddress(file: string): string {
  return pathToFileURL(resolve(file)).href;
}

function checkOperands(operands: readonly string[], { form, words }: CliCommand): void {
  const names = (form.split(' --', 1)[0] ?? '').split(' ').filter((name) => name !== '');
  const least = names.filter((name) => !name.startsWith('[')).length;
  const most = names.some((name) => name.endsWith('…')) ? operands.length : names.length;
  if (operands.length > most && names.length === 0) throw new UsageError(`Unexpected "${operands[0]}".`);
  if (operands.length < least || operands.length > most) {
    const wanted = names.map((name) => name.replace(/[^A-Z]/g, '')).join(' and ');
    throw new UsageError(names.length > 1 ? `Expected ${wanted}.` : `Expected one ${wanted}.`);
  }
  const [word = ''] = operands;
  if (words && word !== '' && !words.includes(word))
    throw new UsageError(`"${word}" is not one of ${words.join(', ')}.${meantText(word, words)}`);
}

/** Gives a question after an unknown word: ` Did you mean "x"?`. Gives "" if no word is similar. */
export function meantText(word: string, words: readonly string[], before = ''): string {
  const begun = word.length > 1 ? words.filter((one) => one.startsWith(word)) : [];
  const near = begun.length === 1 ? begun[0] : closestName(word, words);
  return near === undefined ? '' : ` Did you mean ${before}${near}?`;
}

const grammar = { options, allowPositionals: true, tokens: true, strict: true } as const;
type Parsed = ReturnType<typeof parseArgs<typeof grammar>>;

function parse(args: readonly string[], command: CliCommand): Parsed {
  checkOptions(args, command);
  return parseArgs({ args: [...args], ...grammar });
}

/**
 * Checks the options and throws faults in our own words. Messages of Node are long, and do not help with a misspelt
 * option.
 */
function checkOptions(args: readonly string[], { options: listed }: CliCommand): void {
  const names = [...listed.map(optionName), 'help'];
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true, strict: false });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!names.includes(name)) {
      const meant = rawName.startsWith('--') ? meantText(name, names, '--') : '';
      throw new UsageError(`Unknown option '${rawName}'.${meant}`);
    }
    const isFlag = Object.entries(options).some(([one, { type }]) => one === name && type === 'boolean');
    if (isFlag && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    if (isFlag) continue;
    if (value === undefined) throw new UsageError(`${rawName} needs a value.`);
    if (!inlineValue && value.length > 1 && value.startsWith('-'))
      throw new UsageError(`${rawName} needs a value. If it starts with "-", write ${rawName}=${value}.`);
    const words = listed.find((option) => optionName(option) === name)?.[2];
    if (words && !words.includes(value))
      throw new UsageError(`--${name} ${value}: expected one of ${words.join(', ')}.${meantText(value, words)}`);
  }
}

/** Gives the length of the longest text. */
export function widthOf(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}

/** Gives the first line of a usage. */
export function usageLine(name: string, { form }: CliCommand): string {
  return `Usage: ${['chain-inspector', name, form, '[OPTION]…'].filter((part) => part !== '').join(' ')}`;
}

/** Gives the usage of a command in lines. `width` is the columns of the terminal, at which texts are broken. */
export function usageOf(name: string, command: CliCommand, width: number): readonly string[] {
  const { about, options: listed, exitCodes } = command;
  const rows: readonly Option[] = [...listed, ['--help', 'Show this help']];
  const forms = rows.map((option) => {
    const short = shortOf(optionName(option));
    return `  ${short === undefined ? '    ' : `-${short}, `}${option[0]}`;
  });
  const column = Math.min(widthOf(forms) + 2, 32);
  const lines = rows.flatMap(([, meaning, values], at) => {
    const form = forms[at] ?? '';
    const said = values ? `${meaning}: ${listText(values)}` : meaning;
    const [first = '', ...others] = brokenLines(said, width - column);
    const below = others.map((line) => ' '.repeat(column) + line);
    if (form.length + 2 > column) return [form, ' '.repeat(column) + first, ...below];
    return [form.padEnd(column) + first, ...below];
  });
  const paragraphs = about.split('\n\n').flatMap((paragraph) => ['', ...brokenLines(paragraph, width)]);
  const codes = brokenLines(
    `Exit codes: ${exitCodes}, 64 usage error${command.isServer ? '' : ', 130 stopped by Ctrl-C'}.`,
    width,
  );
  return [...brokenLines(usageLine(name, command), width), ...paragraphs, '', ...lines, '', ...codes];
}

function listText(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last;
}

/** Breaks a text at spaces into lines of at most `width` characters. */
export function brokenLines(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > Math.max(width, 20)) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
