import { type Fields, isFields } from '../api/wireValues.ts';
import { groupDigits } from '../chain/coin.ts';
import { showControls } from '../chain/text.ts';
import { isToolError, type Tool } from '../tools/tool.ts';
import { causeText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import { type Given, UsageError, widthOf } from './cliCommand.ts';
import { openSessions, sourcesOf } from './cliSources.ts';
import { printErrors, printJson, printLines } from './terminal.ts';

/** A column of a list: its header, and the members of a row that it shows, the first one that is there. */
type Column = readonly [header: string, ...members: readonly string[]];

/** How a list of an answer is written: the member that it is, what its rows are called, and what of them is shown. */
interface ListForm {
  readonly list: string;
  readonly noun: string;
  readonly columns: readonly Column[];
}

const forms: readonly ListForm[] = [
  {
    list: 'proposals',
    noun: 'proposals',
    columns: [
      ['ID', 'id'],
      ['Status', 'status', 'untrusted_status'],
      ['Ends', 'voting_end_time', 'deposit_end_time'],
      ['Title', 'untrusted_title', 'untrusted_reason'],
    ],
  },
  {
    list: 'supply',
    noun: 'denoms',
    columns: [
      ['Amount', 'amount'],
      ['Denom', 'untrusted_denom'],
      ['Shown as', 'display_amount'],
      ['Symbol', 'untrusted_symbol'],
    ],
  },
  {
    list: 'validators',
    noun: 'validators',
    columns: [
      ['Status', 'status'],
      ['Tokens', 'amount'],
      ['Share', 'share'],
      ['Commission', 'commission'],
      ['Jailed', 'jailed'],
      ['Operator', 'operator_address'],
      ['Moniker', 'untrusted_moniker'],
    ],
  },
];

/**
 * Asks a tool what an agent would ask, and prints the answer: for people, or as JSON with `--json`. The exit code is 1 where the
 * answer is that there is no such thing, and 2 where the source does not answer. Rejects with `UsageError` for a wrong input.
 */
export async function ask(name: string, operand: Fields, given: Given, signal: AbortSignal): Promise<number> {
  const { tools } = await import('../tools/toolTable.ts');
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}`);
  if (given.addresses.length > 1) throw new UsageError('Name one --endpoint or one --state.');
  const input = inputOf(tool, { ...given.values, ...operand });
  const sources = sourcesOf(given);
  const sessions = openSessions(given);
  try {
    const answer = await tool.run(input, { sources, sessions, admits: () => false }, signal, () => undefined);
    if (given.values.json) printJson(answer);
    else printLines(answerLines(answer));
    // A chain answers for any denom; one that it does not have has an amount of 0.
    return typeof operand.denom === 'string' && answer.amount === '0' ? 1 : 0;
  } catch (error) {
    if (!isToolError(error)) throw error;
    // Behind the first sentence stands advice to a model.
    const [sentence = error.message] = /^.*?\.(?= [A-Z]|$)/s.exec(error.message) ?? [];
    const { cause } = error;
    const reason = cause ? `${sources[0].name} gave no answer: ${causeText(cause, plainEnglish)}.` : sentence;
    if (error.kind === 'input') throw new UsageError(reason, { cause: error });
    printErrors([reason]);
    return error.kind === 'missing' ? 1 : 2;
  } finally {
    await sessions.dispose();
  }
}

/** The options and the operand that the tool knows by the same names, as its schema wants them. */
function inputOf({ inputSchema }: Tool, values: Fields): Fields {
  const known = Object.entries(values).filter(([name]) => Object.hasOwn(inputSchema.properties, name));
  const read = known.map(([name, value]) => {
    const { type, minimum = 0, maximum = 0, enum: words } = inputSchema.properties[name] ?? {};
    if (words && !words.includes(String(value)))
      throw new UsageError(`--${name} ${value}: expected one of ${words.join(', ')}.`);
    const number = /^\d+$/.test(String(value)) ? Number(value) : -1;
    if (Array.isArray(type) && number < 0) throw new UsageError(`"${value}" is no number.`);
    if (type === 'integer' && (number < minimum || number > maximum))
      throw new UsageError(`--${name} ${value}: expected a whole number from ${minimum} to ${maximum}.`);
    return [name, type === 'integer' ? number : value];
  });
  return Object.fromEntries(read);
}

function answerLines(answer: Fields): readonly string[] {
  const form = forms.find(({ list }) => Array.isArray(answer[list]));
  return form && isFields(answer.metadata) ? listLines(answer, form) : factLines(answer);
}

/** An answer for people: its list as a table, and below it where that is from and how to see more. */
function listLines(answer: Fields, { list, noun, columns }: ListForm): readonly string[] {
  const rows = rowsIn(answer[list]);
  const cells = rows.map((row) =>
    columns.map(([, ...members]) =>
      cellOf(
        row,
        members.find((name) => name in row),
      ),
    ),
  );
  const metadata = isFields(answer.metadata) ? answer.metadata : {};
  const { total, next_key: key } = metadata;
  const count = typeof total === 'number' ? `${rows.length} of ${total}` : `${rows.length}`;
  const more = typeof key === 'string' ? ` ${moreText(key)}` : '';
  const lines = rows.length > 0 ? [...tableOf([columns.map(([header]) => header), ...cells]), ''] : [];
  return [...lines, ...originOf(answer), `${count} ${noun}.${more}`];
}

/** How to go on. A key comes from a node, and what is printed here is pasted into a shell. */
function moreText(key: string): string {
  return /^[\w.+/=-]+$/.test(key)
    ? `The next ones: --key '${key}'`
    : 'There are more, behind a key that cannot be typed.';
}

/** An answer about one thing for people: each member on a line of its own, lists of small things as tables. */
function factLines(answer: Fields): readonly string[] {
  const {
    source: _source,
    chain_id: _chain,
    untrusted_chain_id: _named,
    height: _height,
    time: _time,
    time_estimated_from: _from,
    untrusted_notices: _notices,
    notice: _notice,
    ...facts
  } = answer;
  return [...blockOf(facts), '', ...originOf(answer)];
}

/** Where and when the facts are from. */
function originOf({
  source,
  chain_id: own,
  untrusted_chain_id: chain = own,
  height,
  time,
  time_estimated_from: from,
  untrusted_notices: notices,
  notice,
}: Fields): readonly string[] {
  const moment = time && (from === undefined ? lineOf(time) : `${lineOf(time)} (estimated from ${lineOf(from)})`);
  const parts = [chain && `chain ${lineOf(chain)}`, height && `height ${lineOf(height)}`, moment];
  const said = [notice, ...(Array.isArray(notices) ? notices : [])].filter((one) => one !== undefined);
  return [[lineOf(source), ...parts.filter(Boolean)].join(', '), ...said.map((one) => `Notice: ${lineOf(one)}`)];
}

/** The members of an object; what is not known with its reason. */
function blockOf({ unknown, ...members }: Fields): readonly string[] {
  const entries = Object.entries(members).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const isShort = ([, value]: readonly [string, unknown]): boolean => textOf(value) !== undefined || value === null;
  const width = widthOf(entries.filter(isShort).map(([name]) => labelOf(name)));
  const reasons = isFields(unknown) ? unknown : {};
  return entries.flatMap(([name, value]) => {
    const label = labelOf(name);
    const text = value === null ? `not known: ${lineOf(reasons[name] ?? '')}` : textOf(ownWords(name, value));
    if (text !== undefined && !/[\r\n]/.test(text)) return `${label.padEnd(width)}  ${text}`;
    return [label, ...partsOf(value).map((line) => `  ${line}`.trimEnd())];
  });
}

/** What stands below a label: a text of several lines, an object, or a list of objects. */
function partsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return showControls(value).split(/\r\n|\r|\n/);
  if (isFields(value)) return blockOf(value);
  const rows = rowsIn(value);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== 'unknown');
  const isFlat = rows.every((row) => names.every((name) => row[name] == null || textOf(row[name]) !== undefined));
  if (!isFlat) return rows.flatMap((row, at) => (at > 0 ? ['', ...blockOf(row)] : blockOf(row)));
  return tableOf([names.map(labelOf), ...rows.map((row) => names.map((name) => cellOf(row, name)))]);
}

function rowsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** A value that stands on one line; undefined for what needs several. A description keeps its line ends. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return /[\r\n]/.test(value) ? value : lineOf(value);
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    const parts = value.map(textOf);
    return parts.every((part) => part !== undefined) && parts.join(', ').length < 200 ? parts.join(', ') : undefined;
  }
  return isFields(value) ? amountOf(value) : undefined;
}

/** `437.5 SAMPLE (437,500,000 usample)`. */
function amountOf(value: Fields): string | undefined {
  const { amount, untrusted_denom: denom, display_amount: shown, untrusted_symbol: symbol, ...others } = value;
  if (typeof amount !== 'string' || !/^-?\d+$/.test(amount) || Object.keys(others).length > 0) return undefined;
  const base = [groupDigits(BigInt(amount)), denom && lineOf(denom)].filter(Boolean).join(' ');
  return shown === undefined ? base : `${lineOf([shown, symbol].filter(Boolean).join(' '))} (${base})`;
}

/** `would_fail` → `would fail`: words of ours, which no text of a chain is. */
function ownWords(name: string, value: unknown): unknown {
  const isOurs = typeof value === 'string' && !name.startsWith('untrusted_') && /^[a-z]+(?:_[a-z]+)+$/.test(value);
  return isOurs ? value.replaceAll('_', ' ') : value;
}

function cellOf(row: Fields, name: string | undefined): string {
  const value = name === undefined ? undefined : ownWords(name, row[name]);
  if (value === null) return 'not known';
  return value === undefined ? '' : lineOf(textOf(value) ?? '');
}

/** Columns as wide as their longest cell, two spaces apart; those of numbers end at the same place. */
function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const [header = [], ...body] = rows;
  const widths = header.map((_, at) => widthOf(rows.map((row) => row[at] ?? '')));
  const isNumber = header.map((_, at) => body.every((row) => /^[\d,.]*$/.test(row[at] ?? '')));
  const pad = (cell: string, at: number): string =>
    isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}

/** `untrusted_voting_end` → `Voting end`. */
function labelOf(name: string): string {
  const words = lineOf(name.replace(/^untrusted_/, '').replaceAll('_', ' '));
  return words === 'id' ? 'ID' : words.charAt(0).toUpperCase() + words.slice(1);
}

/** A text on one line: controls, which terminals obey, are shown, and times are shortened to the second. */
function lineOf(value: unknown): string {
  const text = String(value).replace(/\s+/g, ' ').trim();
  return showControls(text).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}
