import * as vscode from 'vscode';
import { isAbort } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import { DraftFolders } from '../../session/draftFolders.ts';
import type { AcquiredSession, Session, Sessions } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import { findSource, sourceLabel } from '../../tools/question/questionSource.ts';
import type { Tool, ToolHost } from '../../tools/question/tool.ts';
import { listText, sentencesText } from '../../words/language.ts';
import type { ActiveSession } from '../activeSession.ts';
import { signalOf } from '../ask.ts';
import { confirm } from '../report.ts';

/** Offers the tools to the agents of the editor, until the result is disposed. */
export async function registerTools(active: ActiveSession): Promise<vscode.Disposable> {
  const { tools } = await import('../../tools/toolTable.ts');
  const host = new EditorHost(active);
  const registered = tools.map((tool) => vscode.lm.registerTool(tool.name, editorTool(tool, host)));
  return vscode.Disposable.from(...registered, host);
}

/** The window, as the tools use it. */
class EditorHost implements ToolHost, vscode.Disposable {
  readonly sessions: KeptSessions;
  /** Drafts of the workspace, with unsaved changes. */
  readonly drafts = new DraftFolders(
    () =>
      (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath),
    (path) =>
      vscode.workspace.textDocuments
        .find(({ uri, isDirty }) => isDirty && uri.scheme === 'file' && uri.fsPath === path)
        ?.getText(),
  );
  readonly #active: ActiveSession;
  /** Hosts that the user agreed to since the tools were offered. */
  readonly #agreed = new Set<string>();

  constructor(active: ActiveSession) {
    this.#active = active;
    this.sessions = new KeptSessions(active);
  }

  /** The shown source comes first. */
  get sources(): readonly Source[] {
    const shown = this.#active.session.source;
    const others = this.#active.settings.sources.filter(({ id, kind }) => id !== shown.id && kind !== 'invalid');
    return [shown, ...others];
  }

  admits({ id }: Source): boolean {
    return this.#agreed.has(new URL(id).host);
  }

  /**
   * Asks the user whether a host outside the endpoints may be asked. VS Code asks before a tool runs, but not users who
   * always allow the tool. Rejects if the user refuses.
   */
  async agreeTo(host: string): Promise<void> {
    if (this.#agreed.has(host)) return;
    const question = vscode.l10n.t('Allow the agent to send a request to {0}? It is not one of your endpoints.', host);
    if (!(await confirm(question, [vscode.l10n.t('Only GET requests are sent.')], vscode.l10n.t('Allow'))))
      throw new Error(`The user did not allow a request to ${host}. Use one of the configured sources instead.`);
    this.#agreed.add(host);
  }

  dispose(): void {
    this.sessions.dispose();
  }
}

/** The time for which a session is kept, in milliseconds. */
const keptFor = 300_000;

/**
 * Sessions of endpoints that are asked but not shown. Each is kept a while for the next question, and closed when its
 * endpoint is removed.
 */
class KeptSessions implements vscode.Disposable {
  readonly #sessions: Sessions;
  readonly #kept = new Map<string, AcquiredSession & { readonly timer: NodeJS.Timeout }>();
  readonly #listener: vscode.Disposable;

  constructor({ sessions, settings }: ActiveSession) {
    this.#sessions = sessions;
    this.#listener = settings.onDidChange(() => {
      const configured = new Set(settings.sources.map((source) => JSON.stringify(source)));
      for (const key of [...this.#kept.keys()]) if (!configured.has(key)) this.#letGo(key);
    });
  }

  async use<T>(source: Source, work: (session: Session) => Promise<T>): Promise<T> {
    // A state file may change between two questions. Its index is kept anyway.
    if (source.kind === 'http') this.#keep(source);
    return this.#sessions.use(source, work);
  }

  dispose(): void {
    this.#listener.dispose();
    for (const key of [...this.#kept.keys()]) this.#letGo(key);
  }

  #keep(source: Source): void {
    const key = JSON.stringify(source);
    const acquired = this.#sessions.acquire(source);
    this.#letGo(key);
    this.#kept.set(key, { ...acquired, timer: setTimeout(() => this.#letGo(key), keptFor) });
  }

  #letGo(key: string): void {
    const kept = this.#kept.get(key);
    clearTimeout(kept?.timer);
    this.#kept.delete(key);
    void kept?.release();
  }
}

function editorTool(tool: Tool, host: EditorHost): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation({ input }): vscode.PreparedToolInvocation {
      const { t } = vscode.l10n;
      const { sources, others } = askedSources(tool, input, host);
      const title = escapeForUi(t('{0}: {1}', tool.title, listText(sources, t)));
      const asked = Object.entries(input).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      const message = t(
        'Reads from {0} ({1}). Nothing is changed.',
        listText(sources, t),
        listText(asked, t) || t('everything'),
      );
      const warning = t('{0} is not one of your endpoints. The request is sent to that host.', listText(others, t));
      const text = others.length > 0 ? sentencesText([warning, message], t) : message;
      return { invocationMessage: title, confirmationMessages: { title, message: escapeForUi(text, 1000) } };
    },
    async invoke({ input }, token): Promise<vscode.LanguageModelToolResult> {
      try {
        const { others } = askedSources(tool, input, host);
        for (const other of others) await host.agreeTo(other);
        const answer = await tool.run(input, host, signalOf(token), () => undefined);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(answer))]);
      } catch (error) {
        throw isAbort(error) ? new vscode.CancellationError() : error;
      }
    },
  };
}

/** The sources of a question, and their hosts that are not configured. */
function askedSources(tool: Tool, input: object, host: ToolHost): Record<'sources' | 'others', readonly string[]> {
  const others: string[] = [];
  const admits: ToolHost['admits'] = ({ id }) => others.push(new URL(id).host) > 0;
  const admitting = { sources: host.sources, sessions: host.sessions, admits };
  const names = ['source', 'left', 'right'].filter((name) => name in tool.inputSchema.properties);
  const sources = names.map((name) => {
    const named: unknown = Reflect.get(input, name);
    try {
      return sourceLabel(findSource(typeof named === 'string' && named ? named : undefined, admitting), host);
    } catch {
      // The tool refuses this source, and says what to name instead.
      return String(named);
    }
  });
  return { sources, others };
}
