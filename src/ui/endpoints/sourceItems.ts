import * as vscode from 'vscode';
import type { Source } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PickItem } from '../ask.ts';
import type { Settings } from '../settings.ts';

/** The source that is shown, then the sample chain and the endpoints, the last used first. */
export function sourcesByUse({ settings, lastUsed }: ActiveSession): readonly Source[] {
  const used = [settings.source(settings.baseUrl).id, ...lastUsed];
  const rank = ({ id }: Source): number => (used.includes(id) ? used.indexOf(id) : used.length);
  return settings.sources.toSorted((a, b) => rank(a) - rank(b));
}

/** A row for a source, marked where it is shown. */
export function sourceItem(source: Source, settings: Settings): PickItem {
  return {
    icon: source.id === settings.source(settings.baseUrl).id ? 'check' : undefined,
    label: source.name,
    description: source.id || vscode.l10n.t('Made-up state, works offline'),
  };
}
