import { heightFault, isApiError } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import type { LoadPage } from '../api/readPages.ts';
import { closestName } from '../chain/closestName.ts';
import type { Coin, DenomUnit } from '../chain/coin.ts';
import { type Fields, isFields } from '../chain/fields.ts';
import type { SupplySplit } from '../chain/supplySplit.ts';
import { readCommunityPool, readTopHolders } from '../reads/denomReads.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import type { PastState } from '../session/source.ts';
import {
  amountOf,
  exactAmount,
  headOf,
  identifier,
  listAnswer,
  longText,
  readWindow,
  Space,
  stated,
  untrusted,
  windowOf,
} from './answers/answer.ts';
import {
  amountSchema,
  answerSchema,
  coinMembers,
  count,
  denomAmountSchema,
  flag,
  listMetadataSchema,
  listOf,
  maybe,
  membersOf,
  number,
  rarely,
  record,
  text,
} from './answers/answerSchema.ts';
import { accountIn, checkOwnAccounts } from './answers/proposalMembers.ts';
import {
  circulatingAnswer,
  holderRow,
  type NotListed,
  noPool,
  noStake,
  type ReadDenom,
  scheduleAnswer,
  scheduleSchema,
  splitAnswer,
  stakeAnswer,
  unusedUnits,
  vestingAnswer,
} from './answers/supplyAnswer.ts';
import { defineTool } from './question/defineTool.ts';
import { sourceLabel, withSource } from './question/questionSource.ts';
import type { Question, ToolAnswer } from './question/tool.ts';
import { ToolError } from './question/toolError.ts';
import { heightParameter, keyParameter, limitParameter, maxTextLength, sourceParameter } from './question/toolInput.ts';

const holderSchema = membersOf({
  address: text,
  class: text,
  untrusted_name: text,
  amount: text,
  display_amount: text,
  share: text,
  untrusted_address: rarely(text),
  vesting_end: rarely(text),
});

const defaultHolders = 10;
const sorts = ['denom', 'amount', 'symbol', 'value'] as const;

