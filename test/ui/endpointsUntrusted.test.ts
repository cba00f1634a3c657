import { strict as assert } from 'node:assert';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Editor, startEditor } from '../support/editor.ts';
import { actUntil } from '../support/editorWait.ts';
import { sampleFile, startFolder } from '../support/folders.ts';
import { startEchoServer } from '../support/servers.ts';

describe('a workspace that is not trusted', () => {
  let editor: Editor;
  let server: Awaited<ReturnType<typeof startEchoServer>>;
  let own: Awaited<ReturnType<typeof startEchoServer>>;
  const folder = startFolder('untrusted');
  const start = (denom: string) =>
    startEchoServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ supply: [{ denom, amount: '1' }], pagination: { next_key: null } }));
    });

  before(async () => {
    [server, own] = [await start('stolen'), await start('own')];
    const workspace = join(folder.path, 'workspace');
    mkdirSync(join(workspace, '.vscode'), { recursive: true });
    const settings = {
      'chainInspector.baseUrl': server.origin,
      'chainInspector.endpoints': [{ name: 'Planted', url: server.origin }],
      'chainInspector.useEditorFetch': true,
    };
    writeFileSync(join(workspace, '.vscode', 'settings.json'), JSON.stringify(settings));
    editor = await startEditor({
      workspace,
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'never',
      },
    });
  });
  after(async () => {
    await editor?.dispose();
    await server?.dispose();
    await own?.dispose();
    folder.dispose();
  });

  it('cannot set where requests go', async () => {
    await editor.statusBarItem(/Restricted Mode/).waitFor();
    await editor.openContainer('Chain Inspector');
    await editor.tree('Supply').waitForText(/^SAMPLE {2}413/m);
    await editor.runCommand('Chain Inspector: Refresh');
    await editor.runCommand('Chain Inspector: Switch Endpoint…');
    const choices = await editor.until(
      'the choices',
      () => editor.quickInput.items(),
      (items) => items.length > 0,
    );
    await editor.screenshot('untrusted');
    assert.deepEqual(
      choices.filter((label) => label.includes('Planted')),
      [],
    );
    await editor.quickInput.cancel();
    assert.deepEqual(server.seen.length, 0);
  });

  it('does not keep the user from choosing', async () => {
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await editor.quickInput.type(own.origin);
    await editor.quickInput.choose(/^\s*Use http/);
    await editor.tree('Supply').waitForText(/^own {2}1$/m);
    assert.deepEqual(server.seen.length, 0);
  });

  it('can once the user trusts it', async () => {
    await editor.runCommand('Workspaces: Manage Workspace Trust');
    const button = editor.page.locator('.workspace-trust-editor').getByRole('button', { name: /^Trust$/ });
    await button.first().waitFor();
    const trust = () => button.first().click();
    // The page is drawn again with its size, which may lose a click; once it is trusted the button is gone.
    await actUntil(editor.page, trust, 'the workspace to be trusted', () => button.first().isHidden());
    await editor.tree('Supply').waitForText(/^stolen {2}1$/m);
    assert.ok(server.seen.length > 0);
  });

  // The editor's driver is an extension that does not run before.
  it('asks before it opens a file from outside the workspace that a command names, trusted or not', async () => {
    const path = join(folder.path, 'outside.json');
    copyFileSync(sampleFile, path);
    const open = () => editor.execute('chainInspector.openStateFile', { $uri: pathToFileURL(path).href });
    const dialog = editor.page.locator('.monaco-dialog-box');
    const refused = open();
    await dialog.getByText(path).waitFor();
    await editor.screenshot('open-outside');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await refused;
    assert.ok(!(await editor.statusBar()).some((text) => text.includes('outside.json')));
    const opened = open();
    await dialog.getByRole('button', { name: 'Open' }).click();
    await opened;
    await editor.statusBarItem(/outside\.json/).waitFor();
  });
});
