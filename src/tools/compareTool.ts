import type { DenomUnit } from '../chain/coin.ts';
import type { Fields } from '../chain/fields.ts';
import {
  amountChange,
  type Comparable,
  type ComparedName,
  type ComparedSection,
  ComparedSideError,
  compareSources,
  type Difference,
  type Side,
  type SideRow,
  sides,
} from '../reads/compare/compare.ts';
import { compareMore, type MoreCompared, moreNames } from '../reads/compare/compareMore.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import { causeText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import {
  displayOf,
  endedBefore,
  headOf,
  listAnswer,
  pastHeight,
  readKey,
  stated,
  untrusted,
} from './answers/answer.ts';
import {
  bareListSchema,
  headMembers,
  headRequired,
  listOf,
  maybe,
  membersOf,
  record,
  text,
} from './answers/answerSchema.ts';
import { defineTool } from './question/defineTool.ts';
import { withSource } from './question/questionSource.ts';
import type { Question, ToolAnswer } from './question/tool.ts';
import { ToolError } from './question/toolError.ts';
import { heightParameter, keyParameter, limitParameter, sourceParameter } from './question/toolInput.ts';

const everything = 'all';
const comparedNames = ['supply', 'community_pool', 'proposals', 'validators', 'params'] as const;
const wantedRows = 100;

/** No section holds these. Two sources without a difference may still differ in them. */
const neverCompared = [
  'votes, tallies and deposits of proposals, and what they would do',
  'balances, delegations and vesting of accounts',
] as const;

/** Lists the differences between two sources, page by page. */
export const compareTool = defineTool({
  name: 'compare_sources',
  title: 'Compare Two Sources',
  description:
    'Differences between two sources, or one node at two heights: supply, community pool, status and title of proposals, validators, parameters. ' +
    '"added": only on the right. "gone": only on the left. "not_compared": what was left out.',
  inputSchema: {
    type: 'object',
    properties: {
      left: { ...sourceParameter, description: 'First source: name, address or chain ID.' },
      right: { ...sourceParameter, description: 'Second source. Default: "left".' },
      left_height: { ...heightParameter, description: 'Nodes only: "left" after this block.' },
      right_height: { ...heightParameter, description: 'The same for "right".' },
      what: {
        type: 'string',
        enum: [...comparedNames, everything],
        description: 'Only this part. Default: all.',
      },
      module: { type: 'string', maxLength: 200, description: 'Only parameters of these modules ("gov,staking").' },
      limit: { ...limitParameter, default: wantedRows },
      key: keyParameter,
    },
    required: ['left'],
    additionalProperties: false,
  },
  outputSchema: bareListSchema(
    'differences',
    membersOf(
      {
        section: text,
        change: text,
        untrusted_key: text,
        untrusted_left: maybe(text),
        untrusted_right: maybe(text),
        difference: text,
        display_amount: text,
        untrusted_left_title: text,
        untrusted_right_title: text,
      },
      'section',
      'change',
      'untrusted_key',
    ),
    {
      left: membersOf(headMembers, ...headRequired),
      right: membersOf(headMembers, ...headRequired),
      counts: record,
      not_compared: listOf(text),
      untrusted_modules_of_one_side: record,
    },
  ),
  answer: async (question) => {
    const { input } = question;
    const [left, right = left] = [input.text('left'), input.text('right')];
    if (input.text('right') === undefined && input.number('left_height') === input.number('right_height'))
      throw new ToolError(
        'input',
        'compare_sources needs "right", or two different heights of one node.',
        'Pass them as "left_height" and "right_height".',
      );
    const start = readStart(input.text('key'));
    // The source that fails is named by its own question, because only that knows its label.
    const ofLeft = async (one: Session): Promise<ToolAnswer> => {
      const ofRight = async (other: Session): Promise<ToolAnswer | ComparedSideError> => {
        const compared = await answerOf(question, { left: one, right: other }, start).catch(failureOfSide);
        if (compared instanceof ComparedSideError && compared.side === 'right') throw compared.cause;
        return compared;
      };
      const found = await withSource(question, right, ofRight, 'right_height');
      if (found instanceof ComparedSideError) throw found.cause;
      return found;
    };
    return withSource(question, left, ofLeft, 'left_height');
  },
});

function failureOfSide(error: unknown): ComparedSideError {
  if (error instanceof ComparedSideError) return error;
  throw error;
}

type Sides = Readonly<Record<Side, Session>>;

/** The start of a page, and the heights of the page before it. */
interface Start {
  readonly skip: number;
  readonly heights: Readonly<Record<Side, bigint | undefined>>;
}

/** Reads the start. Throws a `ToolError` for a text that is none of our keys. */
function readStart(key: string | undefined): Start {
  const { skip, page } = readKey(key);
  const [left = '', right = ''] = page.split('-');
  const toHeight = (text: string): bigint | undefined => (/^\d{1,19}$/.test(text) ? BigInt(text) : undefined);
  return { skip, heights: { left: toHeight(left), right: toHeight(right) } };
}

/** The sections of both sides, and the heights that they are of. */
interface ReadSections {
  readonly sections: readonly (readonly [ComparedName, ComparedSection<ComparedName>])[];
  readonly heights: Start['heights'];
  readonly dropped: Readonly<Record<Side, string | undefined>>;
  readonly others: MoreCompared | undefined;
}

