import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { build } from './build.ts';
import { startDesktop } from './desktop.ts';
import { startEditorServer } from './editorServer.ts';
import { projectFolder } from './folders.ts';

/**
 * `npm start`: the editor with the extension on the sample chain, until Ctrl+C. It is shown in the browser; with
 * `--desktop`, in the installed VS Code.
 */
export async function start(args: readonly string[], stop: AbortSignal): Promise<number> {
  await build({ production: false });
  if (args.includes('--desktop')) return startDesktop(stop);
  const server = await startEditorServer({ graceSeconds: 600 });
  try {
    const address = server.address(projectFolder);
    console.log(`Chain Inspector is open at\n\n  ${address}\n\nPress Ctrl+C to end it.`);
    openAddress(address);
    if (!stop.aborted) await Promise.race([once(stop, 'abort'), server.exited]);
    return stop.aborted ? 0 : 1;
  } finally {
    await server.dispose();
  }
}

/** Opens the address where there is a desktop to open it on. The browser is the user's and stays when we end. */
function openAddress(address: string): void {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI) return;
  const detached = { detached: true, stdio: 'ignore' as const };
  const opener =
    process.platform === 'darwin'
      ? spawn('open', [address], detached)
      : process.platform === 'win32'
        ? spawn('explorer', [address], detached)
        : DISPLAY || WAYLAND_DISPLAY
          ? spawn('xdg-open', [address], detached)
          : undefined;
  opener?.on('error', () => {}); // The address is printed; whoever cannot open it, reads it.
  opener?.unref();
}
