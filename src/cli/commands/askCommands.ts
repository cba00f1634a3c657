import { descending } from '../../chain/coin.ts';
import type { Fields } from '../../chain/fields.ts';
import type { AnswerHead, ListMetadata } from '../../tools/answers/answerSchema.ts';
import type { Tool } from '../../tools/question/tool.ts';
import { isToolError } from '../../tools/question/toolError.ts';
import type { ToolAnswers } from '../../tools/toolTable.ts';
import { causeText } from '../../words/errorWords.ts';
import { plainEnglish } from '../../words/language.ts';
import { type Given, stateAddress, UsageError } from '../cliCommand.ts';
import { openSessions, sourcesOf } from '../cliSources.ts';
import {
  type Line,
  printErrors,
  printJson,
  printLines,
  printTabs,
  progress,
  terminalWidth,
  withTerminalProgress,
} from '../terminal.ts';
import {
  comparedLines,
  countLine,
  denomLines,
  differenceColumns,
  holderColumns,
  originLines,
  paramColumns,
  paramRows,
  sumLines,
  supplyColumns,
  validatorColumns,
} from '../text/answerText.ts';
import { blockLines, factRows } from '../text/factText.ts';
import { proposalColumns, proposalLines, voteColumns } from '../text/proposalText.ts';
import { type Listing, type TextColumn, tableLines, tsvRows } from '../text/textTable.ts';

/** An answer in its printed forms: for people, and as lines with tabs for scripts. */
interface Printed {
  readonly lines: () => readonly Line[];
  readonly tsv: () => readonly (readonly string[])[];
  /** Says that there are more rows. Lines with tabs do not say so. */
  readonly more?: string | undefined;
  /** The answer, if its rows are in another order than the source gave. */
  readonly json?: Fields;
  /** True if the answer is that the thing does not exist. */
  readonly isMissing?: boolean;
}

type Answers = ToolAnswers;
type Name = keyof Answers;

/** Asks a tool, and prints its answer. */
type AskTool = <N extends Name>(name: N, input: Fields, print: (answer: Answers[N]) => Printed) => Promise<number>;

/** The number of rows of a table, unless another is given. */
const defaultRows = 20;

/** The question of each command, by its name. */
const asking: Readonly<Record<string, (given: Given, ask: AskTool) => Promise<number>>> = {
  proposals: ({ values }, ask) => {
    const { 'ends-before': before, ...others } = values;
    return ask('list_proposals', { ...others, ends_before: before }, (answer) =>
      list(answer, { noun: 'proposals', rows: answer.proposals, columns: proposalColumns }, answer.notice),
    );
  },
  proposal: ({ operands: [id], values: { votes, of } }, ask) =>
    ask('get_proposal', { id, votes, votes_of: of }, (answer) => ({
      lines: () => [...blockLines(proposalLines(answer)), '', ...originLines(answer)],
      tsv: () => factRows(answer),
    })),
  votes: ({ operands: [id], values }, ask) => {
    const { of, sort = 'power' } = values;
    return ask('get_proposal', of === undefined ? { id, votes: true } : { id, votes_of: of }, (answer) => {
      const votes = of === undefined ? answer.validator_votes : answer.votes_of;
      const reason = answer.unknown?.[of === undefined ? 'validator_votes' : 'votes_of'];
      if (!votes) return missing(`Votes on proposal ${answer.id} are unknown: ${reason}.`);
      const rows = sort === 'power' ? votes : sortedBy(votes, voteColumns, sort);
      const printed = list(
        { ...answer, metadata: cut(rows, values) },
        { noun: 'votes', rows: limited(rows, values), columns: voteColumns },
      );
      return { ...printed, json: { ...answer, [of === undefined ? 'validator_votes' : 'votes_of']: rows } };
    });
  },
  supply: ({ operands: [denom], values }, ask) =>
    ask('get_supply', denom === undefined ? { ...values, holder: values.of } : oneDenom(denom, values), (answer) => {
      const rows = answer.supply ?? answer.balances;
      if (answer.metadata && rows)
        return list(
          { ...answer, metadata: answer.metadata },
          { noun: 'denoms', rows, columns: supplyColumns },
          answer.notice,
        );
      return {
        lines: () => [...blockLines(denomLines(answer)), '', ...originLines(answer, answer.notice)],
        tsv: () => factRows(answer),
        // A chain answers for any denom. The amount is 0 for one that it does not have.
        isMissing: answer.amount === '0',
      };
    }),
  holders: ({ operands: [denom], values }, ask) =>
    ask('get_supply', { denom, holders: Math.min(wantedRows(values), mostHolders) }, (answer) => {
      const { largest_holders: largest, unknown } = answer;
      if (answer.amount === '0') return missing('There are no coins of this denom on the chain.');
      if (!largest) return missing(`The holders are unknown: ${unknown?.largest_holders}.`);
      const { sort = 'amount' } = values;
      const rows = sort === 'amount' ? largest : sortedBy(largest, holderColumns, sort);
      const noun = sort === 'amount' ? 'holders, largest first' : 'holders';
      const metadata = { returned: rows.length, truncated: false, next_key: null };
      const { more_holders_with_last_amount: tied = 0 } = answer;
      const notice = tied > 0 ? `${tied} more hold the same amount as the last one.` : undefined;
      const printed = list({ ...answer, metadata }, { noun, rows, columns: holderColumns }, notice);
      return { ...printed, json: { ...answer, largest_holders: rows } };
    }),
  validators: ({ values }, ask) => {
    const { 'min-amount': least, ...others } = values;
    return ask('list_validators', { ...others, min_amount: least }, (answer) => {
      const printed = list(answer, { noun: 'validators', rows: answer.validators, columns: validatorColumns });
      return { ...printed, lines: () => [...printed.lines(), '', ...sumLines(answer)] };
    });
  },
  params: ({ operands: [module], values }, ask) =>
    ask('get_params', { module }, (answer) => {
      const { sort = 'module' } = values;
      const found = answer.modules.flatMap(paramRows);
      const rows = sort === 'module' ? found : sortedBy(found, paramColumns, sort);
      const notRead = (answer.not_read ?? []).map(
        (one) => `Not read: ${one.module ?? 'a module'}: ${one.untrusted_reason}`,
      );
      const all = values.limit === undefined ? { ...values, all: true } : values;
      const printed = list(
        { ...answer, metadata: cut(rows, all) },
        { noun: 'parameters', rows: limited(rows, all), columns: paramColumns },
      );
      return { ...printed, lines: () => [...printed.lines(), ...notRead], more: printed.more ?? notRead[0] };
    }),
  compare: ({ operands: [left, right], values }, ask) => {
    const { sort, ...others } = values;
    if (sort !== undefined && values.key !== undefined)
      throw new UsageError('Use either --sort or --key: --key cannot continue a sorted list.');
    // The source has its own order, so all rows are asked for.
    const all = sort === undefined ? {} : { limit: `${Number.MAX_SAFE_INTEGER}` };
    return ask('compare_sources', { ...others, ...all, left, right }, (answer) => {
      const { differences } = answer;
      const wanted = values.all || values.limit !== undefined ? values : { ...values, limit: `${comparedRows}` };
      const rows = sort === undefined ? differences : limited(sortedBy(differences, differenceColumns, sort), wanted);
      const metadata = sort === undefined ? answer.metadata : cut(differences, wanted);
      const listing = { noun: 'differences', rows, columns: differenceColumns };
      return {
        lines: () => [
          ...(rows.length > 0 ? [...tableLines(listing, terminalWidth()), ''] : []),
          ...comparedLines(answer),
          countLine(rows.length, listing.noun, metadata),
        ],
        tsv: () => tsvRows(listing),
        json: { ...answer, metadata, differences: rows },
        more: metadata.truncated ? countLine(rows.length, listing.noun, metadata) : undefined,
      };
    });
  },
};

