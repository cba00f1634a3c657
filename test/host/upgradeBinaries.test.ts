import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { type ServedState, serveFile } from '../../src/service/serve.ts';
import type { DraftEditor } from '../../src/ui/drafts/draftEditor.ts';
import { stateFileOf } from '../node/recording.ts';
import { activateExtension, pollUntil, readUntil, showSource } from '../support/hostApi.ts';
import { certificate, type EchoServer, startEchoServer } from '../support/servers.ts';
import { type ForwardProxyServer, startForwardProxy } from '../unit/api/proxies.ts';
import { ofMessages, upgrade } from '../unit/draft/exampleDrafts.ts';

const binary = Buffer.alloc(3_000_000, 'an application');
const sha256 = createHash('sha256').update(binary).digest('hex');

/** Sets the proxy of the editor. A public name leads to our own server through it, as the editor refuses local ones. */
async function setProxy(address: string | undefined): Promise<void> {
  const http = vscode.workspace.getConfiguration('http');
  await http.update('proxy', address, vscode.ConfigurationTarget.Global);
  await http.update('proxyStrictSSL', address === undefined ? undefined : false, vscode.ConfigurationTarget.Global);
}

describe('Check Upgrade Binaries…, in the editor', () => {
  let api: ExtensionApi;
  let served: ServedState;
  let editor: DraftEditor;
  let server: EchoServer;
  let proxy: ForwardProxyServer;
  const { showWarningMessage, showInformationMessage, showErrorMessage, withProgress } = vscode.window;
  const own = { showWarningMessage, showInformationMessage, showErrorMessage, withProgress };
  const said: string[] = [];
  const progress: string[] = [];
  /** The answer to the question, and the cancellation of the progress. */
  let answer: string | undefined;
  let source: vscode.CancellationTokenSource;

  before(async () => {
    api = await activateExtension();
    served = await serveFile({ file: stateFileOf('0.53.8') });
    server = await startEchoServer((request, response) => {
      if (request.url === '/slow') response.writeHead(200).write('x');
      else response.end(binary);
    }, certificate('node'));
    proxy = await startForwardProxy();
    await served.ready;
    await showSource(api, served.baseUrl);
    editor = await api.drafts.load();
    await setProxy(`http://127.0.0.1:${proxy.port}`);
  });
  after(async () => {
    await setProxy(undefined);
    while (vscode.window.tabGroups.activeTabGroup.activeTab)
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await showSource(api, undefined);
    await Promise.all([served.dispose(), server.dispose(), proxy.dispose()]);
  });
  beforeEach(() => {
    answer = 'Download';
    source = new vscode.CancellationTokenSource();
    said.length = 0;
    progress.length = 0;
    // The editor shows no dialog in a test host. Notifications and progress are shown as always.
    Object.assign(vscode.window, {
      showWarningMessage: async (message: string, { detail = '' }: vscode.MessageOptions) => {
        said.push(`question: ${message} ${detail}`);
        return answer;
      },
      showInformationMessage: (message: string) => void said.push(`info: ${message}`),
      showErrorMessage: (message: string) => void said.push(`error: ${message}`),
      withProgress: (
        options: vscode.ProgressOptions,
        task: (progress: vscode.Progress<{ message?: string }>, token: vscode.CancellationToken) => Thenable<unknown>,
      ) =>
        own.withProgress(options, (shown) => {
          progress.push(String(options.title));
          const report = (value: { message?: string }): void => {
            progress.push(value.message ?? '');
            shown.report(value);
          };
          return task({ report }, source.token);
        }),
    });
  });
  afterEach(() => Object.assign(vscode.window, own));

  /** Opens a draft of an upgrade with a binary at this path of the server, and waits until it is checked. */
  async function open(path: string): Promise<vscode.TextDocument> {
    const url = `https://downloads.example.org:${server.port}${path}`;
    const content = ofMessages(
      upgrade({
        info: JSON.stringify({ binaries: { 'darwin/arm64': 's3::https://s3.example.org/app', 'linux/amd64': url } }),
      }),
    );
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(document);
    await readUntil(
      editor.onDidCheck,
      () => editor.draftIn(document),
      (draft) => draft?.facts.height !== undefined,
    );
    return document;
  }

  const run = () => vscode.commands.executeCommand('chainInspector.checkBinaries');
  const binariesIn = ({ uri }: vscode.TextDocument) =>
    vscode.languages
      .getDiagnostics(uri)
      .filter(({ code }) => typeof code === 'object' && code.value === 'upgrade-binary')
      .map(({ message, severity }) => `${severity}: ${message}`);

  it('asks first, shows the progress, and says that a checksum matches', async () => {
    const document = await open(`/app?checksum=sha256:${sha256}`);
    await run();
    const host = `downloads.example.org:${server.port}`;
    const result = `linux/amd64: the checksum matches (3.0 MB downloaded from ${host}).`;
    assert.match(said[0] ?? '', new RegExp(`^question: Download the binaries of this upgrade .*${host}`));
    assert.equal(said.length, 2);
    assert.ok(said[1]?.startsWith(`info: ${result} darwin/arm64: not checked.`), said[1]);
    assert.equal(progress[0], 'Checking upgrade binaries');
    assert.equal(progress.at(-1), 'linux/amd64: 3.0 MB');
    await pollUntil(
      'the result in the draft',
      () => binariesIn(document),
      (all) => all.includes(`3: ${result}`),
    );
  });

  it('says that a checksum differs, as an error at the plan', async () => {
    const document = await open(`/app?checksum=sha256:${'ab'.repeat(32)}`);
    await run();
    assert.match(said[1] ?? '', new RegExp(`^error: linux/amd64: the file from .* has the checksum sha256:${sha256}`));
    const found = await pollUntil(
      'the result in the draft',
      () => binariesIn(document),
      (all) => all.length > 0,
    );
    assert.match(found.join(), /^0: linux\/amd64: the file from /);
  });

  it('downloads nothing where the answer is no', async () => {
    await open(`/app?checksum=sha256:${sha256}`);
    answer = undefined;
    const before = server.seen.length;
    await run();
    assert.equal(said.length, 1);
    assert.equal(server.seen.length, before);
  });

  it('ends without a word when it is cancelled', async () => {
    const document = await open('/slow');
    const running = run();
    await pollUntil(
      'the first byte',
      () => progress.length,
      (count) => count > 1,
    );
    source.cancel();
    await running;
    assert.deepEqual(said.slice(1), []);
    assert.deepEqual(binariesIn(document), []);
  });
});
