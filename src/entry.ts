import type { ExtensionApi, startExtension } from './extension.ts';

// The part that loads while the window starts. The extension itself loads one turn later, and commands wait for it.

let started: ExtensionApi | undefined;

export async function activate(...[context]: Parameters<typeof startExtension>): Promise<ExtensionApi> {
  const extension = await import('./extension.ts');
  started = extension.startExtension(context);
  return started;
}

/** Ends polling, so that another window can take over the watch list. */
export async function deactivate(): Promise<void> {
  await started?.watchList.close();
}
