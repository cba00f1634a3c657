import type * as vscode from 'vscode';

/** Milliseconds between two redraws: rows show minutes at the finest. */
const interval = 60_000;

/** Calls `redraw` every minute while a view is visible, for rows that show the time left, and when it becomes visible. */
export function redrawEveryMinute(
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  redraw: () => void,
): vscode.Disposable {
  let timer = view.visible ? setInterval(redraw, interval) : undefined;
  const listener = view.onDidChangeVisibility(({ visible }) => {
    clearInterval(timer);
    if (!visible) return;
    redraw();
    timer = setInterval(redraw, interval);
  });
  return {
    dispose: (): void => {
      listener.dispose();
      clearInterval(timer);
    },
  };
}
