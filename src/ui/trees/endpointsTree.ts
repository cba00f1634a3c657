import * as vscode from 'vscode';
import { member } from '../../api/errors.ts';
import { statusGroups } from '../../chain/proposal.ts';
import type { SourceMemory } from '../../session/memory.ts';
import type { Sessions } from '../../session/session.ts';
import { presentId, type Source } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setViewTexts, treeItem } from '../labels.ts';
import { withoutAddress } from '../report.ts';
import type { Settings } from '../settings.ts';
import { stateFileDrop } from './rows.ts';

/** A row of the Endpoints view. */
export interface EndpointNode {
  readonly kind: 'endpoint';
  readonly sourceId: string;
}

interface EndpointsContext {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly dialects: SourceMemory;
}

/** The sources to switch between: the sample chain, the endpoints of the settings, and what is shown. */
export class EndpointsTree implements vscode.TreeDataProvider<EndpointNode>, vscode.Disposable {
  readonly #context: EndpointsContext;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<EndpointNode>;
  readonly #listeners: vscode.Disposable;

  constructor(context: EndpointsContext) {
    this.#context = context;
    this.#view = vscode.window.createTreeView<EndpointNode>('chainInspector.endpoints', {
      treeDataProvider: this,
      dragAndDropController: stateFileDrop,
    });
    const following = context.active.follow((session) => {
      this.#draw();
      return [session.onDidChangeState(() => this.#draw()), session.proposals.onDidChange(() => this.#drawBadge())];
    });
    this.#listeners = vscode.Disposable.from(
      this.#view,
      this.#changed,
      following,
      context.settings.onDidChange((event) => event.affectsConfiguration('chainInspector.endpoints') && this.#draw()),
    );
  }

  readonly onDidChangeTreeData = this.#changed.event;

  getChildren(node?: EndpointNode): EndpointNode[] {
    return node ? [] : this.#context.settings.sources.map(({ id }) => ({ kind: 'endpoint', sourceId: id }));
  }

  getTreeItem({ sourceId }: EndpointNode): vscode.TreeItem {
    const { active, settings, dialects } = this.#context;
    const source = settings.source(sourceId);
    const isShown = source.id === presentId(active.session.source);
    const isSaved = settings.endpoints.some(({ url }) => settings.source(url).id === source.id);
    const learned = member(dialects.get(source.id), 'chainId');
    const named = source.kind === 'http' ? source.setting.chain : undefined;
    const stated = named ?? (typeof learned === 'string' ? learned : undefined);
    const { icon, text } = this.#stateOf(source);
    const place = placeOf(source);
    const label = stated ?? source.name;
    const parts = [isShown ? vscode.l10n.t('shown') : '', text, place === label ? '' : place];
    return treeItem({
      id: `endpoint/${source.id}`,
      label,
      description: parts.filter(Boolean).join(' · '),
      tooltip: [source.name, source.id, text].filter(Boolean),
      icon: new vscode.ThemeIcon(icon, new vscode.ThemeColor(iconColors[icon])),
      context: `endpoint.${source.kind}.${isSaved ? 'saved' : 'unsaved'}`,
      command: {
        command: 'chainInspector.switchEndpoint',
        title: vscode.l10n.t('Show'),
        arguments: [{ kind: 'endpoint', sourceId: source.id } satisfies EndpointNode],
      },
    });
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  #stateOf(source: Source): { icon: keyof typeof iconColors; text: string } {
    const { active, sessions } = this.#context;
    const isShown = source.id === presentId(active.session.source);
    const state = (isShown ? active.session : sessions.find(source))?.state;
    if (state?.kind === 'failed') return { icon: 'warning', text: withoutAddress(state.reason) };
    return { icon: state?.kind === 'ready' ? 'pass-filled' : 'circle-outline', text: '' };
  }

  #draw(): void {
    const { source } = this.#context.active.session;
    const note = vscode.l10n.t('You see made-up state, to look around offline.');
    setViewTexts(this.#view, { description: '', message: source.kind === 'sample' ? [note] : [] });
    this.#drawBadge();
    this.#changed.fire(undefined);
  }

  /** A number where nothing of the shown source can be read. */
  #drawBadge(): void {
    const { state, proposals, supply } = this.#context.active.session;
    const pagers = [supply.pager, ...statusGroups.map((group) => proposals.pager(group))];
    const isDead = state.kind === 'failed' && !pagers.some(({ started }) => started);
    this.#view.badge = isDead ? { value: 1, tooltip: withoutAddress(state.reason) } : undefined;
  }
}

const iconColors = {
  'pass-filled': 'testing.iconPassed',
  warning: 'problemsWarningIcon.foreground',
  'circle-outline': 'foreground',
} as const;

/** Where a source is: the host of an endpoint. */
function placeOf({ kind, id }: Source): string {
  if (kind === 'sample') return vscode.l10n.t('works offline');
  return kind === 'file' ? vscode.l10n.t('state file') : (URL.parse(id)?.host ?? '');
}
