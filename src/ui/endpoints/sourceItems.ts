import * as vscode from 'vscode';
import type { Source } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PickItem } from '../ask.ts';
import type { Settings } from '../settings.ts';

/** The shown source, then the sample chain and the endpoints. The last used ones come first. */
export function sourcesByUse({ settings, lastUsed }: ActiveSession): readonly Source[] {
  const used = [settings.source(settings.baseUrl).id, ...lastUsed];
  const rank = ({ id }: Source): number => (used.includes(id) ? used.indexOf(id) : used.length);
  return settings.sources.toSorted((a, b) => rank(a) - rank(b));
}

/** A row for a source. The shown source is marked. */
export function sourceItem(source: Source, settings: Settings): PickItem {
  return {
    icon: source.id === settings.source(settings.baseUrl).id ? 'check' : undefined,
    label: source.name,
    description: source.id || vscode.l10n.t('Sample data, works offline'),
  };
}