/** Lists the supply, or gives the known facts of one denom. */
export const getSupply = defineTool({
  name: 'get_supply',
  title: 'Read the Supply',
  description:
    'Exact supply of a Cosmos SDK chain: every denom in base units, and display units where known. ' +
    'With "denom", only that one: names, IBC origin, community pool, circulating supply and how it is calculated. State files or "split": also where its coins are and its largest holders.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      height: heightParameter,
      denom: { type: 'string', description: 'A denom as the chain names it ("uatom", "ibc/…"), not a symbol.' },
      holder: {
        type: 'string',
        description: 'All denoms this account holds. With "denom": also its stake, unbonding and vesting.',
      },
      at: {
        type: 'string',
        maxLength: 40,
        description: 'With "denom", state files only: also what is vesting or unbonding at this time.',
      },
      split: {
        type: 'boolean',
        description: 'With "denom": where its coins are. Nodes: about 300 requests.',
      },
      holders: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        default: defaultHolders,
        description: 'With "denom": number of largest holders. Default on nodes: none.',
      },
      text: {
        type: 'string',
        maxLength: maxTextLength,
        description: 'Only denoms with this text in the name or symbol.',
      },
      sort: {
        type: 'string',
        enum: sorts,
        description: 'Default: "denom". "amount" and "value" (known denoms only): largest first.',
      },
      limit: limitParameter,
      key: keyParameter,
    },
    additionalProperties: false,
  },
  outputSchema: answerSchema({
    metadata: listMetadataSchema,
    supply: listOf(denomAmountSchema),
    balances: rarely(listOf(denomAmountSchema)),
    ...coinMembers,
    is_staking_denom: flag,
    holder: maybe(
      membersOf(
        {
          amount: text,
          display_amount: text,
          address: rarely(text),
          share: rarely(text),
          delegated: rarely(maybe(amountSchema)),
          self_delegation: rarely(amountSchema),
          delegations: rarely(
            listOf(
              membersOf({
                operator_address: maybe(text),
                amount: maybe(text),
                display_amount: rarely(text),
                untrusted_moniker: text,
              }),
            ),
          ),
          more_delegations: rarely(count),
          unbonding: rarely(maybe(amountSchema)),
          unbonding_entries: rarely(listOf(membersOf({ time: text, amount: text, display_amount: rarely(text) }))),
          more_unbonding_entries: rarely(count),
          vesting: maybe(
            membersOf({
              kind: text,
              start: maybe(text),
              end: maybe(text),
              original: text,
              not_vested: maybe(text),
              locked: maybe(text),
              at: rarely(text),
              delegated_vesting: rarely(text),
              spendable: rarely(maybe(text)),
              unknown: rarely(record),
            }),
          ),
          unknown: rarely(record),
        },
        'amount',
      ),
    ),
    schedule: maybe(scheduleSchema),
    community_pool: maybe(amountSchema),
    circulating_supply: maybe(amountSchema),
    circulating_terms: membersOf({
      supply: rarely(text),
      less_community_pool: rarely(maybe(text)),
      less_not_vested: rarely(maybe(text)),
      delegated: rarely(text),
      unknown: rarely(record),
    }),
    largest_holders: maybe(listOf(holderSchema)),
    more_holders_with_last_amount: rarely(count),
    untrusted_name: text,
    untrusted_origin: text,
    split: maybe(
      membersOf({
        holders: text,
        rewards_not_withdrawn: text,
        rows: listOf(
          membersOf({
            class: text,
            untrusted_name: text,
            amount: text,
            display_amount: text,
            note: text,
            untrusted_counterparty: rarely(text),
          }),
        ),
        height: rarely(text),
        untrusted_height_notice: rarely(text),
        more_rows: rarely(count),
        not_asked_to_the_end: rarely(listOf(text)),
      }),
    ),
    notice: text,
    left_out: listOf(text),
    untrusted_description: rarely(text),
    untrusted_metadata_without_supply: rarely(listOf(text)),
    more_metadata_without_supply: rarely(count),
    untrusted_display: rarely(text),
    untrusted_units: rarely(listOf(membersOf({ denom: text, exponent: number }))),
    untrusted_denoms_with_this_symbol: rarely(listOf(text)),
  }),
  answer: (question) => {
    const denom = question.input.text('denom');
    if (denom === undefined && question.input.text('at') !== undefined)
      throw new ToolError('input', '"at" requires "denom".');
    const holder = accountIn(question.input, 'holder');
    return withSource(question, question.input.text('source'), async (session) => {
      await checkOwnAccounts(session, 'holder', holder === undefined ? [] : [holder]);
      await session.lists.supply.loadUnits(toolQuestion(session, question.signal));
      return denom === undefined ? listSupply(question, session, holder) : oneDenom(question, session, denom);
    });
  },
});

/** Lists the supply, or what an account holds. */
async function listSupply(question: Question, session: Session, holder: string | undefined): Promise<ToolAnswer> {
  const { input } = question;
  const node = await session.node();
  const load: LoadPage<Coin> = async (request, signal) => {
    const counted = { ...request, countTotal: request.key === undefined };
    const page = holder === undefined ? node.supply(counted, signal) : node.balances(holder, counted, signal);
    return (await page) ?? Promise.reject(noAccounts(question, session));
  };
  const wanted = input.number('limit') ?? limitParameter.default;
  const key = input.text('key');
  const [text, sort] = [input.text('text') ?? '', input.oneOf('sort', sorts) ?? 'denom'];
  const options = { idOf: ({ denom }: Coin): string => denom, limit: 200, wanted, key };
  const { supply } = session.lists;
  const words = text.toLowerCase();
  const hasText = (coin: Coin): boolean => supply.texts(coin).some((part) => part.toLowerCase().includes(words));
  const isNamed = (denom: string): boolean => hasText({ denom, amount: 0n });
  // A filtered or reordered list is counted, and may begin anywhere in the list.
  const isWhole = text !== '' || sort !== 'denom';
  const all = isWhole ? { ...options, wanted: Number.POSITIVE_INFINITY, key: undefined } : options;
  const read = await readWindow(question, load, all);
  const found = isWhole
    ? { ...read, ...windowOf(supply.sorted(read.rows.filter(hasText), sort), wanted, key), faults: read.faults }
    : read;
  const head = await headOf(question, session, found.info);
  const rows = found.rows.map((coin) => amountOf(coin, supply.unit(coin.denom)));
  if (holder !== undefined)
    return listAnswer(question.host, { ...head, notice: balancesOnly }, 'balances', { ...found, rows });
  const isRead = key === undefined && (isWhole || found.keyAfter(found.rows.length) === undefined);
  const described = isRead ? describedOnly(read.rows, supply.describedDenoms.filter(isNamed)) : {};
  return listAnswer(question.host, { ...head, ...described }, 'supply', { ...found, rows });
}

