import { heightFault, isApiError } from '../api/errors.ts';
import type { SigningInfo } from '../api/node.ts';
import type { LoadPage } from '../api/readPages.ts';
import { type DenomUnit, descending } from '../chain/coin.ts';
import type { Fields } from '../chain/fields.ts';
import { quotient, toRatio } from '../chain/ratio.ts';
import { shownText } from '../chain/text.ts';
import type { Validator } from '../chain/validator.ts';
import { compareValidators, validatorOrders } from '../lists/validators.ts';
import { toMatcher } from '../reads/search.ts';
import { readSigningInfos } from '../reads/signing.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import {
  baseAmount,
  headOf,
  identifier,
  listAnswer,
  readWindow,
  shareOf,
  stated,
  timeOf,
  type Window,
  windowOf,
} from './answers/answer.ts';
import { count, flag, listOf, listSchema, maybe, membersOf, rarely, record, text } from './answers/answerSchema.ts';
import { defineTool } from './question/defineTool.ts';
import { absenceError, withSource } from './question/questionSource.ts';
import type { Question } from './question/tool.ts';
import {
  heightParameter,
  keyParameter,
  limitParameter,
  maxTextLength,
  sourceParameter,
  type ToolInput,
} from './question/toolInput.ts';

const sorts = [...validatorOrders, 'missed'] as const;
const statusWords = ['bonded', 'unbonding', 'unbonded'] as const;

/** Lists the validators, with the sums of all that match. */
export const listValidators = defineTool({
  name: 'list_validators',
  title: 'List Validators',
  description:
    'Validators of a Cosmos SDK chain, bonded first, then by power: operator address, moniker, status, jailed, tokens in base units, ' +
    'share of bonded tokens, commission from 0 to 1, jailed until, missed blocks (on nodes only if sorted by "missed"). "sums": number, tokens and commission range of all matches, by status.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      height: heightParameter,
      text: {
        type: 'string',
        maxLength: maxTextLength,
        description: 'Only with this text in moniker or operator address.',
      },
      status: { type: 'string', enum: statusWords, description: 'Only this status.' },
      jailed: { type: 'boolean', description: 'true: only jailed. false: only others.' },
      min_amount: {
        type: 'string',
        maxLength: 40,
        description: 'Minimum tokens in base units.',
      },
      sort: {
        type: 'string',
        enum: sorts,
        description: 'Default: "power". "commission": lowest first. "missed": highest first.',
      },
      reverse: { type: 'boolean', description: 'Reverse the order.' },
      limit: limitParameter,
      key: keyParameter,
    },
    additionalProperties: false,
  },
  outputSchema: listSchema(
    'validators',
    membersOf({
      operator_address: maybe(text),
      untrusted_moniker: text,
      status: text,
      jailed: flag,
      amount: text,
      display_amount: text,
      share: maybe(text),
      commission: maybe(text),
      missed_blocks: text,
      jailed_until: rarely(text),
      unbonding_time: rarely(maybe(text)),
      tombstoned: rarely(flag),
      unknown: rarely(record),
    }),
    {
      untrusted_denom: text,
      untrusted_symbol: text,
      sums: record,
      genesis_validators: listOf(
        membersOf({
          operator_address: maybe(text),
          untrusted_moniker: text,
          commission: maybe(text),
          self_delegation: maybe(text),
          unknown: rarely(record),
        }),
      ),
      more_genesis_validators: rarely(count),
      more_with_last_value: rarely(count),
      notice: rarely(text),
    },
  ),
  answer: (question) => {
    const isWanted = readFilter(question.input);
    return withSource(question, question.input.text('source'), async (session) => {
      const { input, signal } = question;
      const all = await readAllValidators(question, session);
      const head = await headOf(question, session, all.info);
      await session.lists.supply.loadUnits(toolQuestion(session, signal));
      const bonded = await bondedOf(session, all, signal);
      const sort = input.oneOf('sort', sorts) ?? 'power';
      const signing = await signingOf(session, all, sort === 'missed', signal);
      const compare = sort === 'missed' ? byMissed(signing) : compareValidators[sort];
      const isReversed = input.flag('reverse') === true;
      const matching = all.rows.filter(isWanted).toSorted((a, b) => (isReversed ? compare(b, a) : compare(a, b)));
      const found = windowOf(matching, input.number('limit') ?? limitParameter.default, input.text('key'));
      const { staking, unit } = stakingUnit(session);
      const rows = found.rows.map((row) => ({
        ...validatorRow(row, unit, bonded),
        ...signingAnswer(row, signing?.get(row.operator)),
      }));
      // They stand on the first page.
      const sums = input.text('key') === undefined ? { sums: sumsOf(matching, unit, bonded, all.faults) } : {};
      const tied = tiesOf(sort, matching, found.rows.at(-1), signing);
      const genesis = all.rows.length === 0 ? await genesisAnswer(session, question) : {};
      return listAnswer(
        question.host,
        { ...head, ...staking, ...sums, ...tied, ...genesis, ...noSigning(sort, signing) },
        'validators',
        { ...found, rows },
      );
    });
  },
});

