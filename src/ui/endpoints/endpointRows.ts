// The rows of the Endpoints view, which is collapsed at first. Loaded with the first row.

import * as vscode from 'vscode';
import { keptChainId, type LastAnswer } from '../../session/memory.ts';
import type { Session } from '../../session/session.ts';
import { presentId, type Source } from '../../session/source.ts';
import { causeText } from '../../words/errorWords.ts';
import { durationText, timeText } from '../../words/time.ts';
import type { ActiveSession } from '../activeSession.ts';
import { treeItem } from '../editorTexts.ts';
import type { Storage } from '../storage.ts';

const endpointIcons = {
  'pass-filled': 'testing.iconPassed',
  warning: 'problemsWarningIcon.foreground',
  'circle-outline': 'foreground',
} as const;

/** A row of the Endpoints view. */
export interface EndpointNode {
  readonly kind: 'endpoint';
  readonly sourceId: string;
}

/** The item of a source in the Endpoints view: its name, its chain, and its last answer. */
export function endpointItem(active: ActiveSession, storage: Storage, sourceId: string): vscode.TreeItem {
  const { sessions, settings } = active;
  const source = settings.source(sourceId);
  const isShown = source.id === presentId(active.session.source);
  const isSaved = settings.endpointsById.has(source.id);
  const open = isShown ? active.session : sessions.find(source);
  const answer = lastAnswer(storage.answers.get(source.id), open);
  const answered = answer?.cause === undefined ? 'pass-filled' : 'warning';
  const icon = answer ? answered : 'circle-outline';
  const chain = chainOf(source, storage);
  // The status bar also shows the facts that a narrow view cuts first.
  const facts = [
    chain === source.name ? '' : chain,
    answerText(source, answer, open),
    isShown ? vscode.l10n.t('current') : '',
  ];
  return treeItem({
    id: `endpoint/${source.id}`,
    label: source.name,
    description: facts.filter(Boolean).join(' · '),
    tooltip: [source.name, source.id, chain, answer ? answerLine(answer) : ''].filter(Boolean),
    icon: new vscode.ThemeIcon(icon, new vscode.ThemeColor(endpointIcons[icon])),
    context: `endpoint.${source.kind}.${isShown ? 'shown' : 'other'}.${isSaved ? 'saved' : 'unsaved'}`,
    command: {
      command: 'chainInspector.switchEndpoint',
      title: vscode.l10n.t('Show'),
      arguments: [{ kind: 'endpoint', sourceId: source.id } satisfies EndpointNode],
    },
  });
}

/** The last answer of a source. A failed session counts more than the last answer to a single request. */
function lastAnswer(answer: LastAnswer | undefined, open: Session | undefined): LastAnswer | undefined {
  if (open?.state.kind !== 'failed') return answer;
  return { at: Date.now(), ...answer, cause: causeText(open.state.error, vscode.l10n.t) };
}

/** The chain that an endpoint stated, or that its setting names. "" if neither is known. */
function chainOf(source: Source, { dialects }: Storage): string {
  const stated = keptChainId(dialects, source.id);
  if (stated !== undefined) return stated;
  return source.kind === 'http' ? (source.setting.chain ?? '') : '';
}

/**
 * The last answer: `84 ms`, `84 ms, 5 min ago`, `2 d ago: Needs a key (401)`. Says so if there was none yet, and that
 * the sample chain works offline.
 */
function answerText({ kind }: Source, answer: LastAnswer | undefined, open: Session | undefined): string {
  if (kind === 'sample') return vscode.l10n.t('works offline');
  if (!answer)
    return open?.state.kind === 'loading' ? vscode.l10n.t('no response yet') : vscode.l10n.t('not contacted yet');
  const { at, cause } = answer;
  const result = cause ?? vscode.l10n.t('{0} ms', Math.ceil(answer.ms ?? 0));
  const age = Date.now() - at;
  if (age < 60_000) return result;
  const ago = durationText(age, 'brief', vscode.l10n.t);
  return cause === undefined ? vscode.l10n.t('{0}, {1} ago', result, ago) : vscode.l10n.t('{0} ago: {1}', ago, result);
}

function answerLine({ at, ms, cause }: LastAnswer): string {
  const time = timeText(new Date(at), vscode.env.language);
  return cause === undefined
    ? vscode.l10n.t('Responded in {0} ms: {1}', Math.ceil(ms ?? 0), time)
    : vscode.l10n.t('{0}: {1}', cause, time);
}
