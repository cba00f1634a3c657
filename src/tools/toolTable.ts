import { isApiError } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import type { LoadPage } from '../api/pages.ts';
import type { Fields } from '../api/wireValues.ts';
import { type Coin, type DenomUnit, quotient, type SupplySplit } from '../chain/coin.ts';
import { toVoteFacts } from '../chain/fromWire.ts';
import { readSupplyOf, readSupplyPage, readValidators } from '../chain/nodeReads.ts';
import { shownText } from '../chain/text.ts';
import type { Validator } from '../chain/validator.ts';
import { orders, validatorHasText } from '../lists/validatorStore.ts';
import {
  amountChange,
  type ComparedSide,
  type Comparison,
  compareSources,
  type Difference,
  type SectionName,
  type Side,
  sectionNames,
} from '../session/compare.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import type { PastState } from '../session/source.ts';
import {
  amountOf,
  chainIdOf,
  displayOf,
  headOf,
  identifier,
  listAnswer,
  readWindow,
  Space,
  shareOf,
  stated,
  timeOf,
  untrusted,
  windowOf,
  wordOf,
} from './answer.ts';
import { getParams } from './paramsTool.ts';
import { getProposal, listProposals } from './proposalTools.ts';
import {
  absenceError,
  defineTool,
  keyParameter,
  limitParameter,
  maxTextLength,
  type Question,
  sourceLabel,
  sourceParameter,
  type Tool,
  type ToolAnswer,
  ToolError,
  withSource,
} from './tool.ts';

/** The supply, or what is known of one denom. */
const getSupply: Tool = defineTool({
  name: 'get_supply',
  title: 'Read the Supply',
  description:
    'The total supply of a Cosmos SDK chain: every denom with its amount in base units, all digits, and in display units where the chain or the registry states them. ' +
    'With "denom" that one alone, with its names, its origin where it came over IBC, and, of a state file or with "split", where its coins are.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      denom: { type: 'string', description: 'One denom as the chain names it ("uatom", "ibc/…"), not its symbol.' },
      split: {
        type: 'boolean',
        description:
          'With "denom": where its coins are also for a node, which is asked up to some 300 requests for it. Of a state file it always comes.',
      },
      limit: limitParameter,
      key: keyParameter,
    },
    additionalProperties: false,
  },
  answer: (question) =>
    withSource(question, question.input.text('source'), async (session) => {
      const denom = question.input.text('denom');
      await session.stores.supply.loadUnits(toolQuestion(session, question.signal));
      return denom === undefined ? listSupply(question, session) : oneDenom(question, session, denom);
    }),
});

async function listSupply(question: Question, session: Session): Promise<ToolAnswer> {
  const { input } = question;
  const node = await session.node();
  const load: LoadPage<Coin> = (request, signal) => readSupplyPage(node, request, signal);
  const wanted = input.number('limit') ?? limitParameter.default;
  const options = { idOf: ({ denom }: Coin): string => denom, limit: 200, wanted, key: input.text('key') };
  const found = await readWindow(question, load, options);
  const head = await headOf(question, session, found.info);
  const rows = found.rows.map((coin) => amountOf(coin, session.stores.supply.unit(coin.denom)));
  return listAnswer(head, 'supply', { ...found, rows });
}

async function oneDenom(question: Question, session: Session, denom: string): Promise<ToolAnswer> {
  const { signal } = question;
  const { supply } = session.stores;
  const { coin, height, split } = await readDenom(question, session, denom);
  const head = await headOf(question, session, { height });
  const origin = await supply.loadOrigin(denom, toolQuestion(session, signal));
  const { name, description } = supply.metadata(denom) ?? {};
  const alike = coin.amount === 0n ? supply.denomsOf(denom).filter((one) => one !== denom) : [];
  return new Space().members({
    ...head,
    ...amountOf(coin, supply.unit(denom)),
    is_staking_denom: supply.staking?.denom === denom,
    ...(coin.amount === 0n ? { notice: 'The chain holds none of this denom.' } : {}),
    ...(alike.length > 0 ? { untrusted_denoms_with_this_symbol: alike.slice(0, 10).map(untrusted) } : {}),
    ...(name ? { untrusted_name: untrusted(name) } : {}),
    ...(description ? { untrusted_description: untrusted(description) } : {}),
    ...(origin ? { untrusted_origin: `${untrusted(origin.base)} over ${untrusted(origin.path)}` } : {}),
    ...(split ? { split: splitAnswer(split, supply.unit(denom)) } : {}),
  });
}

interface ReadDenom {
  readonly coin: Coin;
  readonly height?: bigint | undefined;
  readonly split?: SupplySplit | undefined;
}

