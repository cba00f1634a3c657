import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { allFaults } from '../fixtures/faults/allFaults.ts';
import { startFaultServer } from '../fixtures/faults/faultServer.ts';
import {
  activateExtension,
  type HostApi,
  overhear,
  pollUntil,
  readUntil,
  settled,
  showSource,
  treeText,
  workspaceFolder,
} from '../support/hostApi.ts';
import { startEchoServer, startReplies } from '../support/servers.ts';

/** One of each kind; all of them are played to the client itself in the unit tests. */
const few = ['refused', 'reset before headers', 'silence', 'broken gzip', '200 with html', 'truncated json'];
const sample = process.env.TEST_FULL
  ? [
      ...few,
      'a name that does not resolve',
      'closed in body',
      'half a body then silence',
      'one byte at a time',
      'tls on a plain address',
      'length too short',
      'gzip bomb',
      '10,000 headers',
      '200 with an empty body',
      '200 with null',
      'bad utf-8',
      "502 with a proxy's page",
      '429 with a long retry-after',
      '403 of a shield',
      'redirect loop',
    ]
  : [...few, '429 with a long retry-after', '403 of a shield'];

/** The setting is about a whole try; the client's finer limits are longer here. */
const slow = ['silence', 'half a body then silence', 'one byte at a time'];
const timedOut = /^The reply was not complete within 1 s \(the request timeout\)$/;

describe('a network that misbehaves, in the trees', () => {
  let api: HostApi;
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  const faults = allFaults.filter(({ name, certificate }) => sample.includes(name) && certificate === undefined);
  const setTimeLimit = async (seconds: number | undefined) => {
    const config = vscode.workspace.getConfiguration('chainInspector');
    if (config.inspect('requestTimeout')?.globalValue !== seconds)
      await config.update('requestTimeout', seconds, vscode.ConfigurationTarget.Global);
  };
  const retry = (notice: 'failed' | 'stale') =>
    vscode.commands.executeCommand('chainInspector.retry', { kind: 'notice', owner: 'supply', notice, text: '' });

  before(async () => {
    api = await activateExtension();
    process.on('unhandledRejection', onUnhandled);
  });
  after(async () => {
    process.off('unhandledRejection', onUnhandled);
    await showSource(api, undefined);
    await setTimeLimit(undefined);
  });

  /** One row with the reason, the address in its tooltip, and under it what can be done. */
  const showsWaysOn = async ({ lists: { proposals } }: typeof api.active.session) => {
    await proposals
      .pager('voting')
      .loadMore()
      .catch(() => undefined);
    const [node, ...others] = await api.trees.proposals.getChildren();
    assert.ok(node && others.length === 0);
    const item = await api.trees.proposals.getTreeItem(node);
    assert.match(`${item.label}`, /^Connection refused$/);
    assert.match(`${item.tooltip}`, /^Connection refused\nGET http:\/\/127\.0\.0\.1:\d+\//);
    assert.match(item.accessibilityInformation?.label ?? '', /^Connection refused/);
    const children = await api.trees.proposals.getChildren(node);
    const actions = await Promise.all(children.map((action) => api.trees.proposals.getTreeItem(action)));
    assert.deepEqual(
      actions.map(({ label, command }) => `${label}: ${command?.command}`),
      [
        'Retry: chainInspector.retry',
        'Edit Address…: chainInspector.editEndpoint',
        'Test Connection: chainInspector.testConnection',
        'Switch Endpoint…: chainInspector.switchEndpoint',
      ],
    );
  };

  it('plays the faults that are named here', () => {
    assert.deepEqual(faults.map(({ name }) => name).sort(), sample.toSorted());
  });

  for (const fault of faults)
    it(`shows "${fault.name}" as a row that names the cause, and Retry reads again`, async () => {
      const server = await startFaultServer(fault);
      // A busy machine may need more than a second for the others.
      await setTimeLimit(slow.includes(fault.name) ? 1 : undefined);
      try {
        const session = await showSource(api, server.base);
        await treeText(api.trees.supply);
        await settled(session.lists.supply.pager);
        const text = await treeText(api.trees.supply);
        assert.ok(!text.includes('\n'), text);
        const [row] = await api.trees.supply.getChildren();
        const item = row && (await api.trees.supply.getTreeItem(row));
        // The row leads with the cause in a few words; the hover has the whole sentence.
        if (slow.includes(fault.name)) assert.match(text, timedOut);
        else assert.match(`${item?.tooltip}`, sayingHere(fault.says));
        assert.ok(text.length <= 200 && text.startsWith(`${item?.label}`), text);
        assert.equal(session.state.kind, 'failed');
        if (fault.name === 'refused') {
          await showsWaysOn(session);
          assert.match(
            await treeText(api.trees.supply),
            /^127\.0\.0\.1:\d+ is not reachable$/,
            'the reason is said once',
          );
        }
        if (!(await server.heal())) return;
        const read = async () => {
          await retry('failed');
          return treeText(api.trees.supply);
        };
        const isRead = (shown: string) => shown === 'stake | 1';
        // A busy machine may need more than a second for an answer, too.
        if (slow.includes(fault.name)) await pollUntil('an answer within the time limit', read, isRead);
        else assert.ok(isRead(await read()));
        // An endpoint that heals has no proposals, since "refused" has asked for them.
        if (fault.name !== 'refused') assert.equal(session.state.kind, 'ready');
      } finally {
        await server.dispose();
      }
    });

  const waysOn = async (): Promise<readonly string[]> => {
    const [node] = await api.trees.proposals.getChildren();
    const children = await api.trees.proposals.getChildren(node ?? assert.fail());
    return Promise.all(children.map(async (way) => `${(await api.trees.proposals.getTreeItem(way)).command?.command}`));
  };

  it('leads from a refusal to what ends it', async () => {
    let answer = { status: 401, body: '{}' };
    const server = await startReplies(() => answer);
    try {
      await showSource(api, server.url);
      await treeText(api.trees.proposals, (label) => label === 'Voting period');
      await settled(api.active.session.lists.proposals.pager('voting'));
      assert.equal(await treeText(api.trees.proposals), 'Needs an API key (401)');
      assert.deepEqual((await waysOn()).slice(0, 2), ['chainInspector.retry', 'chainInspector.setHeader']);
      const message = 'failed to load state at height 5; version does not exist (latest height: 900)';
      answer = { status: 400, body: JSON.stringify({ code: 3, message, details: [] }) };
      await vscode.commands.executeCommand('chainInspector.retry', { kind: 'notice', owner: 'voting' });
      assert.ok((await waysOn()).includes('chainInspector.showLatest'));
    } finally {
      await server.stop();
    }
  });

  it('counts the seconds without an answer, and asks again by Retry', async () => {
    let asked = 0;
    const server = await startEchoServer(() => {
      asked += 1;
    });
    try {
      await showSource(api, server.origin);
      const tree = api.trees.proposals;
      const read = async () => {
        const roots = await tree.getChildren();
        const below = await tree.getChildren(roots[0] ?? assert.fail());
        const items = await Promise.all([...roots, ...below].map((node) => tree.getTreeItem(node)));
        return items.map(({ label }) => label).join('\n');
      };
      const seconds = (text: string) => Number(/^No response for (\d+) s\nRetry\n/.exec(text)?.[1] ?? 0);
      const first = seconds(await readUntil(tree.onDidChangeTreeData, read, (text) => seconds(text) >= 5));
      await readUntil(tree.onDidChangeTreeData, read, (text) => seconds(text) > first);
      assert.match(await treeText(api.endpointsTree), /^127\.0\.0\.1:\d+ \| no response yet · current$/m);
      const before = asked;
      void vscode.commands.executeCommand('chainInspector.retry', { kind: 'notice', owner: 'voting' });
      await pollUntil(
        'another request',
        () => asked,
        (now) => now > before,
      );
    } finally {
      await server.dispose();
    }
  });

  it('keeps the rows of before when a refresh fails, and says of when they are', async () => {
    let broken = false;
    const server = await startEchoServer((_request, response) => {
      if (broken) response.writeHead(500, { 'content-type': 'application/json' });
      const rows = { supply: [{ denom: 'stake', amount: '12' }], pagination: { next_key: null, total: '1' } };
      response.end(JSON.stringify(broken ? { code: 13, message: 'out of gas', details: [] } : rows));
    });
    try {
      const { lists } = await showSource(api, server.origin);
      const { supply } = lists;
      assert.equal(await treeText(api.trees.supply), 'stake | 12');
      broken = true;
      await vscode.commands.executeCommand('chainInspector.refreshSupply');
      await settled(supply.pager);
      assert.match(await treeText(api.trees.supply), /^As of .+ \| .*out of gas.*\nstake \| 12$/);
      await retry('stale');
      assert.match(await treeText(api.trees.supply), /^As of .+ \| .*out of gas.*\nstake \| 12$/);
      broken = false;
      await retry('stale');
      assert.equal(await treeText(api.trees.supply), 'stake | 12');
    } finally {
      await server.dispose();
    }
  });

  it('leaves no rejection unhandled', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(unhandled, []);
  });
});

