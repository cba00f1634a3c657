import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { SourceMemory } from '../../src/session/memory.ts';
import { chainIdOf } from '../../src/session/registry.ts';
import { OutsideLinks } from '../../src/ui/codeLinks/outsideLinks.ts';
import { toBech32 } from '../fixtures/addresses.ts';
import { activateExtension, showSource } from '../support/hostApi.ts';

const denom = 'ibc/14F9BC3E44B8A9C1BE1FB08980FAB87034C9905EF17CF2F5008FC085218811CC';

describe('a hover in code', () => {
  let api: ExtensionApi;

  before(async () => {
    api = await activateExtension();
    await showSource(api, undefined);
    // The part that shows them is loaded after the start.
    while ((await hover(`"${denom}"`)).length === 0);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  async function hover(line: string, language = 'json'): Promise<vscode.MarkdownString[]> {
    const document = await vscode.workspace.openTextDocument({ language, content: line });
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(0, 3),
    );
    const contents = hovers.flatMap((one) => one.contents);
    return contents.filter((one): one is vscode.MarkdownString => one instanceof vscode.MarkdownString);
  }

  const textIn = async (line: string, language?: string): Promise<string> =>
    (await hover(line, language)).map(({ value }) => value).join('\n');

  it('says path, base denom and chain of an ibc denom, in each language', async () => {
    for (const language of ['json', 'jsonc', 'yaml', 'markdown', 'typescript', 'javascript', 'go']) {
      const text = await textIn(`"${denom}"`, language);
      assert.match(text, /Path: transfer\/channel-141\nBase denom: uosmo\nOn Cosmos Hub: OSMO of Osmosis/, language);
    }
  });

  it('asks nothing, and keeps commands out of the text of chains', async () => {
    const asked = api.requests.lines.length;
    const [text, button] = await hover(`"${denom}"`);
    assert.equal(text?.isTrusted, undefined);
    assert.deepEqual(button?.isTrusted, { enabledCommands: ['chainInspector.goTo'] });
    assert.doesNotMatch(button?.value ?? '', /channel|uosmo|OSMO/);
    assert.equal(api.requests.lines.length, asked);
  });

  it('says the hash of a path, which can be copied', async () => {
    assert.match(await textIn('"transfer/channel-141/uosmo"'), new RegExp(denom));
    await vscode.commands.executeCommand('chainInspector.copyIbcDenom', 'transfer/channel-141/uosmo');
    assert.equal(await vscode.env.clipboard.readText(), denom);
  });

  it('is quiet in what is no denom, in other languages and above 1 MB', async () => {
    assert.equal(await textIn(`"${denom}"`, 'plaintext'), '');
    assert.equal(await textIn('"stake": 1, "uatom1"'), '');
    assert.equal(await textIn(`"${denom}"${' '.repeat(1_000_000)}`), '');
    assert.equal(await textIn(`"\u202e${denom}"`), '');
  });

  it('is quiet where the setting is off', async () => {
    const settings = vscode.workspace.getConfiguration('chainInspector');
    await settings.update('codeLinks', false, true);
    try {
      assert.equal(await textIn(`"${denom}"`), '');
    } finally {
      await settings.update('codeLinks', undefined, true);
    }
  });

  it('says the kind of an address, its checksum and the operator of the same bytes', async () => {
    const bytes = new Uint8Array(20).fill(7);
    const operator = toBech32('cosmosvaloper', bytes);
    const text = await textIn(`"${toBech32('cosmos', bytes)}"`);
    assert.match(text, /Account address of cosmos\nIts checksum holds\./);
    assert.ok(text.includes(`Same bytes: ${operator}`));
    assert.match(
      await textIn(`"${operator.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))}"`),
      /checksum does not hold/,
    );
  });
});

describe('a link from outside', () => {
  let api: ExtensionApi;
  before(async () => {
    api = await activateExtension();
    await showSource(api, undefined);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens the proposal of the chain that is shown, and asks nothing for another chain', async () => {
    const opened: unknown[] = [];
    const links = new OutsideLinks(
      api.active,
      new SourceMemory(api.globalState, 'dialects'),
      async (target) => void opened.push(target),
    );
    const chain = await chainIdOf(await api.active.session.node(), new AbortController().signal);
    const asked = api.requests.lines.length;
    const uri = vscode.Uri.parse('vscode://chain-inspector.chain-inspector');
    const handle = (query: string): Promise<void> => links.handleUri(uri.with({ query }));
    await handle(`chain=${chain}&proposal=713`);
    assert.deepEqual(opened, [{ kind: 'proposal', sourceId: api.active.session.source.id, id: 713n }]);
    void handle('chain=other-1&proposal=713');
    await handle('chain=sample-1&proposal=713&url=https://evil.example');
    assert.deepEqual([opened.length, api.requests.lines.length], [1, asked]);
  });
});