/** Reads the sections. An error of one side becomes a `ComparedSideError`. */
async function readSections(
  { signal, onProgress }: Question,
  both: Sides,
  asked: Start['heights'],
  wanted: readonly ComparedName[],
  modules: readonly string[] | undefined,
): Promise<ReadSections> {
  const rows = { left: 0, right: 0 };
  const onRows = (side: Side, count: number): void => {
    rows[side] = count;
    onProgress(rows.left + rows.right);
  };
  const lists = (['supply', 'proposals'] as const).filter((name) => wanted.includes(name));
  const more = moreNames.filter((name) => wanted.includes(name));
  const sources = { left: atHeight(both.left, asked.left), right: atHeight(both.right, asked.right) };
  const compared = lists.length > 0 ? await compareSources(sources, signal, onRows, lists) : undefined;
  const heightOf = (side: Side): bigint | undefined => compared?.[side].height ?? asked[side] ?? pastHeight(both[side]);
  const standing = { left: heightOf('left'), right: heightOf('right') };
  const others = more.length > 0 ? await compareMore(both, standing, { names: more, modules }, signal) : undefined;
  const [first] = more;
  const section = first && others?.[first];
  if (!compared && section?.kind === 'missing' && section.error !== undefined)
    throw new ComparedSideError(section.side, both[section.side], section.error);
  const sectionOf = (name: ComparedName): ComparedSection<ComparedName> | undefined =>
    name === 'supply' || name === 'proposals' ? compared?.[name] : others?.[name];
  return {
    sections: wanted.flatMap((name) => {
      const own = sectionOf(name);
      return own ? [[name, own] as const] : [];
    }),
    heights: { left: standing.left ?? others?.heights.left, right: standing.right ?? others?.heights.right },
    dropped: { left: compared?.left.unpinnedReason, right: compared?.right.unpinnedReason },
    others,
  };
}

async function answerOf(question: Question, both: Sides, { skip, heights: asked }: Start): Promise<ToolAnswer> {
  const { input, signal } = question;
  const modules = input
    .text('module')
    ?.split(',')
    .map((name) => name.trim().toLowerCase());
  const what = input.oneOf('what', comparedNames);
  if (modules && what !== undefined && what !== 'params')
    throw new ToolError('input', `"module" applies only to parameters. Leave out "what" or set it to "params".`);
  const only = modules ? 'params' : what;
  const wanted = only === undefined ? comparedNames : [only];
  const { sections, heights, dropped, others } = await readSections(question, both, asked, wanted, modules);
  if (wanted.some(hasDenom)) await both.left.lists.supply.loadUnits(toolQuestion(both.left, signal));
  const headOfSide = (side: Side): Promise<Fields> =>
    headOf(question, both[side], { height: heights[side], unpinnedReason: dropped[side] }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new ComparedSideError(side, both[side], error);
    });
  const head = { left: await headOfSide('left'), right: await headOfSide('right') };
  const counts = Object.fromEntries(sections.map(([name, section]) => [name, countsOf(section)]));
  const differences = sections.flatMap(([, section]) => (section.kind === 'compared' ? section.differences : []));
  const { supply } = both.left.lists;
  if (skip > 0 && skip >= differences.length) throw endedBefore();
  const shown = differences.slice(skip, skip + (input.number('limit') ?? wantedRows));
  const place = `${heights.left ?? ''}-${heights.right ?? ''}`;
  return listAnswer(
    question.host,
    { ...head, counts, not_compared: neverCompared, ...modulesOfOneSide(others) },
    'differences',
    {
      rows: shown.map((row) => differenceRow(row, hasDenom(row.section) ? supply.unit(row.key) : undefined)),
      total: differences.length,
      keyAfter: (count) => (skip + count < differences.length ? `${skip + count}.${place}` : undefined),
    },
  );
}

/** Gives the source with its reads at a height, if one is given. */
function atHeight(session: Session, height: bigint | undefined): Comparable {
  const { source, notices } = session;
  if (height === undefined || source.kind !== 'http') return session;
  return { source, notices, node: async () => (await session.node()).at(height) };
}

function countsOf(section: ComparedSection<ComparedName>): Fields {
  if (section.kind === 'missing') {
    const { side, error } = section;
    const reason = `the ${side} source ${error === undefined ? 'does not provide it' : 'could not provide it'}`;
    const said = error === undefined ? {} : { untrusted_reason: untrusted(causeText(error, plainEnglish)) };
    return stated({ differences: undefined, ...said }, { differences: reason });
  }
  const count = (change: string): number => section.differences.filter((one) => one.change === change).length;
  return { added: count('added'), gone: count('gone'), changed: count('changed') };
}

/** Gives the modules whose parameters only one side states. */
function modulesOfOneSide(others: MoreCompared | undefined): Fields {
  if (!others) return {};
  const listed = sides.flatMap((side) => {
    const names = others.notCompared[side];
    return names.length > 0 ? [[side, names.slice(0, 50).map(untrusted)] as const] : [];
  });
  return listed.length > 0 ? { untrusted_modules_of_one_side: Object.fromEntries(listed) } : {};
}

/** True if the keys of a section are denoms. */
function hasDenom(section: ComparedName): boolean {
  return section === 'supply' || section === 'community_pool';
}

function differenceRow(difference: Difference<ComparedName>, unit: DenomUnit | undefined): Fields {
  const { section, change, key, left, right } = difference;
  const amount = amountChange(difference);
  const value = (side: typeof left): string | null => (side ? untrusted(statusOf(side) ?? side.value) : null);
  return {
    section,
    change,
    untrusted_key: untrusted(key),
    untrusted_left: value(left),
    untrusted_right: value(right),
    ...(amount === undefined ? {} : { difference: `${amount}`, ...displayOf(amount, unit) }),
    ...(left?.title ? { untrusted_left_title: untrusted(left.title) } : {}),
    ...(right?.title ? { untrusted_right_title: untrusted(right.title) } : {}),
  };
}

/** Gives the status of a proposal in the word that other tools use for it. */
function statusOf({ group }: SideRow): string | undefined {
  return group === 'other' ? undefined : group;
}