describe('what a source says in messages', () => {
  const link = '[Click](command:workbench.action.files.newUntitledFile)';
  let api: HostApi;
  before(async () => {
    api = await activateExtension();
  });
  after(async () => {
    await vscode.workspace
      .getConfiguration('chainInspector')
      .update('endpoints', undefined, vscode.ConfigurationTarget.Global);
    await showSource(api, undefined);
  });

  it('is cut, so that the advice behind it is read', async () => {
    const headers = { 'retry-after': '60' };
    const body = JSON.stringify({ code: 3, message: 'x'.repeat(5000), details: [] });
    const node = await startReplies(() => ({ status: 403, headers, body }));
    await showSource(api, node.url);
    const { told, stop } = overhear();
    await vscode.commands.executeCommand('chainInspector.loadAll');
    await told(/^Could not load rows: .*: x{200}…\. Retry after 60 seconds \| Show Log$/m);
    stop();
    await node.stop();
  });

  it('is words where a state file cannot be read', async () => {
    const path = join(workspaceFolder(), 'hostile.json');
    writeFileSync(path, `{"app_state": {"gov": {"proposals": [{"${link}$(trash)": tru}]}}}`);
    const { told, stop } = overhear();
    const session = await showSource(api, vscode.Uri.file(path).toString());
    await session
      .node()
      .then((node) => node.supply({ limit: 1 }))
      .catch(() => undefined);
    await told(/^Could not read hostile\.json: Not valid JSON .*\[Click\] \(command:.*\$ \(trash\).* \|/m);
    const proposals = session.lists.proposals.pager('voting');
    await proposals.loadMore().catch(() => undefined);
    assert.equal(await treeText(api.trees.validators), 'Could not read hostile.json');
    stop();
    rmSync(path);
  });
});

/** Rows begin with a capital; the extension takes larger replies than the unit tests let the client take. */
function sayingHere(says: RegExp): RegExp {
  return new RegExp(says.source.replace('2 MiB', '\\d+ MiB'), 'i');
}
