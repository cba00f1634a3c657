import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveFile } from '../../src/service/serve.ts';
import { addresses } from '../node/accounts.ts';
import { stateFileOf } from '../node/recording.ts';
import { notImplemented } from '../support/chainReplies.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { actUntil } from '../support/editorWait.ts';
import { startEchoServer } from '../support/servers.ts';
import { fileDropTests } from './fileDrops.ts';

const gov = 'sample10d07y265gmmuvt4z0w9aw880jnsr700j29t3gj';
const mistaken = {
  messages: [{ '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority: gov, params: { max_validators: 120 } }],
  metadata: 'ipfs://CID',
  deposit: '500000000usample',
  title: 'Raise the set',
  summary: 'From 100 to 120.',
};

const refusal =
  "failed to execute message; message index: 0: proposal title cannot be empty: invalid request [cosmos/cosmos-sdk@v0.53.8/x/gov/keeper/msg_server.go:49] with gas used: '5000'";

describe('drafts on the screen', () => {
  let editor: Editor;

  before(async () => {
    editor = await startEditor();
    const write = (name: string, draft: object) =>
      writeFileSync(join(editor.workspace, name), JSON.stringify(draft, null, 1));
    const good = { ...mistaken, messages: [], metadata: 'A text', deposit: '10000stake,500uosmo' };
    write('raise.json', mistaken);
    write('good.json', good);
    write('bad.json', { ...good, title: '' });
  });
  after(() => editor?.dispose());

  const open = (name: string) =>
    editor.execute('vscode.open', { $uri: pathToFileURL(join(editor.workspace, name)).href });
  const lens = () => editor.page.locator('.codelens-decoration').first();
  const lensText = async (wanted: RegExp) => {
    const read = async () =>
      (await lens().count()) > 0 ? ((await lens().textContent()) ?? '') : 'no line above the text';
    return editor.until('the line above the text', read, (text) => wanted.test(text.replaceAll('\u00a0', ' ')));
  };
  /** Until keys go to the text. */
  const focused = () => editor.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  const squiggles = (kind: 'error' | 'warning') => editor.page.locator(`.squiggly-${kind}`);

  it('say above the text what was found, and mend it by the keyboard', async () => {
    await open('raise.json');
    await lensText(/^1 error, 1 warning · Sample chain/);
    await squiggles('error').first().waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await editor.setTheme(theme);
      await editor.screenshot(`draft-${theme}`);
    }
    await focused();
    await editor.page.keyboard.press('F8');
    const finding = editor.page.locator('.marker-widget').first();
    await finding.waitFor();
    await editor.screenshot('draft-finding');
    await editor.page.keyboard.press('Escape');
    await finding.waitFor({ state: 'detached' });
    const fixes = editor.page.locator('.action-widget', { hasText: 'Add the other parameters from the chain' });
    // The editor drops the question when the cursor or a finding moves, or an extension that starts offers fixes, too.
    const ask = () => editor.page.keyboard.press('Control+.');
    const isMended = async () => /"unbonding_time": "\d+s"/.test(await editor.text());
    const take = async () => {
      await actUntil(editor.page, ask, 'the quick fix', () => fixes.isVisible());
      await editor.screenshot('draft-quick-fix');
      // To the list alone: in the text, where the question was dropped, it would be a new line.
      await fixes.locator('.monaco-list').press('Enter');
    };
    await actUntil(editor.page, take, 'the quick fix to be taken', isMended);
    await lensText(/^1 warning · /);
    assert.match(await editor.text(), /"unbonding_time": "\d+s"/);
    await editor.page.keyboard.press('Control+z');
    await lensText(/^1 error, 1 warning · /);
  });

  it('are previewed beside the text, redrawn while they are typed', async () => {
    const tab = (title: string) => editor.page.locator('.tab', { hasText: title });
    // The line is drawn again when the draft was checked, and takes no click of the one before.
    const preview = () => editor.page.locator('.codelens-decoration a', { hasText: 'Preview' }).click();
    const isPreviewed = () => tab('Draft: Raise the set · sample-1').isVisible();
    await actUntil(editor.page, preview, 'the preview', isPreviewed);
    const page = editor.webview();
    await page.locator('.pill.draft', { hasText: 'Draft' }).waitFor();
    await page.locator('.after.lost', { hasText: 'becomes 0' }).first().waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await editor.setTheme(theme);
      await editor.screenshot(`draft-preview-${theme}`);
    }
    await editor.runCommand('Chain Inspector: Preview Draft');
    await editor.page.locator('.monaco-editor .view-line', { hasText: 'Raise the set' }).first().click();
    await focused();
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.press('ArrowLeft');
    await editor.page.keyboard.press('ArrowLeft');
    await editor.page.keyboard.type(' again');
    await tab('Draft: Raise the set again · sample-1').waitFor();
    await page.locator('h1', { hasText: 'Raise the set again' }).waitFor();
    assert.equal(await editor.page.locator('.tab', { hasText: 'Draft: ' }).count(), 1);
    // Undo takes back a word or a letter, by how fast it was typed.
    for (let count = 0; count < ' again'.length; count++) await editor.page.keyboard.press('Backspace');
    await page.locator('h1', { hasText: /Raise the set$/ }).waitFor();
  });

  it('leave no empty group behind when the editor is reloaded while one is previewed', async () => {
    const groups = () => editor.page.locator('.editor-group-container').count();
    assert.equal(await groups(), 2);
    // A browser does not leave a page with unsaved text, and the editor saves after a second.
    await editor.execute('workbench.action.files.save');
    await editor.reload();
    // The draft was checked again, so the part that closes previews has started.
    await lensText(/^1 error, 1 warning · Sample chain/);
    await editor.until('one group of editors', groups, (count) => count === 1);
    assert.equal(await editor.page.locator('.tab', { hasText: 'Draft: ' }).count(), 0);
  });

  describe('made new from the chain', () => {
    /** Beside these: the palette with the words of the command, and two choices. */
    let keys = 0;
    const press = async (key: string) => {
      keys += 1;
      await editor.page.keyboard.press(key);
    };
    const type = async (text: string) => {
      keys += text.length;
      await editor.page.keyboard.type(text);
    };

    it('lack a title and a summary, and tell what an open proposal would change', async () => {
      await editor.runCommand('Chain Inspector: New Proposal Draft…');
      await editor.quickInput.choose('Parameters of a module');
      await editor.quickInput.choose('cosmos.staking.v1beta1');
      await lensText(/^2 errors, 1 warning · Sample chain/);
      await focused();
      await type('Raise the set');
      await lensText(/^1 error, 1 warning · /);
      // Behind the comma no suggestion is open or to come, which would take the key that goes down.
      await press('End');
      await press('ArrowDown');
      await press('End');
      // Before the quote and the comma.
      await press('ArrowLeft');
      await press('ArrowLeft');
      await type('To 120.');
      await lensText(/^1 warning · /);
    });

    it('change a parameter in fewer than 60 keys', async () => {
      await press('Control+f');
      await editor.page.locator('.find-widget.visible :focus').waitFor();
      await type('max_validators');
      await press('Enter');
      await press('Escape');
      await focused();
      await press('End');
      await press('ArrowLeft');
      await press('Control+Backspace');
      await type('120');
      // The line above the text belongs to the text before, until the draft is checked again.
      await editor.until(
        'the number that was typed',
        () => editor.text(),
        (text) => /"max_validators": 120,/.test(text),
      );
      await lensText(/^No problems · /);
      await editor.screenshot('draft-new');
      console.log(`      ${keys} keys after the choices`);
      assert.ok(keys < 60, `${keys} keys`);
      await editor.execute('editorDriver.closeEditors');
    });
  });

  describe('put to the node on request', () => {
    let node: Awaited<ReturnType<typeof startSimulatingNode>>;

    before(async () => {
      node = await startSimulatingNode();
      await editor.setSettings({ 'chainInspector.baseUrl': node.origin });
    });
    after(async () => {
      await editor?.setSettings({ 'chainInspector.baseUrl': '' });
      await node?.dispose();
    });

    const simulate = async (file: string) => {
      await open(file);
      await lensText(/ · 127\.0\.0\.1/);
      await editor.runCommand('Chain Inspector: Simulate Draft on Node…');
      await editor.quickInput.waitFor(/Simulate on node/);
      await editor.quickInput.type(addresses.holder);
      await editor.quickInput.accept();
    };

    it('are sent once the user has agreed, and accepted', async () => {
      await simulate('good.json');
      const dialog = editor.page.locator('.monaco-dialog-box', { hasText: 'Send this draft to' });
      await dialog.getByText('are sent to').waitFor();
      await editor.screenshot('draft-ask-question');
      assert.ok(((await dialog.textContent()) ?? '').includes(node.origin));
      assert.ok(node.seen.every(({ method }) => method === 'GET'));
      await dialog.getByRole('button', { name: 'Send' }).click();
      await editor.notification('would accept this proposal');
      await editor.screenshot('draft-ask-taken');
    });

    it('are not accepted, for a reason that is shown', async () => {
      await simulate('bad.json');
      await editor.notification('would not accept this proposal: proposal title cannot be empty');
      await editor.screenshot('draft-ask-refused');
    });

    it('are not judged by a node that does not simulate', async () => {
      node.stopSimulating();
      await simulate('good.json');
      await editor.notification('does not support simulation');
    });
  });

  describe('beside state files that are dropped onto a view', () => fileDropTests(() => editor));
});

/** Starts the recorded node, with an account and the simulation beside it, as SDK 0.53.8 answers them. */
async function startSimulatingNode() {
  const state = await serveFile({ file: stateFileOf('0.53.8') });
  let isSimulating = true;
  const gateway = await startEchoServer((request, response) => {
    const reply = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    const { url = '', method } = request;
    if (url.includes('/auth/v1beta1/accounts/')) return reply(200, '{"account":{"sequence":"0"}}');
    if (method !== 'POST') {
      const asked = fetch(state.baseUrl + url).then(async (from) => reply(from.status, await from.text()));
      return void asked.catch(() => response.destroy());
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [message] = JSON.parse(Buffer.concat(chunks).toString()).tx.body.messages;
      if (!isSimulating) reply(501, notImplemented.body);
      else if (message.title !== '') reply(200, '{"gas_info":{"gas_wanted":"0","gas_used":"81234"}}');
      else reply(500, JSON.stringify({ code: 2, message: refusal, details: [] }));
    });
  });
  return {
    origin: gateway.origin,
    seen: gateway.seen,
    stopSimulating: () => {
      isSimulating = false;
    },
    dispose: async () => {
      await gateway.dispose();
      await state.dispose();
    },
  };
}
