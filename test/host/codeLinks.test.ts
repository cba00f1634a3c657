import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ibcDenomOf } from '../../src/code/trace.ts';
import type { ExtensionApi } from '../../src/extension.ts';
import { SourceMemory } from '../../src/session/memory.ts';
import { chainIdOf } from '../../src/session/registry.ts';
import { OutsideLinks } from '../../src/ui/codeLinks/outsideLinks.ts';
import { toBech32 } from '../fixtures/addresses.ts';
import { type ChainParts, chainReplies } from '../support/chainReplies.ts';
import { activateExtension, pollUntil, showSource, workspaceFolder } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

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
      assert.match(text, /Path: transfer\/channel-141\nBase denom: uosmo\nOn Cosmos Hub: OSMO from Osmosis/, language);
    }
  });

  it('asks nothing, and keeps commands out of the text of chains', async () => {
    const asked = api.requests.lines.length;
    const [text, button] = await hover(`"${denom}"`);
    assert.equal(text?.isTrusted, undefined);
    assert.deepEqual(button?.isTrusted, { enabledCommands: ['chainInspector.goTo', 'chainInspector._askFromCode'] });
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
    assert.match(text, /Account address with the prefix cosmos\nValid checksum$/m);
    assert.ok(text.includes(`Same address in another form: ${operator}`));
    assert.match(
      await textIn(`"${operator.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))}"`),
      /Invalid checksum: a character is wrong\./,
    );
  });
});