const balancesOnly = 'Balances only. For stake, unbonding and vesting, add "denom".';

/** Makes the error of a source that does not tell what accounts hold. */
function noAccounts({ host }: Question, { source }: Session): ToolError {
  return new ToolError('missing', `${sourceLabel(source, host)} does not list account balances.`);
}

/** The limit for denoms without a supply. */
const maxDescribed = 20;

/** Names the denoms with metadata that the chain has none of. `coins` is the whole supply. */
function describedOnly(coins: readonly Coin[], described: readonly string[]): Fields {
  const held = new Set(coins.flatMap(({ denom, amount }) => (amount > 0n ? [denom] : [])));
  const none = described.filter((denom) => !held.has(denom));
  if (none.length === 0) return {};
  const more = none.length - maxDescribed;
  return {
    untrusted_metadata_without_supply: none.slice(0, maxDescribed).map(untrusted),
    ...(more > 0 ? { more_metadata_without_supply: more } : {}),
  };
}

async function oneDenom(question: Question, session: Session, denom: string): Promise<ToolAnswer> {
  const { supply } = session.lists;
  const read = await readDenom(question, session, denom);
  const { coin, split, holding } = read;
  const head = await headOf(question, session, read);
  const origin = await supply.loadOrigin(denom, toolQuestion(session, question.signal));
  const metadata = supply.metadata(denom);
  const { name, description } = metadata ?? {};
  const alike = coin.amount === 0n ? supply.denomsOf(denom).filter((one) => one !== denom) : [];
  const unit = supply.unit(denom);
  const holder = question.input.text('holder');
  const asked = question.input.isSet('split') || question.input.number('holders') !== undefined;
  // A question about an account, or about a time, is not about all holders.
  const isNarrow = (holder !== undefined || read.at !== undefined) && !asked && !question.host.isUnbounded;
  const isFurther = question.input.text('key') !== undefined;
  const members = {
    ...amountOf(coin, unit),
    ...(metadata && !unit ? unusedUnits(metadata) : {}),
    is_staking_denom: supply.staking?.denom === denom,
    ...(coin.amount === 0n ? { notice: noneNotice(denom, supply.staking?.denom) } : {}),
    ...(alike.length > 0 ? { untrusted_denoms_with_this_symbol: alike.slice(0, 10).map(untrusted) } : {}),
    ...(holder === undefined
      ? {}
      : {
          holder:
            holding === undefined
              ? undefined
              : stated(
                  {
                    ...holderRow(holding, coin, unit),
                    ...stakeAnswer(read, unit),
                    ...vestingAnswer(read, holding.amount),
                  },
                  { vesting: noStake },
                ),
        }),
    ...scheduleAnswer(read, unit),
    ...(isNarrow || isFurther ? {} : distributionOf(read, unit, question.host)),
    ...(isNarrow || typeof read.largest === 'object' ? {} : { largest_holders: undefined }),
    ...(name ? { untrusted_name: untrusted(name) } : {}),
    ...(origin ? { untrusted_origin: `${untrusted(origin.base)} via ${untrusted(origin.path)}` } : {}),
    ...(description ? { untrusted_description: longText(description, question.host) } : {}),
  };
  const reasons = {
    holder: split && listsNobody(split) ? noBalances : 'the source does not report account balances',
    split: noBalances,
    schedule: 'vesting and unbonding coins are known only for state files',
    community_pool: noPool,
    circulating_supply: 'one of the amounts it is calculated from is not known',
    largest_holders:
      split && listsNobody(split)
        ? noBalances
        : largestReasons[typeof read.largest === 'string' ? read.largest : 'unsupported'],
  };
  const space = new Space(question.host);
  const facts = space.members(stated({ ...head, ...members, ...bothUnknown(head, members) }, reasons));
  return isNarrow ? facts : { ...facts, ...largestAnswer(question, read, unit, space) };
}

