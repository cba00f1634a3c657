import * as vscode from 'vscode';
import { isAbort } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { AcquiredSession, Session, Sessions } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import { findSource, sourceLabel, type Tool, type ToolHost } from '../../tools/tool.ts';
import type { ActiveSession } from '../activeSession.ts';
import { confirm } from '../report.ts';
import type { Settings } from '../settings.ts';

/** What the tools need of the rest of the extension. */
export interface AgentToolsContext {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly settings: Settings;
}

/** Offers the tools to the agents of the editor until it is disposed. */
export async function registerTools(context: AgentToolsContext): Promise<vscode.Disposable> {
  const { tools } = await import('../../tools/toolTable.ts');
  const kept = new KeptSessions(context);
  const parts = { ...context, kept, agreed: new Set<string>() };
  const registered = tools.map((tool) => vscode.lm.registerTool(tool.name, editorTool(tool, parts)));
  return vscode.Disposable.from(...registered, kept);
}

/** What all tools share. */
interface ToolParts extends AgentToolsContext {
  readonly kept: KeptSessions;
  /** Hosts that the user has agreed to since the tools were offered. */
  readonly agreed: Set<string>;
}

/** Milliseconds for which a session is kept. */
const keptFor = 300_000;

/** Sessions of endpoints that are asked but not shown, each kept a while for the next question, and no longer than it is configured. */
class KeptSessions implements vscode.Disposable {
  readonly #sessions: Sessions;
  readonly #kept = new Map<string, AcquiredSession & { readonly timer: NodeJS.Timeout }>();
  readonly #listener: vscode.Disposable;

  constructor({ sessions, settings }: AgentToolsContext) {
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

function editorTool(tool: Tool, parts: ToolParts): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation({ input }): vscode.PreparedToolInvocation {
      const { t } = vscode.l10n;
      const { sources, others } = sourcesOf(tool, input, editorHost(parts));
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
        const host = editorHost(parts);
        const { others } = sourcesOf(tool, input, host);
        for (const other of others) await agreeTo(other, parts.agreed);
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

/**
 * Asks the user whether a host that is none of the endpoints may be asked. The editor's own question is not enough: whoever has
 * always allowed a tool does not see it. Rejects where the answer is no.
 */
async function agreeTo(host: string, agreed: Set<string>): Promise<void> {
  if (agreed.has(host)) return;
  const question = vscode.l10n.t('An agent wants to ask {0}, which is none of your endpoints.', host);
  if (!(await confirm(question, [vscode.l10n.t('Only GET requests are sent.')], vscode.l10n.t('Ask This Host'))))
    throw new Error(`The user did not agree to ask ${host}. Ask one of the configured sources instead.`);
  agreed.add(host);
}

/** What is shown comes first. */
function editorHost({ active, settings, kept, agreed }: ToolParts): ToolHost {
  const shown = active.session.source;
  const others = settings.sources.filter(({ id, kind }) => id !== shown.id && kind !== 'invalid');
  return { sources: [shown, ...others], sessions: kept, admits: ({ id }) => agreed.has(new URL(id).host) };
}

/** Which sources a question is for, and the hosts among them that are not configured. */
function sourcesOf(tool: Tool, input: object, host: ToolHost): Record<'sources' | 'others', readonly string[]> {
  const others: string[] = [];
  const admits: ToolHost['admits'] = ({ id }) => others.push(new URL(id).host) > 0;
  const names = ['source', 'left', 'right'].filter((name) => name in tool.inputSchema.properties);
  const sources = names.map((name) => {
    const named: unknown = Reflect.get(input, name);
    try {
      return sourceLabel(findSource(typeof named === 'string' && named ? named : undefined, { ...host, admits }), host);
    } catch {
      // The tool refuses it, and says what to name instead.
      return String(named);
    }
  });
  return { sources, others };
}
