import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Editor, startEditor } from '../support/editor.ts';
import { startFolder } from '../support/folders.ts';
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
    await editor.tree('Supply').waitForText(/^ACORN {2}2$/m);
    await editor.runCommand('Chain Inspector: Refresh Supply');
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
    await editor.quickInput.choose(/Enter a URL/);
    await editor.quickInput.type(own.origin);
    await editor.quickInput.accept();
    await editor.until(
      'the second question',
      () => editor.quickInput.title(),
      (title) => title.includes('2 of 2'),
    );
    await editor.quickInput.accept();
    await editor.tree('Supply').waitForText(/^own {2}1$/m);
    assert.deepEqual(server.seen.length, 0);
  });

  it('can once the user trusts it', async () => {
    await editor.runCommand('Workspaces: Manage Workspace Trust');
    await editor.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: /^Trust$/ })
      .first()
      .click();
    await editor.tree('Supply').waitForText(/^stolen {2}1$/m);
    assert.ok(server.seen.length > 0);
  });
});
