import { type Fields, fromBase64 } from '../api/wireValues.ts';
import { type Content, type ContentKind, contentKind, type Spend, type UpgradePlan } from '../chain/content/content.ts';
import type { ParamEntry } from '../chain/params.ts';
import { ownWords, type Proposal } from '../chain/proposal.ts';
import { shownText } from '../chain/text.ts';
import { expectedTime, type PageFacts, type ProposedValue, proposedValues } from '../session/proposalReads.ts';
import type { Session } from '../session/session.ts';
import { amountsOf, type Space, shareOf, stated, timeOf, untrusted, untrustedTree, wordOf } from './answer.ts';

/** A proposal, and what its contents are shown with. */
export interface ContentSource {
  readonly row: Proposal;
  readonly session: Session;
  readonly page: PageFacts;
}

/** Rows of a table in one content, fewer where there is little space. */
const rowCounts = [60, 15, 4, 0];
/** Characters of one value of a parameter. */
const maxOfValue = 400;

/** As much of a content as fits; undefined where not even its type does. */
export function contentAnswer(content: Content, known: ContentSource, space: Space): Fields | undefined {
  for (const max of rowCounts) {
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
    ...(own.description ? { untrusted_description: untrusted(own.description) } : {}),
    ...kindAnswer(kind, known, max),
    ...(Object.keys(rest).length > 0 && max > 0 ? { untrusted_fields: untrustedTree(rest) } : {}),
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
        untrusted_messages: kind.messages.map(({ json }) => untrusted(json)),
      };
    case 'amendment':
      return { untrusted_patch: untrusted(kind.patch) };
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
  { page, session }: ContentSource,
  max: number,
): Fields {
  const { values, left } = proposedValues(kind, page.currentParams, 200);
  const meaning = ({ value }: ParamEntry): unknown => {
    if (value?.kind === 'duration') return { seconds: `${value.seconds}` };
    if (value?.kind === 'ratio') return { share: shareOf(value.ratio) };
    return value && { coins: amountsOf(value.coins, session) };
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
          untrusted_now: now && shownText(now.raw, maxOfValue),
          untrusted_proposed: shownText(proposed.raw, maxOfValue),
        },
        { untrusted_now: 'the source does not offer the current value' },
      ),
      ...(before ? { now: before } : {}),
      ...(after ? { proposed: after } : {}),
    };
  };
  const changes = values.filter((one) => !isSame(one)).slice(0, max);
  // What an ended proposal set is mostly what is in effect: it is never left out.
  const unchanged = values.filter(isSame).slice(0, max - changes.length);
  const more = left + values.length - changes.length - unchanged.length;
  return {
    changes: changes.map(toRow),
    unchanged: unchanged.map(toRow),
    ...(more > 0 ? { more_values: more } : {}),
  };
}

function spendsAnswer(spends: readonly Spend[], { session }: ContentSource, max: number): Fields {
  const rows = spends.slice(0, max).map(({ recipient, coins }) => ({
    untrusted_recipient: untrusted(recipient),
    amounts: amountsOf(coins, session),
  }));
  return { spends: rows, ...(spends.length > rows.length ? { more_spends: spends.length - rows.length } : {}) };
}

function upgradeAnswer({ name, height, time, info, binaries }: UpgradePlan, { page }: ContentSource): Fields {
  const expected = expectedTime(height, page.chainTime);
  return {
    untrusted_name: untrusted(name),
    ...(height === undefined ? {} : { upgrade_height: `${height}` }),
    ...(expected ? { expected_time: timeOf(expected) } : {}),
    ...(time === undefined ? {} : { untrusted_time: untrusted(time) }),
    ...(binaries.length > 0
      ? { untrusted_binaries: binaries.slice(0, 20).map(({ platform, url }) => untrusted(`${platform} ${url}`)) }
      : {}),
    ...(info === '' || binaries.length > 0 ? {} : { untrusted_info: untrusted(info) }),
  };
}
