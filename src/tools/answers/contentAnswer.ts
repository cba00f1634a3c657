import { fromBase64 } from '../../chain/bytes.ts';
import type { Coin } from '../../chain/coin.ts';
import {
  type Content,
  type ContentKind,
  contentKind,
  type Spend,
  type UpgradePlan,
} from '../../chain/content/content.ts';
import type { Fields } from '../../chain/fields.ts';
import type { ParamEntry } from '../../chain/gov/params.ts';
import { ownWords, type Proposal } from '../../chain/gov/proposal.ts';
import { shownText } from '../../chain/text.ts';
import { type ChainTime, expectedTime } from '../../reads/blockPace.ts';
import { missingInPool, type PageExtras, type ProposedValue, proposedValues } from '../../reads/proposalReads.ts';
import type { Session } from '../../session/session.ts';
import {
  type Asker,
  amountsOf,
  longText,
  type Space,
  shareOf,
  stated,
  timeOf,
  untrusted,
  untrustedTree,
  wordOf,
} from './answer.ts';
import { count, denomAmountSchema, listOf, maybe, membersOf, rarely, text, textOrRecord } from './answerSchema.ts';

/** A proposal, and the facts that its contents are shown with. */
export interface ContentSource {
  readonly asker: Asker;
  readonly row: Proposal;
  readonly session: Session;
  readonly page: PageExtras;
}

const changeSchema = membersOf({
  untrusted_name: rarely(text),
  untrusted_now: rarely(maybe(text)),
  untrusted_proposed: rarely(text),
});

/** An amount that one account would receive. */
export const spendSchema = membersOf({
  untrusted_recipient: text,
  amounts: rarely(listOf(denomAmountSchema)),
  note: rarely(text),
});

/** The plan of an upgrade in a list. */
export const upgradeSchema = membersOf({ untrusted_name: text, upgrade_height: text });

/** A content of a proposal. Members beside type and kind depend on the kind. */
export const contentSchema = membersOf({
  untrusted_type: text,
  kind: text,
  changes: listOf(changeSchema),
  spends: listOf(spendSchema),
  untrusted_title: rarely(text),
  untrusted_description: rarely(text),
  unchanged: rarely(listOf(changeSchema)),
  in_effect: listOf(changeSchema),
  more_values: rarely(count),
  more_spends: rarely(count),
  untrusted_name: rarely(text),
  upgrade_height: text,
  expected_time: rarely(text),
  expected_by: rarely(text),
  untrusted_time: rarely(text),
  untrusted_binaries: rarely(listOf(text)),
  more_binaries: rarely(count),
  untrusted_info: rarely(text),
  untrusted_subject: rarely(text),
  untrusted_substitute: rarely(text),
  byte_code_bytes: rarely(count),
  untrusted_messages: rarely(listOf(text)),
  untrusted_patch: rarely(text),
  executes: rarely(text),
  untrusted_fields: rarely(textOrRecord),
  untrusted_wrapped_in: rarely(text),
  fields_without_names: rarely(count),
  unreadable_from_byte: rarely(count),
});

/** The limits for the rows of a table in one content. The smaller ones are for little space. */
const rowCounts = [60, 15, 4, 0];
/** The limit for one value of a parameter, in characters. */
const maxOfValue = 400;

/** Gives as much of a content as fits. Undefined if not even its type fits. */
export function contentAnswer(content: Content, known: ContentSource, space: Space): Fields | undefined {
  for (const max of known.asker.isUnbounded ? [Number.POSITIVE_INFINITY] : rowCounts) {
    const written = contentFields(content, known, max);
    if (space.take(written)) return written;
  }
  return undefined;
}

function contentFields(content: Content, known: ContentSource, max: number): Fields {
  const kind = contentKind(content);
  const own = ownWords(known.row, content);
  const { rest } = kind;
  return {
    untrusted_type: untrusted(content.typeUrl),
    kind: wordOf(kind.kind),
    ...(own.title ? { untrusted_title: untrusted(own.title) } : {}),
    ...(own.description ? { untrusted_description: longText(own.description, known.asker) } : {}),
    ...kindAnswer(kind, known, max),
    ...(Object.keys(rest).length > 0 && max > 0 ? { untrusted_fields: untrustedTree(rest, known.asker) } : {}),
    ...(content.wrapper ? { untrusted_wrapped_in: untrusted(content.wrapper.typeUrl) } : {}),
    ...(content.unknownFields > 0 ? { fields_without_names: content.unknownFields } : {}),
    ...(content.fault ? { unreadable_from_byte: content.fault.offset } : {}),
  };
}

function kindAnswer(kind: ContentKind, known: ContentSource, max: number): Fields {
  switch (kind.kind) {
    case 'parameterChange':
    case 'moduleParams':
      return valuesAnswer(kind, known, max);
    case 'spend':
      return spendsAnswer(kind.spends, known, max);
    case 'upgrade':
      return upgradeAnswer(kind.plan, known);
    case 'clientUpdate':
      return {
        untrusted_subject: untrusted(kind.subject),
        untrusted_substitute: kind.substitute && untrusted(kind.substitute),
      };
    case 'wasm':
      return {
        ...(kind.code === undefined ? {} : { byte_code_bytes: fromBase64(kind.code).bytes.length }),
        untrusted_messages: kind.messages.map(({ json }) => longText(json, known.asker)),
      };
    case 'amendment':
      return { untrusted_patch: longText(kind.patch, known.asker) };
    case 'text':
      return { executes: 'nothing' };
    case 'cancelUpgrade':
    case 'tree':
      return {};
    default:
      return kind satisfies never;
  }
}

