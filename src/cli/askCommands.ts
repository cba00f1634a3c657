import { type Fields, isFields } from '../api/wireValues.ts';
import { showControls } from '../chain/text.ts';
import { isToolError, type Tool } from '../tools/tool.ts';
import { causeText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import { factsText, type ListForm, listText } from './answerText.ts';
import { type Given, UsageError } from './cliCommand.ts';
import { openSessions, sourcesOf } from './cliSources.ts';

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
 * answer is that there is no such thing, and 2 where the source does not answer. Rejects with `UsageError`.
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
    process.stdout.write(given.values.json ? `${JSON.stringify(answer, null, 2)}\n` : textOf(answer));
    return 0;
  } catch (error) {
    if (!isToolError(error)) throw error;
    const cause =
      error.cause && `${sources[0].name} gave no answer: ${showControls(causeText(error.cause, plainEnglish))}.`;
    // Behind the first sentence stands advice to a model.
    process.stderr.write(`${cause ?? /^.*?\.(?= [A-Z]|$)/s.exec(error.message)?.[0] ?? error.message}\n`);
    return error.kind === 'input' ? 1 : 2;
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

function textOf(answer: Fields): string {
  const form = forms.find(({ list }) => Array.isArray(answer[list]));
  return form && isFields(answer.metadata) ? listText(answer, form) : factsText(answer);
}
