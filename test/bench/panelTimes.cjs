// Runs in the extension host: opens the panel and the least that a panel can be, in turns, and prints how long each took
// from the call until its page had drawn.
const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
const vscode = require('vscode');

const page = `<!doctype html><html><body><p>text</p><script>
const editor = acquireVsCodeApi();
requestAnimationFrame(() => setTimeout(() => editor.postMessage('painted'), 0));
</script></body></html>`;

exports.run = async () => {
  const { baseUrl, runs, plain, others } = JSON.parse(process.env.PANEL_BENCH);
  await vscode.workspace
    .getConfiguration('chainInspector')
    .update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
  const api = await vscode.extensions.getExtension('chain-inspector.chain-inspector').activate();
  const { session } = api.active;
  for (const id of [plain, ...Object.values(others)]) await session.proposals.load(BigInt(id));
  const panels = await api.panels.load();
  const keyOf = (id) => ({ sourceId: session.source.id, id: BigInt(id) });

  const times = { trivial: [], own: [], open: [] };
  const delay = {};
  for (const name of Object.keys(others)) times[name] = [];
  for (let run = 0; run < runs; run++) {
    times.trivial.push(await trivial());
    times.own.push(await painted(() => panels.show(keyOf(plain))));
    for (const [name, id] of Object.entries(others)) {
      const loop = monitorEventLoopDelay({ resolution: 1 });
      loop.enable();
      times[name].push(await painted(() => panels.show(keyOf(id))));
      loop.disable();
      delay[name] = Math.max(delay[name] ?? 0, loop.max / 1e6);
    }
    times.open.push(await painted(() => panels.show(keyOf(plain))));
    (await panels.show(keyOf(plain))).panel.dispose();
  }
  console.log(`PANEL_BENCH ${JSON.stringify({ times, delay })}`);
};

async function trivial() {
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

async function painted(show) {
  const start = performance.now();
  const { panel } = await show();
  await new Promise((resolve) => panel.webview.onDidReceiveMessage(({ type }) => type === 'painted' && resolve()));
  return performance.now() - start;
}