describe('a hover on a chain that is asked', () => {
  const trace = 'transfer/channel-4/unheardof';
  const unknown = ibcDenomOf(trace);
  const title = '``` Raise [run](command:editorDriver.canary) <b>\u202eit</b>';
  const account = toBech32('cosmos', new Uint8Array(20).fill(9));
  const operatorBytes = new Uint8Array(20).fill(8);
  const operator = toBech32('cosmosvaloper', operatorBytes);
  const replies: ChainParts['paths'] = {
    '/cosmos/base/tendermint/v1beta1/node_info': { default_node_info: { network: 'cosmoshub-4' } },
    [`/ibc/apps/transfer/v1/denom_traces/${unknown.slice(4)}`]: {
      denom_trace: { path: 'transfer/channel-4', base_denom: 'unheardof' },
    },
    '/cosmos/bank/v1beta1/supply/by_denom': { amount: { denom: unknown, amount: '1234' } },
    '/cosmos/auth/v1beta1/module_accounts': {
      accounts: [{ name: 'marketmap', base_account: { address: account } }],
    },
    '/cosmos/staking/v1beta1/validators': {
      validators: [
        {
          operator_address: operator,
          jailed: false,
          status: 'BOND_STATUS_BONDED',
          tokens: '5',
          description: { moniker: 'Old Mill' },
          commission: { commission_rates: { rate: '0.05' } },
        },
      ],
      pagination: { next_key: null },
    },
    '/cosmos/gov/v1beta1/proposals/705': {
      proposal: {
        proposal_id: '705',
        content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title, description: 'D' },
        status: 'PROPOSAL_STATUS_REJECTED',
        final_tally_result: { yes: '6', abstain: '0', no: '60', no_with_veto: '0' },
        voting_end_time: '2022-06-01T10:00:00Z',
      },
    },
  };
  let api: ExtensionApi;
  let node: Awaited<ReturnType<typeof startReplies>>;
  before(async () => {
    api = await activateExtension();
    node = await startReplies(chainReplies({ paths: replies }));
    await settings().update('endpoints', [{ name: 'Cosmos Hub', url: node.url, chain: 'cosmoshub-4' }], true);
    await showSource(api, node.url);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await showSource(api, undefined);
    await settings().update('endpoints', undefined, true);
    await node.stop();
  });

  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('chainInspector');

  async function hoverIn(document: vscode.TextDocument): Promise<readonly vscode.MarkdownString[]> {
    const place = new vscode.Position(0, 3);
    const found = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      place,
    );
    return found.flatMap(({ contents }) => contents).filter((one) => one instanceof vscode.MarkdownString);
  }

  /** The hover of a line before the node is asked by its button, and after that. */
  async function asked(line: string): Promise<readonly [before: string, after: string]> {
    const document = await vscode.workspace.openTextDocument({ language: 'json', content: line });
    await vscode.window.showTextDocument(document);
    const [before, buttons] = await hoverIn(document);
    const [, encoded = ''] =
      /\[Ask Cosmos Hub\]\(command:chainInspector\._askFromCode\?([^)]*)\)/.exec(buttons?.value ?? '') ?? [];
    const args: unknown = JSON.parse(decodeURIComponent(encoded));
    assert.deepEqual(args, [[`${document.uri}`, 0, 3]]);
    await vscode.commands.executeCommand('chainInspector._askFromCode', ...(Array.isArray(args) ? args : []));
    return [before?.value ?? '', (await hoverIn(document))[0]?.value ?? ''];
  }

  it('says path and supply of an unknown denom once its button has asked for them', async () => {
    const [before, after] = await asked(`"${unknown}"`);
    assert.match(before, /The chain registry does not list its path/);
    assert.match(after, /Path: transfer\/channel-4\nBase denom: unheardof\nSupply on Cosmos Hub: 1,234/);
  });

  it('names the module of an account that the node lists', async () => {
    const [before, after] = await asked(`"${account}"`);
    assert.doesNotMatch(before, /module/);
    assert.match(after, /marketmap module account/);
  });

  it('names a validator that is loaded by its operator address and by its account, without a request', async () => {
    const { signal } = new AbortController();
    await api.active.session.lists.validators.pager.loadAll({ signal, limit: Number.POSITIVE_INFINITY });
    const requests = node.requests.length;
    for (const address of [operator, toBech32('cosmos', operatorBytes)]) {
      const document = await vscode.workspace.openTextDocument({ language: 'json', content: `"${address}"` });
      assert.match((await hoverIn(document))[0]?.value ?? '', /\nValidator: Old Mill/, address);
    }
    assert.equal(node.requests.length, requests);
  });

  it('names a module of the SDK, and the channel of an escrow account, without a request', async () => {
    const requests = node.requests.length;
    const texts = [
      ['cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn', 'gov module account'],
      ['cosmos1x54ltnyg88k0ejmk8ytwrhd3ltm84xehrnlslf', 'Escrow account for transfer/channel-141'],
    ] as const;
    for (const [address, text] of texts) {
      const document = await vscode.workspace.openTextDocument({ language: 'json', content: `"${address}"` });
      assert.ok((await hoverIn(document))[0]?.value.includes(text), address);
    }
    assert.equal(node.requests.length, requests);
  });

  it('says title, status, end and verdict of a linked proposal, as code whatever the title is', async () => {
    const [before, after] = await asked('"https://www.mintscan.io/cosmos/proposals/705"');
    assert.match(before, /Proposal 705 on Cosmos Hub\n```/);
    assert.match(after, /^\n````+plaintext\nProposal 705 on Cosmos Hub\n``` Raise \[run\]/);
    assert.match(after, /Status: Rejected\nEnded .* ago: .*2022.*\nRejected: the result was decided by one of/);
    assert.ok(!after.includes('\u202e'));
  });

  it('opens a linked proposal by a button that names chain and id alone', async () => {
    const content = '"https://www.mintscan.io/cosmos/proposals/705"';
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    const [, buttons] = await hoverIn(document);
    const query = encodeURIComponent(JSON.stringify(['chain=cosmoshub-4&proposal=705']));
    assert.ok(buttons?.value.startsWith(`[Open in Chain Inspector](command:chainInspector._openFromCode?${query})`));
    await vscode.commands.executeCommand('chainInspector._openFromCode', 'chain=cosmoshub-4&proposal=705');
    const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    await pollUntil('the tab', tabs, (labels) => labels.some((label) => label.startsWith('#705 ')));
  });
});

