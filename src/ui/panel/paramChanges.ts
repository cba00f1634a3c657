import { diffArrays } from 'diff';
import { type ContentKind, plainType } from '../../chain/content/content.ts';
import { formatJson } from '../../chain/json.ts';
import { type ParamEntry, paramEntries } from '../../chain/params.ts';
import { amountText, exactRatioText, periodText, type Translate } from '../values.ts';
import type { ProposalFacts } from './proposalModel.ts';
import type { Block, Cell, ChangeRow } from './protocol.ts';

/** Of more the beginning is shown; the document of Open JSON holds them whole. */
const maxValues = 500;

/** One value that a proposal sets; `now` is undefined where it is not offered. */
interface ParamChange {
  /** The name as the chain has it: `voting_period`, `gov/votingparams.voting_period`. */
  readonly name: string;
  readonly now: ParamEntry | undefined;
  readonly proposed: ParamEntry;
}

/** What a proposal sets: some parameters of the params module, or all of a module, which the message repeats whole. */
export function paramBlocks(
  kind: Extract<ContentKind, { kind: 'parameterChange' | 'moduleParams' }>,
  facts: ProposalFacts,
  t: Translate,
): Block[] {
  const values =
    kind.kind === 'parameterChange'
      ? kind.changes.map(({ subspace, key, value }) => ({
          module: subspace,
          key,
          json: value,
          name: `${subspace}/${key}`,
        }))
      : Object.entries(kind.params).map(([key, value]: [string, unknown]) => ({
          module: kind.module,
          key,
          json: JSON.stringify(value),
          name: key,
        }));
  const all = values.slice(0, maxValues).flatMap(({ module, key, json, name }) => {
    const current = facts.inputs?.currentParams.get(`${module}/${key}`);
    const entries = current === undefined ? [] : paramEntries(module, key, current);
    // A field that is absent stays as it is (x/params types/subspace.go, Update).
    return paramEntries(module, key, json).map((proposed) => ({
      name: proposed.path === key ? name : `${name}.${proposed.path}`,
      now: entries.find(({ path }) => path === proposed.path),
      proposed,
    }));
  });
  return changesBlocks(all, facts, t);
}

/** What changes; values that stay as they are are folded away. */
function changesBlocks(all: readonly ParamChange[], facts: ProposalFacts, t: Translate): Block[] {
  const isSame = ({ now, proposed }: ParamChange) =>
    now !== undefined && valueText(now, facts, t) === valueText(proposed, facts, t);
  const [same, changed] = [all.filter(isSame), all.filter((change) => !isSame(change))];
  // Only once the source was asked.
  const isAsked = facts.inputs !== undefined;
  const isPartly = isAsked && all.some(({ now }) => now !== undefined);
  const shown = changed.length > 0 ? changed : same;
  const blocks: Block[] = [{ kind: 'changes', rows: shown.map((change) => changeRow(change, isPartly, facts, t)) }];
  if (changed.length > 0 && same.length > 0) {
    const summary = same.length === 1 ? t('1 value stays as it is') : t('{0} values stay as they are', same.length);
    const rows = same.map(({ name, proposed }) => ({ label: name, value: valueCell(proposed, facts, t) }));
    blocks.push({ kind: 'fold', id: `same ${same[0]?.name}`, summary, blocks: [{ kind: 'facts', rows }] });
  }
  if (isAsked && !isPartly)
    blocks.push({ kind: 'paragraph', text: t('Current values are not offered by this source.') });
  return blocks;
}

function changeRow(change: ParamChange, isPartly: boolean, facts: ProposalFacts, t: Translate): ChangeRow {
  const { name, now, proposed } = change;
  const words = plainType(name);
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const after = valueCell(proposed, facts, t);
  const rawBefore = now === undefined || now.raw === proposed.raw ? '' : `${now.raw} → `;
  const note = `${name}${proposed.value ? ` ${rawBefore}${proposed.raw}` : ''}`;
  if (now === undefined) return { label, after, note: isPartly ? `${note} · ${t('current value not offered')}` : note };
  const [before, text] = [valueText(now, facts, t), valueText(proposed, facts, t)];
  if (before === text) return { label, after, note: `${note} · ${t('as it is now')}` };
  const patch = before.includes('\n') && text.includes('\n') ? linePatch(before, text) : undefined;
  return { label, before, after, note, patch };
}

/** Words and numbers plain, anything else as code. */
function valueCell(entry: ParamEntry, facts: ProposalFacts, t: Translate): Cell {
  const text = valueText(entry, facts, t);
  return entry.value || /^[\w.-]{1,40}$/.test(text) ? text : { text, code: true };
}

/** A value in its unit where that is known, else its JSON laid out. */
function valueText({ raw, value }: ParamEntry, facts: ProposalFacts, t: Translate): string {
  switch (value?.kind) {
    case 'duration':
      return periodText(value.seconds, t);
    case 'ratio':
      return exactRatioText(value.ratio);
    case 'coins':
      return value.coins.map((coin) => amountText(coin, facts.unitOf(coin.denom))).join(', ') || t('nothing');
    case undefined:
      return raw === '' ? t('empty') : (formatJson(raw) ?? raw);
    default:
      return value satisfies never;
  }
}

/** Beyond this many differing lines everything is marked: the time of a diff grows with the square of it. */
const maxEditLength = 400;

/**
 * Two texts as one, each line with `-` where only the first has it, `+` where only the second has it, else a space. A comma at
 * the end of a line is not a difference: it only means that another line follows.
 */
export function linePatch(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const comparator = (a: string, b: string) => a.replace(/,$/, '') === b.replace(/,$/, '');
  const parts = diffArrays(old, now, { maxEditLength, comparator }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  return parts
    .flatMap(({ value, added, removed }) => value.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`))
    .join('\n');
}
