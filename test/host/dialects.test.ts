import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { DialectMemory } from '../../src/api/rest/dialect.ts';
import { SourceMemory } from '../../src/session/memory.ts';
import { type SimulatedNode, startNode } from '../fixtures/nodeSimulator/simulatedNode.ts';
import { sampleCoins, textProposal, wordlessProposal } from '../fixtures/nodeSimulator/simulatorState.ts';
import { activateExtension, type HostApi, readUntil, settled, showSource, treeText } from '../support/hostApi.ts';

/** Passed ones with a gap at 4 and 5, one without a message, one of a forgotten type; and one of a status that nobody knows. */
const proposals = [
  textProposal(1n, 3),
  wordlessProposal(2n, 3, 0),
  textProposal(3n, 3, { unregistered: true }),
  textProposal(6n, 3),
  wordlessProposal(7n, 2, 2),
];
const state = { chainId: 'sim-1', height: 500n, coins: sampleCoins(1200), proposals };

describe('dialects, as the trees show them', () => {
  let api: HostApi;
  let node: SimulatedNode;
  before(async () => {
    api = await activateExtension();
  });
  afterEach(async () => {
    await showSource(api, undefined);
    await node?.stop();
  });
  const whole = (accept: (text: string) => boolean) =>
    readUntil(api.trees.proposals.onDidChangeTreeData, () => treeText(api.trees.proposals, () => true), accept);
  /** Everything that the trees can show of a node. */
  const wholeTree = async () => {
    const { proposals: store } = api.active.session.lists;
    const open = () => treeText(api.trees.proposals, () => true);
    await open();
    for (const group of ['voting', 'deposit', 'passed', 'rejected', 'failed'] as const)
      await settled(store.pager(group));
    return open();
  };

  for (const era of ['0.47', '0.50', '0.53'] as const)
    it(`shows what a node of ${era} cannot say as what it is, beside all others`, async () => {
      node = await startNode({ era, state });
      await showSource(api, node.url);
      await wholeTree();
      const text = await whole((now) => /^Not listed: 4–5$/m.test(now));
      for (const id of [1, 2, 6]) assert.match(text, new RegExp(`^ {2}#${id} \\S`, 'm'), text);
      assert.match(text, /^ {2}#7 \S/m);
      assert.match(text, /^Unreadable \| 1\n {2}#3 \| .+/m);
      assert.equal([...text.matchAll(/^ {2}#\d+/gm)].length, 5, text);
    });

  it('draws the root again once the last list brings a gap to light', async () => {
    node = await startNode({ era: '0.53', state: { ...state, proposals: [textProposal(1n, 3), textProposal(4n, 3)] } });
    const { lists } = await showSource(api, node.url);
    const { proposals: store } = lists;
    await treeText(api.trees.proposals);
    for (const group of ['passed', 'rejected', 'failed', 'deposit'] as const) await store.pager(group).loadMore();
    assert.doesNotMatch(await treeText(api.trees.proposals), /^Not listed/m);
    const rootDrawn = new Promise<void>((resolve) => {
      const listener = api.trees.proposals.onDidChangeTreeData((item) => {
        if (item !== undefined) return;
        listener.dispose();
        resolve();
      });
    });
    await store.pager('voting').loadMore();
    await rootDrawn;
    assert.match(await treeText(api.trees.proposals), /^Not listed: 2–3$/m);
  });

  it('shows proposals of a status that nobody knows in a group of their own, once all lists are read', async () => {
    const some = [textProposal(1n, 3), textProposal(2n, 7), textProposal(4n, 3), textProposal(5n, 9)];
    node = await startNode({ era: '0.50', state: { ...state, proposals: some } });
    const { lists } = await showSource(api, node.url);
    const { proposals: store } = lists;
    for (const group of ['passed', 'rejected', 'failed', 'deposit', 'voting'] as const)
      await store.pager(group).loadMore();
    await readUntil(
      store.onDidChange,
      () => store.rows('other').length,
      (count) => count === 2,
    );
    const read = () => treeText(api.trees.proposals, (label) => label === 'Other statuses');
    const text = await readUntil(api.trees.proposals.onDidChangeTreeData, read, (now) => /^Not listed: 3$/m.test(now));
    assert.match(text, /^Other statuses \| 2\n {2}#5 Proposal 5 \| 9\n {2}#2 Proposal 2 \| 7$/m);
  });

  it('keeps what was found out about an endpoint, and asks one of this machine anew in each session all the same', async () => {
    node = await startNode({ era: '0.47', state });
    await showSource(api, node.url);
    await treeText(api.trees.supply);
    await wholeTree();
    const first = await whole((text) => /^Not listed: 4–5$/m.test(text));
    const kept = new SourceMemory(api.globalState, 'dialects').get(node.url);
    const { segment, gov } = new DialectMemory(kept).traits;
    assert.deepEqual([segment, gov], ['cosmos', 'v1'], JSON.stringify(kept));
    await showSource(api, '');
    const from = node.requests.length;
    await showSource(api, node.url);
    await treeText(api.trees.supply);
    await wholeTree();
    await whole((text) => text === first);
    assert.ok(node.requests.slice(from).some((request) => request.startsWith('GET /chain/')));
  });

  it('loads all at one height, with no page asked for twice, and tells the height', async () => {
    node = await startNode({ era: '0.53', state });
    const { lists } = await showSource(api, node.url);
    const { supply } = lists;
    await supply.pager.loadMore();
    const from = node.requests.length;
    node.state = { ...state, height: 510n };
    await vscode.commands.executeCommand('chainInspector.loadAll', { kind: 'more', owner: 'supply' });
    assert.deepEqual([supply.pager.rows.length, supply.pager.hasMore], [1200, false]);
    assert.deepEqual([supply.pager.height, supply.pager.unpinnedReason], [500n, undefined]);
    const pages = node.requests.slice(from).filter((request) => request.includes('/supply?'));
    assert.equal(new Set(pages.map((request) => /key=([^&]*)/.exec(request)?.[1])).size, pages.length);
    // The size follows the time that a page takes: four times as much, the same, or half.
    const limits = pages.map((request) => Number(/limit=(\d+)/.exec(request)?.[1]));
    assert.equal(limits[0], 50);
    const steps = limits.slice(1).map((limit, at) => limit / (limits[at] ?? limit));
    assert.ok(
      steps.every((step) => [4, 1, 0.5].includes(step)),
      `${limits}`,
    );
  });
});
