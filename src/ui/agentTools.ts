import * as vscode from 'vscode';
import { isAbort } from '../api/errors.ts';
import { escapeForUi } from '../chain/text.ts';
import type { Sessions } from '../session/session.ts';
import { findSource, sourceLabel, type Tool, type ToolHost } from '../tools/tool.ts';
import type { ActiveSession } from './activeSession.ts';
import { confirm } from './report.ts';
import type { Settings } from './settings.ts';

/** What the tools need of the rest of the extension. */
export interface AgentToolsContext {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly settings: Settings;
}

/** Offers the tools to the agents of the editor until it is disposed. */
export async function registerTools(context: AgentToolsContext): Promise<vscode.Disposable> {
  const { tools } = await import('../tools/toolTable.ts');
  return vscode.Disposable.from(...tools.map((tool) => vscode.lm.registerTool(tool.name, editorTool(tool, context))));
}

function editorTool(tool: Tool, context: AgentToolsContext): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation({ input }): vscode.PreparedToolInvocation {
      const { t } = vscode.l10n;
      const { sources, others } = sourcesOf(tool, input, editorHost(context));
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
        const host = editorHost(context);
        const { others } = sourcesOf(tool, input, host);
        for (const other of others) await agreeTo(other);
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

/** Hosts that the user has agreed to in this window. */
const agreed = new Set<string>();

/**
 * Asks the user whether a host that is none of the endpoints may be asked. The editor's own question is not enough: whoever has
 * always allowed a tool does not see it. Rejects where the answer is no.
 */
async function agreeTo(host: string): Promise<void> {
  if (agreed.has(host)) return;
  const question = vscode.l10n.t('An agent wants to ask {0}, which is none of your endpoints.', host);
  if (!(await confirm(question, [vscode.l10n.t('Only GET requests are sent.')], vscode.l10n.t('Ask This Host'))))
    throw new Error(`The user did not agree to ask ${host}. Ask one of the configured sources instead.`);
  agreed.add(host);
}

/** What is shown comes first. */
function editorHost({ active, sessions, settings }: AgentToolsContext): ToolHost {
  const shown = active.session.source;
  const others = settings.sources.filter(({ id, kind }) => id !== shown.id && kind !== 'invalid');
  return { sources: [shown, ...others], sessions, admits: ({ id }) => agreed.has(new URL(id).host) };
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