type Signing = ReadonlyMap<string, SigningInfo> | undefined;

/** Reads how validators have signed blocks. A node is asked only for an answer that is sorted by it. */
async function signingOf(
  session: Session,
  { rows, info }: Window<Validator>,
  isSorted: boolean,
  signal: AbortSignal,
): Promise<Signing> {
  const isNode = session.source.kind === 'http';
  if (isNode && !isSorted) return undefined;
  const node = await session.node();
  return readSigningInfos(isNode && info.height ? node.at(info.height) : node, rows, signal);
}

/** Sorts the most missed blocks first, and unknown ones last. */
function byMissed(signing: Signing): (a: Validator, b: Validator) => number {
  const missed = ({ operator }: Validator): bigint => signing?.get(operator)?.missed ?? -1n;
  return (a, b) => descending(missed(a), missed(b)) || compareValidators.power(a, b);
}

/** Counts the validators after the last row that have the same commission or missed blocks as that. */
function tiesOf(
  sort: (typeof sorts)[number],
  matching: readonly Validator[],
  last: Validator | undefined,
  signing: Signing,
): Fields {
  if (!last || (sort !== 'commission' && sort !== 'missed')) return {};
  const sortedBy = ({ operator, commission }: Validator): bigint | undefined =>
    sort === 'commission' ? commission : signing?.get(operator)?.missed;
  const [after, value] = [matching.slice(matching.indexOf(last) + 1), sortedBy(last)];
  const same = value === undefined ? 0 : after.filter((row) => sortedBy(row) === value).length;
  return same > 0 ? { more_with_last_value: same } : {};
}

function signingAnswer({ jailed, status, unbondingTime }: Validator, info: SigningInfo | undefined): Fields {
  const { missed, jailedUntil, tombstoned } = info ?? {};
  return {
    ...(missed === undefined ? {} : { missed_blocks: `${missed}` }),
    ...(jailed && jailedUntil ? { jailed_until: timeOf(jailedUntil) } : {}),
    ...(tombstoned ? { tombstoned } : {}),
    ...(status === 'unbonding' && unbondingTime ? { unbonding_time: timeOf(unbondingTime) } : {}),
  };
}

/** Says that the order is unknown, if so. */
function noSigning(sort: string, signing: Signing): Fields {
  const isUnknown = sort === 'missed' && (!signing || signing.size === 0);
  return isUnknown ? { notice: 'The source does not list the blocks that validators have missed.' } : {};
}

/** The limit for the validators of a genesis, which have no pages. */
const maxGenesis = 50;

/** Gives the validators that a genesis without any creates with its first block. Gives nothing if there are none. */
async function genesisAnswer(session: Session, { signal }: Question): Promise<Fields> {
  const created = (await (await session.node()).genesisValidators(signal)) ?? [];
  if (created.length === 0) return {};
  const rows = created.slice(0, maxGenesis).map(({ operator, moniker, commission, amount }) => {
    const [rate, tokens] = [toRatio(commission), /^\d{1,40}$/.test(amount) ? amount : undefined];
    return stated({
      operator_address: identifier(operator),
      untrusted_moniker: shownText(moniker, 100),
      commission: rate === undefined ? undefined : shareOf(rate),
      self_delegation: tokens,
    });
  });
  const more = created.length - rows.length;
  return { genesis_validators: rows, ...(more > 0 ? { more_genesis_validators: more } : {}) };
}