/** Gives the question about one denom. */
function oneDenom(denom: string, { split, of: holder, at }: Given['values']): Fields {
  return { denom, split, holder, at };
}

/** The number of rows of a comparison, unless another is given. */
const comparedRows = 100;

/** The limit for the holders that a source is asked for. */
const mostHolders = 100_000;

type OptionValues = Given['values'];

function wantedRows({ all, limit }: OptionValues): number {
  return all ? Number.MAX_SAFE_INTEGER : Number(limit ?? defaultRows);
}

function limited<Row>(rows: readonly Row[], values: OptionValues): readonly Row[] {
  return rows.slice(0, wantedRows(values));
}

/** Gives the number of rows to show, if all rows are at hand. */
function cut(rows: readonly unknown[], values: OptionValues): ListMetadata {
  const returned = limited(rows, values).length;
  return { total: rows.length, returned, truncated: returned < rows.length, next_key: null };
}

/** Gives rows in the order of a column. Differences come by their size, the greatest first. */
function sortedBy<Row>(rows: readonly Row[], columns: readonly TextColumn<Row>[], name: string): readonly Row[] {
  const column = columns.find((one) => one.name === name);
  const textOf = (row: Row): string => String(column?.value(row) ?? '');
  if (name !== 'difference') return rows.toSorted((a, b) => textOf(a).localeCompare(textOf(b), 'en'));
  const sizes = new Map(rows.map((row) => [row, BigInt(textOf(row).replace('-', '') || '-1')]));
  return rows.toSorted((a, b) => descending(sizes.get(a) ?? 0n, sizes.get(b) ?? 0n));
}

function missing(sentence: string): Printed {
  return { lines: () => [sentence], tsv: () => [], more: sentence, isMissing: true };
}

/** Gives a list with its source, and how to see more. */
function list<Row>(
  answer: AnswerHead & { readonly metadata: ListMetadata },
  listing: Listing<Row>,
  notice?: string,
): Printed {
  const { rows, noun } = listing;
  const { truncated } = answer.metadata;
  const more = countLine(rows.length, noun, answer.metadata);
  return {
    lines: () => [
      ...(rows.length > 0 ? [...tableLines(listing, terminalWidth()), ''] : []),
      ...originLines(answer, notice),
      more,
    ],
    tsv: () => tsvRows(listing),
    more: truncated ? more : undefined,
  };
}