/** The supply of a denom with where its coins are, as far as that is wanted: both of one height. */
async function readDenom({ signal, onProgress, input }: Question, session: Session, denom: string): Promise<ReadDenom> {
  const read = await readCoin(session, denom, signal);
  const isWanted = session.source.kind !== 'http' || input.isSet('split');
  if (!isWanted || read.coin.amount === 0n) return read;
  const { readSplit } = await import('../session/readSplit.ts');
  const split = await readSplit(session, denom, { ...toolQuestion(session, signal), onProgress });
  if (split.origin === 'state') return { ...read, split };
  return { coin: { denom, amount: split.supply }, height: split.height, split };
}

/** The supply of a denom, of a node at a height where it answers at it; `height` is undefined where that is not known. */
async function readCoin(
  session: Session,
  denom: string,
  signal: AbortSignal,
): Promise<{ readonly coin: Coin; readonly height?: bigint }> {
  const { source } = session;
  const node = await session.node();
  try {
    const height = source.kind === 'http' ? await heightOf(node, source.at, signal) : undefined;
    if (height) return { coin: await readSupplyOf(node.at(height), denom, signal), height };
  } catch (error) {
    if (!isApiError(error)) throw error;
  }
  return { coin: await readSupplyOf(node, denom, signal) };
}

async function heightOf(node: ChainNode, at: PastState | undefined, signal: AbortSignal): Promise<bigint | undefined> {
  return at ? BigInt(at.height) : (await node.block('latest', signal))?.height;
}

/** The rows add up to the supply. */
function splitAnswer({ rows, holders, gaps, height, heightDropped }: SupplySplit, unit: DenomUnit | undefined): Fields {
  const { shown, left } = new Space(2).fit(
    rows.map(({ class: of, name, counterparty, amount }) => ({
      class: of,
      ...(name ? { untrusted_name: shownText(name, 200) } : {}),
      ...(counterparty ? { untrusted_counterparty: shownText(counterparty, 200) } : {}),
      amount: `${amount}`,
      ...displayOf(amount, unit),
    })),
  );
  return {
    ...(height === undefined ? {} : { height: `${height}` }),
    ...(heightDropped ? { untrusted_height_notice: untrusted(heightDropped) } : {}),
    ...(holders === undefined ? {} : { holders: `${holders}` }),
    rows: shown,
    ...(left > 0 ? { more_rows: left } : {}),
    ...(gaps.length > 0
      ? { not_asked_to_the_end: gaps.map(({ class: of, reason }) => `${of}: ${wordOf(reason)}`) }
      : {}),
  };
}

const listValidators: Tool = defineTool({
  name: 'list_validators',
  title: 'List Validators',
  description:
    'The validators of a Cosmos SDK chain, bonded ones first, the greatest first: operator address, moniker, status, whether jailed, amount of tokens in base units, ' +
    'share of all bonded tokens, commission as a share of 1.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      text: {
        type: 'string',
        maxLength: maxTextLength,
        description: 'Only validators that hold this in moniker or operator address.',
      },
      limit: limitParameter,
      key: keyParameter,
    },
    additionalProperties: false,
  },
  answer: (question) =>
    withSource(question, question.input.text('source'), async (session) => {
      const { input, signal } = question;
      const node = await session.node();
      const load: LoadPage<Validator> = async (request, abort) => {
        const page = await readValidators(node, request, abort);
        if (page) return page;
        throw absenceError(question, session, 'validators');
      };
      const keep = (row: Validator): boolean => validatorHasText(row, input.text('text') ?? '');
      const options = { idOf: ({ operator }: Validator): string => operator, limit: 1000, keep, key: undefined };
      const all = await readWindow(question, load, { ...options, wanted: Number.POSITIVE_INFINITY });
      const head = await headOf(question, session, all.info);
      await session.stores.supply.loadUnits(toolQuestion(session, question.signal));
      const power = await node.votingPower(signal).catch(() => undefined);
      const { bonded } = toVoteFacts(undefined, power, undefined);
      const wanted = input.number('limit') ?? limitParameter.default;
      const found = windowOf(all.rows.toSorted(orders.power), wanted, input.text('key'));
      const rows = found.rows.map((row) => validatorRow(row, session, bonded));
      return listAnswer(head, 'validators', { ...found, rows });
    }),
});

function validatorRow(row: Validator, { stores: { supply } }: Session, bonded: bigint | undefined): Fields {
  const { operator, moniker, status, jailed, tokens, commission } = row;
  const denom = supply.staking?.denom;
  const unit = denom === undefined ? undefined : supply.unit(denom);
  const share = bonded === undefined ? undefined : quotient(tokens, bonded);
  const members = {
    operator_address: identifier(operator),
    untrusted_moniker: shownText(moniker, 100),
    status,
    ...(jailed ? { jailed } : {}),
    amount: `${tokens}`,
    ...displayOf(tokens, unit),
    ...(status === 'bonded' ? { share: share === undefined ? undefined : shareOf(share) } : {}),
    commission: commission === undefined ? undefined : shareOf(commission),
  };
  return stated(members, { share: 'the source does not state its bonded tokens' });
}

const everything = 'all';

