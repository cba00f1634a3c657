// Runs in the extension host: opens the panel and the least that a panel can be, in turns, and prints how long each took
// from the call until its page had drawn.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { ExtensionApi } from '../../src/extension.ts';

/** The input from `panel.bench.ts`. */
const order = z.object({
  baseUrl: z.string(),
  runs: z.number(),
  plain: z.number(),
  others: z.record(z.string(), z.number()),
});

const page = `<!doctype html><html><body><p>text</p><script>
const editor = acquireVsCodeApi();
requestAnimationFrame(() => setTimeout(() => editor.postMessage('painted'), 0));
</script></body></html>`;

export async function run(): Promise<void> {
  const { baseUrl, runs, plain, others } = order.parse(JSON.parse(process.env.PANEL_BENCH ?? ''));
  await vscode.workspace
    .getConfiguration('chainInspector')
    .update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
  const extension = vscode.extensions.getExtension<ExtensionApi>('chain-inspector.chain-inspector');
  if (!extension) throw new Error('The extension is not there');
  const api = await extension.activate();
  const { session } = api.active;
  for (const id of [plain, ...Object.values(others)]) await session.lists.proposals.load(BigInt(id));
  const panels = await api.panels.load();
  const keyOf = (id: number) => ({ sourceId: session.source.id, id: BigInt(id) });

  const times: Record<string, number[]> = {};
  const took = (name: string, ms: number) => {
    times[name] = [...(times[name] ?? []), ms];
  };
  const delay: Record<string, number> = {};
  for (let turn = 0; turn < runs; turn++) {
    took('trivial', await trivial());
    took('own', await painted(() => panels.show(keyOf(plain))));
    for (const [name, id] of Object.entries(others)) {
      const loop = monitorEventLoopDelay({ resolution: 1 });
      loop.enable();
      took(name, await painted(() => panels.show(keyOf(id))));
      loop.disable();
      delay[name] = Math.max(delay[name] ?? 0, loop.max / 1e6);
    }
    took('open', await painted(() => panels.show(keyOf(plain))));
    (await panels.show(keyOf(plain))).panel.dispose();
  }
  console.log(`PANEL_BENCH ${JSON.stringify({ times, delay })}`);
}

async function trivial(): Promise<number> {
  const start = performance.now();
  const panel = vscode.window.createWebviewPanel('trivial', 'Trivial', vscode.ViewColumn.Active, {
    enableScripts: true,
  });
  const drawn = new Promise((resolve) => panel.webview.onDidReceiveMessage(resolve));
  panel.webview.html = page;
  await drawn;
  const time = performance.now() - start;
  panel.dispose();
  return time;
}

async function painted(show: () => Promise<{ readonly panel: vscode.WebviewPanel }>): Promise<number> {
  const start = performance.now();
  const { panel } = await show();
  await new Promise<void>((resolve) =>
    panel.webview.onDidReceiveMessage(({ type }: { readonly type: string }) => type === 'painted' && resolve()),
  );
  return performance.now() - start;
}
