import { showControls } from '../../chain/text/showControls.ts';
import type { ProposalView } from './protocol.ts';

/**
 * A view whose every text shows what cannot be seen and what turns the direction of text (`⟦U+202E⟧`). The page gives
 * each text a direction of its own, so the marks that would isolate it are left out: they would stand in its markdown.
 */
export function shownView(view: ProposalView): ProposalView {
  return mapTexts(view, (text) => {
    const shown = showControls(text);
    return shown !== text && shown.startsWith('\u2068') ? shown.slice(1, -1) : shown;
  });
}

function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}
