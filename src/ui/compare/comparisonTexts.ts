import type { Comparison, SideName } from '../../session/compare/comparison.ts';
import { count, paramText, type SectionName, statusText, titleText } from './comparisonWords.ts';
import { plainLine } from './plainLine.ts';

/** Lines of one document; the editor compares as many within its own time limit. */
const mostLines = 200_000;

/** What stands in both documents of a section: only the rows that differ (decision 34), each as one line. */
export function comparisonTexts(section: SectionName, comparison: Comparison): Readonly<Record<SideName, string>> {
  switch (section) {
    case 'supply':
      return supplyTexts(comparison.supply);
    case 'proposals':
      return proposalTexts(comparison.proposals);
    case 'params':
      return paramTexts(comparison.params);
    default:
      return section satisfies never;
  }
}

const none = { left: '', right: '' };

/** Denoms, and their amounts in base units: raw digits, one under the other. */
function supplyTexts(section: Comparison['supply']): Readonly<Record<SideName, string>> {
  if (section.kind !== 'compared') return none;
  const rows = section.differences.map(({ denom, left, right }) => ({
    denom: plainLine(denom),
    left: left === 0n ? '' : `${left}`,
    right: right === 0n ? '' : `${right}`,
  }));
  const denomWidth = Math.min(80, widest(rows.map(({ denom }) => denom)));
  const amountWidth = Math.min(
    40,
    Math.max(widest(rows.map(({ left }) => left)), widest(rows.map(({ right }) => right))),
  );
  const side = (name: SideName) =>
    toText(
      rows
        .filter((row) => row[name] !== '')
        .map((row) => `${row.denom.padEnd(denomWidth)}  ${row[name].padStart(amountWidth)}`),
    );
  return { left: side('left'), right: side('right') };
}

function proposalTexts(section: Comparison['proposals']): Readonly<Record<SideName, string>> {
  if (section.kind !== 'compared') return none;
  const side = (name: SideName) => {
    const facts = section.differences.flatMap((difference) => difference[name] ?? []);
    return facts.map((proposal) => ({
      id: `#${proposal.id}`,
      status: statusText(proposal),
      title: titleText(proposal),
    }));
  };
  const [left, right] = [side('left'), side('right')];
  const idWidth = widest([...left, ...right].map(({ id }) => id));
  const statusWidth = widest([...left, ...right].map(({ status }) => status));
  const lines = (rows: typeof left) =>
    toText(rows.map(({ id, status, title }) => `${id.padEnd(idWidth)}  ${status.padEnd(statusWidth)}  ${title}`));
  return { left: lines(left), right: lines(right) };
}

function paramTexts(section: Comparison['params']): Readonly<Record<SideName, string>> {
  if (section.kind !== 'compared') return none;
  const side = (name: SideName) =>
    toText(section.differences.map((param) => `${plainLine(param.name)} = ${paramText(param[name])}`));
  return { left: side('left'), right: side('right') };
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}

function toText(lines: readonly string[]): string {
  const shown = lines.slice(0, mostLines);
  if (lines.length > shown.length) shown.push(`… ${count(lines.length - shown.length)}`);
  return shown.map((line) => `${line}\n`).join('');
}