/**
 * Asks the question of a command, and prints the answer: for people, as JSON (`--json`, the same that agents get), or
 * as lines with tabs (`--tsv`). The exit code is 1 if the thing does not exist, and 2 if the source does not answer.
 * Rejects with `UsageError` for a wrong input.
 */
export async function ask(command: string, given: Given, signal: AbortSignal): Promise<number> {
  const { values } = given;
  if (values.json && values.tsv) throw new UsageError('Use either --json or --tsv.');
  if (values.all && values.limit !== undefined) throw new UsageError('Use either --all or --limit.');
  if (values.limit !== undefined && !/^[1-9]\d{0,8}$/.test(values.limit))
    throw new UsageError(`--limit ${values.limit}: expected a whole number above 0.`);
  const isComparison = command === 'compare';
  if (!isComparison && given.addresses.length > 1) throw new UsageError('Use one --endpoint or one --state.');
  const asked = isComparison ? comparedOf(given) : given;
  const run = asking[command];
  if (!run) throw new Error(`There is no question for ${command}`);
  const sources = sourcesOf(asked);
  const named = isComparison ? { ...asked, operands: sources.map(({ id, name }) => id || name) } : asked;
  const { toolsByName } = await import('../../tools/toolTable.ts');
  return run(named, (name, input, print) => askTool({ tool: toolsByName[name], input, print }, asked, signal));
}

/** Gives a comparison with its sides as addresses: two operands, or one at two heights. */
function comparedOf(given: Given): Given {
  const { operands, heights } = given;
  const sides = operands.map(operandAddress);
  const [left = ''] = sides;
  const { height: _height, ...values } = given.values;
  if (heights.length === 0) {
    if (sides.length < 2) throw new UsageError('Expected LEFT and RIGHT, or LEFT and --height twice.');
    return { ...given, operands: sides, addresses: sides };
  }
  if (sides.length > 1 || heights.length !== 2)
    throw new UsageError('Use --height twice, with LEFT alone. For two sources, add #height=N to each address.');
  for (const height of heights)
    if (!/^[1-9]\d{0,18}$/.test(height)) throw new UsageError(`--height ${height}: expected a block height.`);
  if (!/^http/i.test(left))
    throw new UsageError('A state file has only one height. Use --height with the address of a node.');
  const addresses = heights.map((height) => `${left}#height=${height}`);
  return { ...given, values, heights: [], operands: addresses, addresses };
}

/** Gives the address of a side of a comparison. It is an address if it has `http`, otherwise a state. */
function operandAddress(operand: string): string {
  if (operand.trim() === '') throw new UsageError('LEFT or RIGHT is empty.');
  return /^(?:https?|file):/i.test(operand) ? operand : stateAddress(operand);
}

interface Asked<A extends Fields> {
  readonly tool: Tool<A>;
  readonly input: Fields;
  readonly print: (answer: A) => Printed;
}

async function askTool<A extends Fields>(
  { tool, input, print }: Asked<A>,
  given: Given,
  signal: AbortSignal,
): Promise<number> {
  const sources = sourcesOf(given);
  const sessions = openSessions(given);
  const asked = inputOf(tool, { ...input, ...(given.values.all ? { limit: `${Number.MAX_SAFE_INTEGER}` } : {}) });
  const host = { sources, sessions, admits: (): boolean => false, isUnbounded: true };
  const names = sources.slice(0, 2).map(({ name }) => name);
  const onProgress = (rows: number): void => progress.say(`Querying ${names.join(' and ')}: ${rows} rows`);
  try {
    const answer = await withTerminalProgress(`Querying ${names.join(' and ')}`, () =>
      tool.run(asked, host, signal, onProgress),
    );
    const printed = print(answer);
    if (given.values.json) printJson(printed.json ?? answer);
    else if (given.values.tsv) {
      printTabs(printed.tsv());
      if (printed.more !== undefined) printErrors([printed.more]);
    } else printLines(printed.lines());
    return printed.isMissing ? 1 : 0;
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { cause } = error;
    const reason = cause ? `Could not read ${sources[0].name}: ${causeText(cause, plainEnglish)}.` : error.reason;
    if (error.kind === 'input') throw new UsageError(reason, { cause: error });
    printErrors([reason]);
    return error.kind === 'missing' ? 1 : 2;
  } finally {
    await sessions.dispose();
  }
}

/** Gives the options and operands that the tool knows by the same names, in the types of its schema. */
function inputOf({ inputSchema }: Pick<Tool, 'inputSchema'>, values: Fields): Fields {
  const known = Object.entries(values).filter(
    ([name]) => name !== 'height' && Object.hasOwn(inputSchema.properties, name),
  );
  const read = known.flatMap(([name, value]) => {
    if (value === undefined) return [];
    const { type } = inputSchema.properties[name] ?? {};
    const number = /^\d+$/.test(String(value)) ? Number(value) : -1;
    if (Array.isArray(type) && number < 0) throw new UsageError(`"${value}" is not a number.`);
    return [[name, type === 'integer' ? number : value] as const];
  });
  return Object.fromEntries(read);
}