/** Makes the filter. Throws a `ToolError` for an invalid amount. */
function readFilter(input: ToolInput): (row: Validator) => boolean {
  const [status, jailed] = [input.oneOf('status', statusWords), input.flag('jailed')];
  const hasText = toMatcher(input.text('text') ?? '');
  const least = input.digits('min_amount') ?? 0n;
  return (row) =>
    [row.moniker, row.operator].some(hasText) &&
    (status === undefined || row.status === status) &&
    (jailed === undefined || row.jailed === jailed) &&
    row.tokens >= least;
}

/** Reads all validators. Throws a `ToolError` if the source does not list them. */
export async function readAllValidators(question: Question, session: Session): Promise<Window<Validator>> {
  const node = await session.node();
  const load: LoadPage<Validator> = async (request, abort) => {
    const page = await node.validators(request, abort);
    if (page) return page;
    throw absenceError(question, session, 'validators');
  };
  const options = { idOf: ({ operator }: Validator): string => operator, limit: 1000, key: undefined };
  return readWindow(question, load, { ...options, wanted: Number.POSITIVE_INFINITY });
}

/**
 * Gives the sum of all bonded validators. If the list has unreadable rows, it is the sum that the node states at the
 * height of the list.
 */
async function bondedOf(
  session: Session,
  { rows, faults, info }: Window<Validator>,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  if (faults === 0) return rows.reduce((sum, row) => (row.status === 'bonded' ? sum + row.tokens : sum), 0n);
  const node = await session.node();
  const at = info.height && session.source.kind === 'http' ? node.at(info.height) : node;
  const power = await at.votingPower(signal).catch((error: unknown) => {
    if (!isApiError(error)) throw error;
    return heightFault(error) === undefined ? undefined : node.votingPower(signal).catch(() => undefined);
  });
  return power?.total;
}

interface StakingUnit {
  readonly staking: Fields;
  readonly unit: DenomUnit | undefined;
}

function stakingUnit({ lists: { supply } }: Session): StakingUnit {
  const denom = supply.staking?.denom;
  if (denom === undefined) return { staking: {}, unit: undefined };
  const unit = supply.unit(denom);
  const symbol = unit ? { untrusted_symbol: shownText(unit.symbol, 100) } : {};
  return { staking: { untrusted_denom: shownText(denom, 200), ...symbol }, unit };
}

/** Sums by status, and the jailed ones among them. */
function sumsOf(
  rows: readonly Validator[],
  unit: DenomUnit | undefined,
  bonded: bigint | undefined,
  faults: number,
): Fields {
  const sumOf = (own: readonly Validator[], withShare: boolean): Fields => {
    const amount = own.reduce((sum, { tokens }) => sum + tokens, 0n);
    const share = withShare && bonded !== undefined ? quotient(amount, bonded) : undefined;
    return {
      validators: own.length,
      ...baseAmount(amount, unit),
      ...(share === undefined ? {} : { share: shareOf(share) }),
      ...commissionsOf(own),
    };
  };
  const groups = [...statusWords, 'unknown' as const].flatMap((status) => {
    const own = rows.filter((row) => row.status === status);
    return own.length > 0 ? [[status, sumOf(own, status === 'bonded')] as const] : [];
  });
  const jailed = rows.filter((row) => row.jailed);
  return {
    all: sumOf(rows, false),
    ...Object.fromEntries(groups),
    jailed: sumOf(jailed, false),
    ...(faults > 0 ? { not_readable: faults } : {}),
  };
}

/** Gives the smallest and the largest commission that are known. */
function commissionsOf(rows: readonly Validator[]): Fields {
  const known = rows.flatMap(({ commission }) => commission ?? []).toSorted((a, b) => descending(b, a));
  const [lowest, highest] = [known[0], known.at(-1)];
  if (lowest === undefined || highest === undefined) return {};
  return { lowest_commission: shareOf(lowest), highest_commission: shareOf(highest) };
}

function validatorRow(row: Validator, unit: DenomUnit | undefined, bonded: bigint | undefined): Fields {
  const { operator, moniker, status, jailed, tokens, commission } = row;
  const share = bonded === undefined ? undefined : quotient(tokens, bonded);
  const members = {
    operator_address: identifier(operator),
    untrusted_moniker: shownText(moniker, 100),
    status,
    ...(jailed ? { jailed } : {}),
    ...baseAmount(tokens, unit),
    ...(status === 'bonded' ? { share: share === undefined ? undefined : shareOf(share) } : {}),
    commission: commission === undefined ? undefined : shareOf(commission),
  };
  return stated(members, { share: 'the source does not report its bonded tokens' });
}
