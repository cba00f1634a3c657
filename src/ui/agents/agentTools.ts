import * as vscode from 'vscode';
import { isAbort } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { AcquiredSession, Session, Sessions } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import { findSource, sourceLabel, type Tool, type ToolHost } from '../../tools/tool.ts';
import type { ActiveSession } from '../activeSession.ts';
import { confirm } from '../report.ts';

/** Offers the tools to the agents of the editor until it is disposed. */
export async function registerTools(active: ActiveSession): Promise<vscode.Disposable> {
  const { tools } = await import('../../tools/toolTable.ts');
  const host = new EditorHost(active);
  const registered = tools.map((tool) => vscode.lm.registerTool(tool.name, editorTool(tool, host)));
  return vscode.Disposable.from(...registered, host);
}

/** The window as the tools see it. */
class EditorHost implements ToolHost, vscode.Disposable {
  readonly sessions: KeptSessions;
  readonly #active: ActiveSession;
  /** Hosts that the user has agreed to since the tools were offered. */
  readonly #agreed = new Set<string>();

  constructor(active: ActiveSession) {
    this.#active = active;
    this.sessions = new KeptSessions(active);
  }

  /** What is shown comes first. */
  get sources(): readonly Source[] {
    const shown = this.#active.session.source;
    const others = this.#active.settings.sources.filter(({ id, kind }) => id !== shown.id && kind !== 'invalid');
    return [shown, ...others];
  }

  admits({ id }: Source): boolean {
    return this.#agreed.has(new URL(id).host);
  }

  /**
   * Asks the user whether a host that is none of the endpoints may be asked. The editor's own question is not enough: whoever has
   * always allowed a tool does not see it. Rejects where the answer is no.
   */
  async agreeTo(host: string): Promise<void> {
    if (this.#agreed.has(host)) return;
    const question = vscode.l10n.t('An agent wants to ask {0}, which is none of your endpoints.', host);
    if (!(await confirm(question, [vscode.l10n.t('Only GET requests are sent.')], vscode.l10n.t('Ask This Host'))))
      throw new Error(`The user did not agree to ask ${host}. Ask one of the configured sources instead.`);
    this.#agreed.add(host);
  }

  dispose(): void {
    this.sessions.dispose();
  }
}

/** Milliseconds for which a session is kept. */
const keptFor = 300_000;

/** Sessions of endpoints that are asked but not shown, each kept a while for the next question, and no longer than it is configured. */
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
    // A file may become another one between two questions; its index is kept anyway.
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
      const { sources, others } = sourcesOf(tool, input, host);
      const title = escapeForUi(t('{0}: {1}', tool.title, sources.join(', ')));
      const asked = Object.entries(input).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
      const message = t(
        '{0} is asked for {1}. Nothing is changed.',
        sources.join(', '),
        asked.join(', ') || t('everything'),
      );
      const warning = t('{0} is none of your endpoints: a request goes to that host.', others.join(', '));
      const text = others.length > 0 ? `${warning} ${message}` : message;
      return { invocationMessage: title, confirmationMessages: { title, message: escapeForUi(text, 1000) } };
    },
    async invoke({ input }, token): Promise<vscode.LanguageModelToolResult> {
      const abort = new AbortController();
      const listener = token.onCancellationRequested(() => abort.abort());
      try {
        const { others } = sourcesOf(tool, input, host);
        for (const other of others) await host.agreeTo(other);
        const answer = await tool.run(input, host, abort.signal, () => undefined);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(answer))]);
      } catch (error) {
        throw isAbort(error) ? new vscode.CancellationError() : error;
      } finally {
        listener.dispose();
      }
    },
  };
}

/** Which sources a question is for, and the hosts among them that are not configured. */
function sourcesOf(tool: Tool, input: object, host: ToolHost): Record<'sources' | 'others', readonly string[]> {
  const others: string[] = [];
  const admits: ToolHost['admits'] = ({ id }) => others.push(new URL(id).host) > 0;
  const admitting = { sources: host.sources, sessions: host.sessions, admits };
  const names = ['source', 'left', 'right'].filter((name) => name in tool.inputSchema.properties);
  const sources = names.map((name) => {
    const named: unknown = Reflect.get(input, name);
    try {
      return sourceLabel(findSource(typeof named === 'string' && named ? named : undefined, admitting), host);
    } catch {
      // The tool refuses it, and says what to name instead.
      return String(named);
    }
  });
  return { sources, others };
}