function valuesAnswer(
  kind: Parameters<typeof proposedValues>[0],
  { row, page, session, asker }: ContentSource,
  max: number,
): Fields {
  const longest = asker.isUnbounded ? Number.POSITIVE_INFINITY : maxOfValue;
  const { values, left } = proposedValues(kind, page.currentParams, asker.isUnbounded ? longest : 200);
  const meaning = ({ value }: ParamEntry): unknown => {
    if (value?.kind === 'duration') return { seconds: `${value.seconds}` };
    if (value?.kind === 'ratio') return { share: shareOf(value.ratio) };
    return value && { coins: amountsOf(value.coins, session, asker) };
  };
  const isSame = ({ now, proposed }: ProposedValue): boolean => {
    if (now === undefined) return false;
    const [before, after] = [meaning(now), meaning(proposed)];
    return before === undefined ? now.raw === proposed.raw : JSON.stringify(before) === JSON.stringify(after);
  };
  const toRow = ({ name, now, proposed }: ProposedValue): Fields => {
    const [before, after] = [now && meaning(now), meaning(proposed)];
    return {
      ...stated(
        {
          untrusted_name: shownText(name, 200),
          untrusted_now: now && shownText(now.raw, longest),
          untrusted_proposed: shownText(proposed.raw, longest),
        },
        { untrusted_now: 'the current value is not available' },
      ),
      ...(before ? { now: before } : {}),
      ...(after ? { proposed: after } : {}),
    };
  };
  const changes = values.filter((one) => !isSame(one)).slice(0, max);
  // The values that an ended proposal set are mostly those in effect, so unchanged ones are listed, too.
  const unchanged = values.filter(isSame).slice(0, max - changes.length);
  const more = left + values.length - changes.length - unchanged.length;
  // A proposal that has passed set those that are as it proposed.
  const isSet = row.status === 'passed';
  return {
    ...(isSet && changes.length === 0 ? {} : { changes: changes.map(toRow) }),
    [isSet ? 'in_effect' : 'unchanged']: unchanged.map(toRow),
    ...(more > 0 ? { more_values: more } : {}),
  };
}

function spendsAnswer(
  spends: readonly Spend[],
  { session, asker }: Pick<ContentSource, 'session' | 'asker'>,
  max: number,
): Fields {
  const rows = spends.slice(0, max).map(({ recipient, coins }) => ({
    untrusted_recipient: untrusted(recipient),
    amounts: amountsOf(coins, session, asker),
    ...(coins.length === 0 ? { note: 'the list of amounts is empty: nothing is paid' } : {}),
  }));
  return { spends: rows, ...(spends.length > rows.length ? { more_spends: spends.length - rows.length } : {}) };
}

/** The limit for the spends of a proposal in a list. */
const maxListedSpends = 20;

/** Gives the spends of all contents. Gives nothing if there are none. */
export function listedSpends(contents: readonly Content[], session: Session, asker: Asker): Fields {
  const spends = contents.map(contentKind).flatMap((kind) => (kind.kind === 'spend' ? kind.spends : []));
  const max = asker.isUnbounded ? spends.length : maxListedSpends;
  return spends.length > 0 ? spendsAnswer(spends, { session, asker }, max) : {};
}

/** Gives what the community pool lacks for the spends of an open proposal. Gives nothing if it pays them. */
export function poolLackAnswer(
  { status, contents }: Proposal,
  pool: readonly Coin[] | undefined,
  { session, asker }: Pick<ContentSource, 'session' | 'asker'>,
): Fields {
  if (status !== 'deposit' && status !== 'voting') return {};
  const lacks = missingInPool(contents, pool);
  if (lacks?.length === 0) return {};
  return { community_pool_lacks: lacks && amountsOf(lacks, session, asker) };
}

/** Gives name and height of the planned upgrades of all contents. Gives nothing if there are none. */
export function upgradesAnswer(contents: readonly Content[]): Fields {
  const plans = contents.map(contentKind).flatMap((kind) => (kind.kind === 'upgrade' ? kind.plan : []));
  return plans.length > 0 ? { upgrades: plans.slice(0, maxListedUpgrades).map(planFacts) } : {};
}

/** The limit for the upgrades of a proposal in a list. A chain keeps one plan. */
const maxListedUpgrades = 5;

function planFacts({ name, height }: UpgradePlan): Fields {
  return { untrusted_name: untrusted(name), ...(height === undefined ? {} : { upgrade_height: `${height}` }) };
}

/** The limit for the platforms of an upgrade. */
const maxBinaries = 20;

/** Says what an expected time rests on. */
function paceText({ blockTime, blocks, isByClock }: ChainTime): string {
  const from = blocks === undefined ? 'from the mint parameters' : `measured over the last ${blocks} blocks`;
  const clock = ", based on this machine's clock because the node provides no blocks";
  return `${blockTime.toFixed(2)} s per block, ${from}${isByClock ? clock : ''}`;
}

function upgradeAnswer(plan: UpgradePlan, { page }: ContentSource): Fields {
  const { height, time, info, binaries } = plan;
  const expected = expectedTime(height, page.chainTime);
  return {
    ...planFacts(plan),
    ...(expected && page.chainTime ? { expected_time: timeOf(expected), expected_by: paceText(page.chainTime) } : {}),
    ...(time === undefined ? {} : { untrusted_time: untrusted(time) }),
    ...(binaries.length > 0
      ? {
          untrusted_binaries: binaries
            .slice(0, maxBinaries)
            .map(({ platform, url }) => untrusted(`${platform} ${url}`)),
        }
      : {}),
    ...(binaries.length > maxBinaries ? { more_binaries: binaries.length - maxBinaries } : {}),
    ...(info === '' || binaries.length > 0 ? {} : { untrusted_info: untrusted(info) }),
  };
}
