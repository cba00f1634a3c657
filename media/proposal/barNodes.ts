import type { MeterBlock, TallyBlock, TallyMark } from '../../src/ui/panel/block.ts';
import { element } from './element.ts';

/** The stacked bar of the four options with its marks; one image to a screen reader, with the text that says the same. */
export function toTallyBar(block: TallyBlock): HTMLElement {
  const parts = block.parts.map((part) => {
    const piece = element('span', { class: `part ${part.option}` });
    piece.style.width = toPercent(part.share);
    return piece;
  });
  const bar = element('div', { class: 'stack' }, ...parts);
  return element('div', barAttributes(block.label, block.marks), bar, ...block.marks.map(toMark));
}

/** One filled bar with its mark and its caption. */
export function toMeter(block: MeterBlock): HTMLElement {
  const filled = element('span', { class: 'part filled' });
  filled.style.width = toPercent(block.filled);
  const marks = block.mark ? [block.mark] : [];
  const stack = element('div', { class: 'stack thin' }, filled);
  const bar = element('div', barAttributes(block.label, marks), stack, ...marks.map(toMark));
  return element('div', { class: 'meter' }, element('p', { class: 'caption' }, block.caption), bar);
}

function barAttributes(label: string, marks: readonly TallyMark[]): Record<string, string> {
  const sides = new Set(marks.map((mark) => mark.side));
  const room = [sides.has('above') ? 'roomAbove' : '', sides.has('below') ? 'roomBelow' : ''].join(' ');
  return {
    class: `bar ${room}`.trim(),
    role: 'img',
    'aria-label': [label, ...marks.map((mark) => mark.label)].join('. '),
  };
}

/** A line across the bar, and its words on the side of it that has more room. */
function toMark(mark: TallyMark): HTMLElement {
  const line = element('span', { class: 'mark' });
  line.style.left = toPercent(mark.at);
  const leftward = mark.at > 5_000;
  const words = element('span', { class: `words ${leftward ? 'leftward' : 'rightward'}` }, mark.label);
  if (leftward) words.style.right = toPercent(10_000 - mark.at);
  else words.style.left = toPercent(mark.at);
  return element('span', { class: mark.side }, line, words);
}

function toPercent(points: number): string {
  return `${Math.max(0, Math.min(points, 10_000)) / 100}%`;
}
