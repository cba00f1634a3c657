import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { explorerPage } from '../../src/session/registry.ts';
import { notImplemented } from '../support/chainReplies.ts';
import { activateExtension, readUntil, showSource } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

describe('the proposal panel', () => {
  let api: ExtensionApi;
  before(async () => {
    api = await activateExtension();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await showSource(api, undefined);
    await setEndpoints(undefined);
  });

  const setEndpoints = (endpoints: readonly unknown[] | undefined) =>
    vscode.workspace
      .getConfiguration('chainInspector')
      .update('endpoints', endpoints, vscode.ConfigurationTarget.Global);

  it('asks by itself when the time of a vote runs out, and tells how it ended', async () => {
    let end: number | undefined;
    const service = await startReplies(({ pathname }) => {
      if (!/^\/cosmos\/gov\/v1beta1\/proposals(\/7)?$/.test(pathname)) return notImplemented;
      // The vote runs from when the panel asks first: it is seen in voting, however long it took to come there.
      const soon = Date.now() + 1_500;
      if (pathname.endsWith('/7')) end ??= soon;
      const isOver = Date.now() >= (end ?? soon);
      const proposal = {
        proposal_id: '7',
        content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'Soon over', description: 'D' },
        status: isOver ? 'PROPOSAL_STATUS_PASSED' : 'PROPOSAL_STATUS_VOTING_PERIOD',
        final_tally_result: { yes: isOver ? '6' : '0', abstain: '0', no: '0', no_with_veto: '0' },
        voting_end_time: new Date(end ?? soon).toISOString(),
      };
      const list = { proposals: [proposal], pagination: { next_key: null } };
      return { body: JSON.stringify(pathname.endsWith('/7') ? { proposal } : list) };
    });
    await setEndpoints([{ url: service.url, segment: 'cosmos' }]);
    const { lists, source } = await showSource(api, service.url);
    const { proposals } = lists;
    const status = () => {
      const row = proposals.find(7n);
      return row?.kind === 'proposal' ? row.status : undefined;
    };
    const seen = new Set<string | undefined>();
    const stopListening = proposals.onDidChange(() => seen.add(status()));
    const { panel } = await (await api.panels.load()).show({ sourceId: source.id, id: 7n });
    await readUntil(proposals.onDidChange, status, (now) => now === 'passed');
    stopListening.dispose();
    assert.ok(seen.has('voting'), [...seen].join());
    // Before its end a vote is read twice more where the node states no height: for the height, and whether it was decided meanwhile.
    const asked = service.requests.filter((path) => path.endsWith('/proposals/7'));
    assert.ok(asked.length >= 2 && asked.length <= 6, `${asked.length} requests`);
    assert.match(panel.title, /^#7 Soon over/);
    await service.stop();
  });

  describe('the menu of a row', () => {
    const row = { kind: 'proposal', key: '992', group: 'voting' };
    before(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await setEndpoints(undefined);
      const { lists } = await showSource(api, undefined);
      const { proposals } = lists;
      for (const id of [713n, 992n]) await proposals.load(id);
    });

    it('opens a proposal beside the others, in a panel of its own that is opened once', async () => {
      await (await api.panels.load()).show({ sourceId: '', id: 713n });
      for (const one of [row, row, { ...row, key: '713' }])
        await vscode.commands.executeCommand('chainInspector.openToSide', one);
      await tabsUntil([['#713'], ['#992'], ['#713']]);
    });

    it('opens its JSON, without a panel', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand('chainInspector.openProposalJson', row);
      await tabsUntil([['prop']]);
      const editor = await readUntil(
        vscode.window.onDidChangeActiveTextEditor,
        () => vscode.window.activeTextEditor,
        (active) => active !== undefined,
      );
      assert.match(editor?.document.getText() ?? '', /"id": "992"/);
    });

    it('leads to an explorer where the registry names one for the chain', async () => {
      const { extensionPath = '' } = vscode.extensions.getExtension('chain-inspector.chain-inspector') ?? {};
      const page = () => explorerPage(api.active.session, join(extensionPath, 'dist'), 7n);
      assert.equal(await page(), undefined);
      const url = 'http://127.0.0.1:9';
      await setEndpoints([{ url, chain: 'cosmoshub-4' }]);
      await showSource(api, url);
      assert.match((await page()) ?? '', /^https:\/\/.*\b7\b/);
    });
  });
});

/** Waits until these tabs are open, by their groups; the host learns of them a moment after they were opened. */
async function tabsUntil(expected: readonly (readonly string[])[]): Promise<void> {
  const { tabGroups } = vscode.window;
  await readUntil(
    (listener) => {
      const look = () => listener();
      return vscode.Disposable.from(tabGroups.onDidChangeTabs(look), tabGroups.onDidChangeTabGroups(look));
    },
    () => JSON.stringify(tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label.slice(0, 4)))),
    (shown) => shown === JSON.stringify(expected),
  );
}