/** Gives as many of the largest holders as fit. If not all do, the others have a key. */
function largestAnswer(
  { input }: Question,
  { coin, largest }: ReadDenom,
  unit: DenomUnit | undefined,
  space: Space,
): Fields {
  if (typeof largest === 'string') return {};
  const { holders, tied } = largest;
  const { rows, keyAfter } = windowOf(holders, holders.length, input.text('key'));
  const { shown } = space.fit(rows.map((one) => holderRow(one, coin, unit)));
  const nextKey = keyAfter(shown.length) ?? null;
  const metadata = { total: holders.length, returned: shown.length, truncated: nextKey !== null, next_key: nextKey };
  return {
    largest_holders: shown,
    ...(tied > 0 && nextKey === null ? { more_holders_with_last_amount: tied } : {}),
    ...(shown.length < holders.length ? { metadata } : {}),
  };
}

/** Gives where the coins of a denom are. */
function distributionOf(read: ReadDenom, unit: DenomUnit | undefined, host: Question['host']): Fields {
  const { pool, split } = read;
  return {
    community_pool: pool === undefined ? undefined : exactAmount(pool, unit),
    ...circulatingAnswer(read, unit),
    ...(split ? { split: listsNobody(split) ? undefined : splitAnswer(split, unit, host) } : {}),
  };
}

/** Gives the reasons of two parts of an answer together. */
function bothUnknown({ unknown: first }: Fields, { unknown: second }: Fields): Fields {
  return isFields(first) && isFields(second) ? { unknown: { ...first, ...second } } : {};
}

/** Says that there is none of a denom, and names the staked one if a symbol or another spelling of it was given. */
function noneNotice(denom: string, staked: string | undefined): string {
  const none = 'There are no coins of this denom on the chain.';
  const name = identifier(staked);
  if (name === undefined || name === denom) return none;
  // A symbol has no prefix of a unit: `FET` is `afet`.
  const isSymbol = denom.length > 2 && name.toLowerCase().endsWith(denom.toLowerCase());
  return isSymbol || closestName(denom, [name]) ? `${none} Did you mean "${name}"?` : none;
}

const noBalances = 'the state lists no balances of this denom';

/** True if a state has a supply, and no account that holds any of it. */
function listsNobody({ origin, holders }: SupplySplit): boolean {
  return origin === 'state' && holders === 0n;
}

const largestReasons: Readonly<Record<NotListed, string>> = {
  notAsked: 'on nodes, holders are read only with "holders" or "split"',
  unsupported: 'the source does not list the holders of this denom',
  tooMany: 'the denom has more than 10,000 holders, too many to read from a node',
};

/** Reads the supply of a denom and the known facts of its holders. All are of one height if the node keeps to it. */
async function readDenom(question: Question, session: Session, denom: string): Promise<ReadDenom> {
  const { signal, onProgress, input } = question;
  const { source } = session;
  const isState = source.kind !== 'http';
  const read = await readPinnedSupply(session, denom, signal);
  const isWanted = read.coin.amount > 0n && (isState || input.isSet('split'));
  const { readSplit } = await import('../reads/readSplit.ts');
  const split = isWanted
    ? await readSplit(session, denom, { ...toolQuestion(session, signal), onProgress })
    : undefined;
  const own = split?.origin === 'node' ? { coin: { denom, amount: split.supply }, ...heightsOf(split) } : read;
  const node = await session.node();
  const facts = (at: ChainNode): ReturnType<typeof readFacts> => readFacts(question, at, { coin: own.coin, split });
  const stake = await readStake(question, session, denom);
  try {
    return {
      ...own,
      split,
      ...stake,
      ...(await readSchedule(question, session, denom)),
      ...(await facts(own.height === undefined || isState ? node : node.at(own.height))),
    };
  } catch (error) {
    const unpinnedReason = heightFault(error);
    if (unpinnedReason === undefined || own.height === undefined) throw error;
    const { at } = { at: input.time('at') };
    return { ...own, split, ...stake, at, unpinnedReason, ...(await facts(node)) };
  }
}

