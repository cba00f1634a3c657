import type * as vscode from 'vscode';
import type { ActiveSession } from '../activeSession.ts';
import { setContext } from '../contextKeys.ts';

/**
 * Sets the context key that says whether proposals of the shown session have pages in an explorer. Looked up once for
 * each chain.
 */
export function followExplorer(active: ActiveSession, distPath: string): vscode.Disposable {
  const tell = (has: boolean): void => void setContext('hasExplorer', has);
  return active.follow((session) => {
    let isDone = false;
    tell(false);
    const look = async (): Promise<void> => {
      if (isDone || !(session.source.kind === 'http' && session.opened)) return;
      if (session.source.setting.chain === undefined && session.opened.dialect.chainId === undefined) return;
      isDone = true;
      const { explorerPage } = await import('../../session/registry.ts');
      const page = await explorerPage(session, distPath, 1n).catch(() => undefined);
      if (page !== undefined && session === active.session) tell(true);
    };
    return [session.onDidChangeState(() => void look()), session.lists.proposals.onDidChange(() => void look())];
  });
}