describe('an asset list in the editor', () => {
  before(activateExtension);
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has an error at each base whose trace does not hash to it, until it is mended', async () => {
    const file = vscode.Uri.file(join(workspaceFolder(), 'assetlist.json'));
    const trace = { type: 'ibc', chain: { path: 'transfer/channel-0/uatom' } };
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from(JSON.stringify({ assets: [{ base: denom, traces: [trace] }] })),
    );
    const document = await vscode.workspace.openTextDocument(file);
    const found = await pollUntil(
      'a finding',
      () => vscode.languages.getDiagnostics(file),
      (all) => all.length > 0,
    );
    const atom = ibcDenomOf('transfer/channel-0/uatom');
    assert.deepEqual(
      found.map(({ message, range }) => [message, document.getText(range)]),
      [[`${denom} does not match its trace: transfer/channel-0/uatom hashes to ${atom}.`, `"${denom}"`]],
    );
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, found[0]?.range ?? new vscode.Range(0, 0, 0, 0), `"${atom}"`);
    await vscode.workspace.applyEdit(edit);
    await pollUntil(
      'no finding',
      () => vscode.languages.getDiagnostics(file),
      (all) => all.length === 0,
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

  it('opens the denom on another chain that is configured, without a request of its own', async () => {
    const settings = vscode.workspace.getConfiguration('chainInspector');
    const node = await startReplies(chainReplies({ paths: {} }));
    await settings.update('endpoints', [{ name: 'Other', url: node.url, chain: 'other-2' }], true);
    try {
      const opened: unknown[] = [];
      const links = new OutsideLinks(
        api.active,
        new SourceMemory(api.globalState, 'dialects'),
        async (target) => void opened.push(target),
      );
      await pollUntil(
        'the endpoint',
        () => links.sourceOf('other-2'),
        (source) => source !== undefined,
      );
      await links.open(`chain=other-2&denom=${encodeURIComponent(denom)}`);
      assert.deepEqual(opened, [{ kind: 'denom', sourceId: node.url, denom }]);
      assert.deepEqual(node.requests, []);
    } finally {
      await settings.update('endpoints', undefined, true);
      await node.stop();
    }
  });
});

describe('Copy Link', () => {
  let api: ExtensionApi;
  let start: string;
  before(async () => {
    api = await activateExtension();
    const { lists, node } = await showSource(api, undefined).then((session) => ({
      lists: session.lists,
      node: session.node(),
    }));
    start = `${vscode.env.uriScheme}://chain-inspector.chain-inspector?chain=${(await node).dialect.chainId}`;
    await Promise.all([lists.proposals.load(713n), lists.supply.pager.loadMore()]);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  async function copied(work: () => Thenable<unknown>): Promise<string> {
    await vscode.env.clipboard.writeText('');
    await work();
    return vscode.env.clipboard.readText();
  }

  const ofRows = (...rows: readonly unknown[]): Promise<string> =>
    copied(() => vscode.commands.executeCommand('chainInspector.copyLink', rows[0], rows));

  it('copies a link of each selected row', async () => {
    assert.equal(await ofRows({ kind: 'proposal', key: '713' }), `${start}&proposal=713`);
    const denoms = api.active.session.lists.supply.pager.rows.slice(0, 2).map(({ denom }) => denom);
    const links = denoms.map((denom) => `${start}&denom=${encodeURIComponent(denom)}`);
    assert.equal(await ofRows(...denoms.map((key) => ({ kind: 'coin', key }))), links.join('\n'));
  });

  it('copies a link of what a panel shows', async () => {
    const panels = await api.panels.load();
    const { id: sourceId } = api.active.session.source;
    await panels.show({ sourceId, id: 713n });
    assert.equal(await copied(() => panels.runInTitle('copyLink')), `${start}&proposal=713`);
    const [coin] = api.active.session.lists.supply.pager.rows;
    await panels.showDenom({ sourceId, denom: coin?.denom ?? '' });
    const link = `${start}&denom=${encodeURIComponent(coin?.denom ?? '')}`;
    assert.equal(await copied(() => panels.runInTitle('copyLink')), link);
  });
});
