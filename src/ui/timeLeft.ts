import type * as vscode from 'vscode';

/** The time between two redraws, in milliseconds. Rows show no less than minutes. */
const interval = 60_000;

/** Calls `redraw` when a view becomes visible, and every minute while it is. For rows that show the time left. */
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