async function readSchedule(
  { input, signal }: Question,
  session: Session,
  denom: string,
): Promise<Pick<ReadDenom, 'at' | 'schedule'>> {
  const at = input.time('at');
  return at ? { at, schedule: await (await session.node()).schedule(denom, at, signal).catch(unlessHeight) } : {};
}

async function readStake(
  { input, signal }: Question,
  session: Session,
  denom: string,
): Promise<Pick<ReadDenom, 'stake' | 'isStaked'>> {
  const address = accountIn(input, 'holder');
  const isStaked = session.lists.supply.staking?.denom === denom;
  if (address === undefined) return { stake: undefined, isStaked };
  const node = await session.node();
  return { stake: await node.stake(address, input.time('at'), signal).catch(unlessHeight), isStaked };
}

function heightsOf({ height, unpinnedReason }: SupplySplit): Pick<ReadDenom, 'height' | 'unpinnedReason'> {
  return { height, unpinnedReason };
}

async function readFacts(
  { input, signal, onProgress }: Question,
  node: ChainNode,
  { coin: { denom, amount }, split }: Pick<ReadDenom, 'coin' | 'split'>,
): Promise<Pick<ReadDenom, 'pool' | 'holding' | 'largest' | 'notVested' | 'noVesting'>> {
  const pool = await readCommunityPool(node, denom, split, signal).catch(unlessHeight);
  const address = accountIn(input, 'holder');
  const isKnown = address !== undefined && amount > 0n && !(split && listsNobody(split));
  const held = isKnown ? await node.holding(address, denom, signal) : amount === 0n ? '0' : undefined;
  const wanted = input.number('holders');
  const asked = { denom, wanted: wanted ?? defaultHolders, signal, onProgress };
  const listed = split || wanted !== undefined ? readTopHolders(node, asked).catch(unlessHeight) : 'notAsked';
  const largest = (await listed) ?? 'unsupported';
  const hasAccounts = split?.origin === 'state' && (await node.moduleAccounts(signal)) !== undefined;
  const ofState = hasAccounts ? 'an account vests on an unknown schedule' : 'the state lists no accounts';
  return {
    pool,
    holding: address === undefined || held === undefined ? undefined : { address, amount: BigInt(held) },
    largest: amount === 0n ? { holders: [], tied: 0 } : largest,
    notVested: amount === 0n ? 0n : hasAccounts ? split.notVested : undefined,
    noVesting: split?.origin === 'state' ? ofState : 'vesting accounts are not read from nodes',
  };
}

/** Gives undefined for a part that a node refuses. Throws if the node no longer has the height. */
function unlessHeight(error: unknown): undefined {
  if (!isApiError(error) || heightFault(error) !== undefined) throw error;
}

/**
 * Reads the supply of a denom. It is at a height if the node answers at it; `height` is undefined if that is not known.
 */
async function readPinnedSupply(
  session: Session,
  denom: string,
  signal: AbortSignal,
): Promise<{ readonly coin: Coin; readonly height?: bigint; readonly unpinnedReason?: string }> {
  const { source } = session;
  const node = await session.node();
  let unpinnedReason = '';
  try {
    const height = source.kind === 'http' ? await heightOf(node, source.at, signal) : undefined;
    if (height) return { coin: await node.at(height).supplyOf(denom, signal), height };
  } catch (error) {
    if (!isApiError(error)) throw error;
    unpinnedReason = heightFault(error) ?? '';
  }
  const coin = await node.supplyOf(denom, signal);
  return unpinnedReason === '' ? { coin } : { coin, unpinnedReason };
}

async function heightOf(node: ChainNode, at: PastState | undefined, signal: AbortSignal): Promise<bigint | undefined> {
  return at ? BigInt(at.height) : (await node.block('latest', signal))?.height;
}