const compareTool: Tool = defineTool({
  name: 'compare_sources',
  title: 'Compare Two Sources',
  description:
    'What differs between two sources, such as two exports of a chain or a file and a node: amounts of the supply, statuses and titles of proposals, parameters of gov. ' +
    '"added" is on the right side only, "gone" on the left only. Reads of both all that is compared.',
  inputSchema: {
    type: 'object',
    properties: {
      left: { ...sourceParameter, description: 'The source that is compared from, named as "source" in other tools.' },
      right: { ...sourceParameter, description: 'The source that is compared to.' },
      what: { type: 'string', enum: [...sectionNames, everything], description: 'Only this; all of them if left out.' },
    },
    required: ['left', 'right'],
    additionalProperties: false,
  },
  answer: (question) => {
    const { input, signal, onProgress } = question;
    return withSource(question, input.text('left'), (left) =>
      withSource(question, input.text('right'), async (right) => {
        const counts = { left: 0, right: 0 };
        const only = input.oneOf('what', sectionNames);
        const onRows = (side: Side, rows: number): void => {
          counts[side] = rows;
          onProgress(counts.left + counts.right);
        };
        const wanted = only === undefined ? sectionNames : [only];
        const compared = await compareSources({ left, right }, signal, onRows, wanted);
        if (wanted.includes('supply')) await left.stores.supply.loadUnits(toolQuestion(left, signal));
        const heads = [await sideHead(question, left, compared.left), await sideHead(question, right, compared.right)];
        return comparisonAnswer(wanted, compared, heads, left);
      }),
    );
  },
});

async function sideHead(
  question: Question,
  session: Session,
  { height, heightDropped }: ComparedSide,
): Promise<Fields> {
  return headOf(question, session, { height, heightDropped });
}

function comparisonAnswer(
  wanted: readonly SectionName[],
  compared: Comparison,
  [left, right]: readonly Fields[],
  { stores: { supply } }: Session,
): ToolAnswer {
  const rows: Difference[] = [];
  const counts: Record<string, unknown> = {};
  for (const name of wanted) {
    const section = compared[name];
    if (section.kind === 'missing') {
      counts[name] = stated(
        { differences: undefined },
        { differences: `the ${section.side} source does not offer it` },
      );
      continue;
    }
    for (const one of section.differences) rows.push(one);
    const count = (change: string): number => section.differences.filter((one) => one.change === change).length;
    counts[name] = { added: count('added'), gone: count('gone'), changed: count('changed') };
  }
  return listAnswer({ left, right, counts }, 'differences', {
    rows: rows.slice(0, 500).map((row) => differenceRow(row, supply.unit(row.key))),
    total: rows.length,
    // There is no key: whoever needs every row narrows the question, or exports the comparison.
    keyAfter: () => undefined,
  });
}

function differenceRow(difference: Difference, unit: DenomUnit | undefined): Fields {
  const { section, change, key, left, right } = difference;
  const amount = amountChange(difference);
  const value = (side: typeof left): string | null => (side ? untrusted(side.value) : null);
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

const checkDraftTool: Tool = defineTool({
  name: 'check_draft',
  title: 'Check a Draft of a Proposal',
  description:
    'Checks a governance proposal before it is submitted, as JSON for `tx gov submit-proposal` or the legacy forms, against the parameters and rules of the chain as of now: ' +
    'what is certain to be refused or to fail, what is doubtful, with line, column and repairs. Nothing is sent but questions for parameters.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The whole JSON text of the draft.' },
      source: sourceParameter,
    },
    required: ['text'],
    additionalProperties: false,
  },
  answer: (question) =>
    withSource(question, question.input.text('source'), async (session) => {
      const { createReviewer } = await import('../draft/checkDraft.ts');
      const review = await createReviewer(() => session.node(), question.signal)(question.input.text('text') ?? '');
      if (!review)
        throw new ToolError(
          'input',
          '"text" is no draft of a proposal: a draft is JSON with "messages" and "deposit", or a legacy form with "title", "description" and "deposit".',
        );
      const { facts, counts, unchecked } = review;
      const rows = review.rows.map(({ line, column, severity, code, message, repairs }) => ({
        ...{ line, column, severity, code },
        untrusted_message: untrusted(message),
        ...(repairs.length > 0 ? { untrusted_repairs: repairs.map(({ title }) => untrusted(title)) } : {}),
      }));
      const head = stated({
        source: sourceLabel(session.source, question.host),
        ...chainIdOf(facts.chainId),
        height: facts.height === undefined ? undefined : `${facts.height}`,
        time: timeOf(facts.time),
        errors: counts.error,
        warnings: counts.warning,
        hints: counts.hint,
        ...(unchecked ? { unchecked } : {}),
      });
      return listAnswer(head, 'findings', { rows, total: rows.length, keyAfter: () => undefined });
    }),
});

/** The tools, in the order in which they are offered. */
export const tools: readonly Tool[] = [
  listProposals,
  getProposal,
  getSupply,
  listValidators,
  getParams,
  compareTool,
  checkDraftTool,
];
