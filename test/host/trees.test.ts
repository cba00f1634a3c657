import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { RequestLine } from '../../src/api/transport/transportTypes.ts';
import { startNode } from '../fixtures/nodeSimulator/simulatedNode.ts';
import { chainReplies, json, notImplemented } from '../support/chainReplies.ts';
import {
  activateExtension,
  askedSince,
  type HostApi,
  readUntil,
  settled,
  showSource,
  treeText,
} from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

/** The reply of a chain with four denoms on two pages. Two of them have units, one is the staking denom. */
function supplyReply(pathname: string, searchParams: URLSearchParams) {
  const page = (denoms: readonly string[], next: string | null) => {
    const supply = denoms.map((denom) => ({ denom, amount: '1234567' }));
    return { body: JSON.stringify({ supply, pagination: { next_key: next } }) };
  };
  if (pathname.endsWith('/bank/v1beta1/supply'))
    return searchParams.has('pagination.key') ? page(['uzed', 'ustake'], null) : page(['factory/a', 'uelm'], 'QQ==');
  if (pathname.endsWith('/denoms_metadata')) {
    const units = (base: string, display: string) => ({
      ...{ base, display, symbol: display.toUpperCase() },
      denom_units: [
        { denom: base, exponent: 0 },
        { denom: display, exponent: 6 },
      ],
    });
    const metadatas = [units('ustake', 'stake'), units('uzed', 'zed')];
    return { body: JSON.stringify({ metadatas, pagination: { next_key: null } }) };
  }
  if (searchParams.get('key') === 'BondDenom' || pathname.endsWith('/staking/v1beta1/params'))
    return { body: JSON.stringify({ param: { value: '"ustake"' }, params: { bond_denom: 'ustake' } }) };
  return notImplemented;
}

describe('the trees over the sample chain', () => {
  let api: HostApi;
  before(async () => {
    api = await activateExtension();
    // A session of its own: that of earlier tests has read more.
    await showSource(api, 'http://127.0.0.1:9');
    await showSource(api, undefined);
  });
  const askedOfGov = (last: RequestLine | undefined) => askedSince(api, last).filter((path) => path.includes('/gov/'));

  it('show the groups without asking anything', async () => {
    const last = api.requests.lines.at(-1);
    const text = await treeText(api.trees.proposals);
    const first = 'Sample data | Add Endpoint…';
    assert.equal(text, [first, 'Voting period', 'Deposit period', 'Passed', 'Rejected', 'Failed'].join('\n'));
    assert.deepEqual(askedOfGov(last), []);
  });

  it('ask for a group when it is first expanded, and for no other', async () => {
    const last = api.requests.lines.at(-1);
    const asked = () => askedOfGov(last);
    const text = await treeText(api.trees.proposals, (label) => label === 'Deposit period');
    const rows = text.split('\n').filter((line) => line.startsWith('  '));
    assert.ok(rows.length > 3 && rows.every((row) => /^ {2}#\d+ .+ \| \d+[dhm]$/.test(row)), text);
    assert.deepEqual(
      asked().map((path) => path.replace(/pagination[^&]*&/g, '')),
      ['/chain/gov/v1/proposals?proposal_status=PROPOSAL_STATUS_DEPOSIT_PERIOD'],
    );
    await treeText(api.trees.proposals, (label) => label === 'Deposit period');
    assert.equal(asked().length, 1, 'a second look asks nothing');
  });

  it('show open votes by their end, then the counts of the other groups and how the votes stand, each asked for once', async () => {
    const last = api.requests.lines.at(-1);
    const read = () => treeText(api.trees.proposals, (label) => label === 'Voting period');
    const text = await readUntil(
      api.trees.proposals.onDidChangeTreeData,
      read,
      (now) => !/^ {2}#\d+ .+ \| \d+[dhm]$/m.test(now),
    );
    const [, voting = '', ...others] = text.split('\n').filter((line) => !line.startsWith('  '));
    const rows = text.split('\n').filter((line) => line.startsWith('  '));
    assert.match(voting, new RegExp(`^Voting period \\| ${rows.length} · next ends in 3h$`));
    for (const group of others) assert.match(group, /^[A-Z][a-z ]+ \| \d+$/);
    for (const row of rows) assert.match(row, /^ {2}#.{19,} \| \d+[hd] \d+%$/);
    const ends = api.active.session.lists.proposals
      .rows('voting')
      .map((row) => row.kind === 'proposal' && row.votingEndTime);
    assert.deepEqual(
      ends,
      ends.toSorted((a, b) => Number(a) - Number(b)),
    );
    const items = await votingItems(api.trees.proposals);
    const icons = items.map(({ iconPath }) => (iconPath instanceof vscode.ThemeIcon ? iconPath.id : undefined));
    assert.deepEqual([...new Set(icons)].sort(), ['pie-chart', 'thumbsdown', 'thumbsup']);
    const words = /^#\d+ .+,( \d+ (d|h|min))+, turnout \d+ %, (no quorum yet|not enough Yes|would pass now)$/;
    for (const { accessibilityInformation } of items) assert.match(accessibilityInformation?.label ?? '', words);
    await read();
    const asked = askedOfGov(last);
    const counted = asked.filter((path) => path.includes('count_total') && path.includes('limit=1&'));
    assert.equal(counted.length, 3, asked.join('\n'));
    assert.equal(asked.filter((path) => path.endsWith('/tally')).length, rows.length);
    assert.equal(new Set(asked).size, asked.length, asked.join('\n'));
  });

  it('say in the hover of a proposal how much of its deposit is there', async () => {
    const tree = api.trees.proposals;
    const [group] = (await tree.getChildren()).filter((node) => node.kind === 'group' && node.group === 'deposit');
    const hovers = await readUntil(
      tree.onDidChangeTreeData,
      async () => {
        const rows = await tree.getChildren(group);
        const items = await Promise.all(
          rows.map(async (row) => tree.resolveTreeItem(await tree.getTreeItem(row), row)),
        );
        return items.map(({ tooltip }) => String(tooltip)).join('\n');
      },
      (text) => /of the deposit/.test(text),
    );
    assert.match(hovers, /^87 % of the deposit$/m);
  });

  it('show the staking denom, known denoms by their amounts, and the others behind them, all read', async () => {
    const { pager } = api.active.session.lists.supply;
    const read = () => treeText(api.trees.supply, (label) => label.startsWith('Other'));
    const text = await readUntil(
      api.trees.supply.onDidChangeTreeData,
      read,
      (now) => /^Other/m.test(now) && !pager.hasMore,
    );
    const rows = text.split('\n');
    assert.equal(rows[0], 'SAMPLE | 413,437,623.72');
    assert.equal(rows.length, pager.rows.length + 1);
    assert.match(text, /^LUMEN \| 415,\d{3},\d{3}(\.\d\d?)?$/m);
    assert.match(text, /^ {2}factory\/.+ \| /m);
    for (const coin of pager.rows) assert.ok(coin.amount > 0n);
  });

  it('open the staking denom to its classes, whose shares add up', async () => {
    const read = () => treeText(api.trees.supply, (label) => label === 'SAMPLE');
    const text = await readUntil(api.trees.supply.onDidChangeTreeData, read, (shown) => / {2}Residue \| /.test(shown));
    const rows = text.split('\n').filter((row) => row.startsWith('  '));
    assert.match(rows.join('\n'), /^ {2}Bonded \| .* · \d+\.\d\d %$/m);
    const points = rows.map((row) => Math.round(Number(/ · (\d+\.\d\d) %/.exec(row)?.[1] ?? 0) * 100));
    assert.equal(
      points.reduce((sum, one) => sum + one, 0),
      10_000,
    );
  });

  it('stay the same rows with the same ids after a refresh', async () => {
    const ids = async () => {
      const nodes = await api.trees.supply.getChildren();
      const items = await Promise.all(nodes.map((node) => api.trees.supply.getTreeItem(node)));
      return items.map(({ id }) => id);
    };
    const before = await ids();
    await api.active.session.lists.supply.pager.refresh();
    await treeText(api.trees.supply);
    assert.deepEqual(await ids(), before);
    assert.equal(new Set(before).size, before.length);
  });

  it('are drawn again once the rows that were under way have arrived, and not needlessly', async () => {
    const redrawn = () =>
      new Promise<void>((resolve) => {
        const once = api.trees.supply.onDidChangeTreeData(() => {
          once.dispose();
          resolve();
        });
      });
    // Rows that earlier tests left to be drawn go first.
    const before = redrawn();
    api.trees.supply.redraw();
    await before;
    const drawn: unknown[] = [];
    const listener = api.trees.supply.onDidChangeTreeData((node) => drawn.push(node));
    try {
      const rows = api.trees.supply.getChildren();
      api.trees.supply.redraw();
      await rows;
      assert.deepEqual(drawn, [], 'the rows hold what was to be drawn');
      const again = redrawn();
      api.trees.supply.redraw();
      api.trees.supply.redraw();
      assert.deepEqual(drawn, [], 'the rows are under way');
      await again;
      assert.deepEqual(drawn, [undefined]);
    } finally {
      listener.dispose();
    }
  });

  it('are drawn again no sooner than VS Code draws without a delay, several rows together', async () => {
    const tree = api.trees.proposals;
    const isGroup = (nodes: readonly unknown[] | undefined) => nodes?.length === 2;
    const drawn: { nodes: readonly unknown[] | undefined; at: number }[] = [];
    const both = Promise.withResolvers<void>();
    const listener = tree.onDidChangeTreeData((nodes) => {
      drawn.push({ nodes, at: performance.now() });
      if (isGroup(nodes)) both.resolve();
      // A change that follows at once.
      else for (const group of groups) tree.redraw(group);
    });
    const groups = (await tree.getChildren()).slice(0, 2);
    try {
      tree.redraw();
      await both.promise;
    } finally {
      listener.dispose();
    }
    const [before, last] = drawn.slice(-2);
    assert.ok(isGroup(last?.nodes), `${drawn.length} redraws`);
    assert.ok((last?.at ?? 0) - (before?.at ?? 0) >= 200, 'VS Code would delay the second one');
  });
});

describe('the trees over a node whose pages bring no row', () => {
  let api: HostApi;
  let node: Awaited<ReturnType<typeof startReplies>>;
  /** Called at each request, with their number. */
  let onRequest: (count: number) => void = () => undefined;
  before(async () => {
    api = await activateExtension();
    node = await startReplies(({ pathname }) => {
      if (!/\/(supply|proposals)$/.test(pathname)) return notImplemented;
      onRequest(node.requests.length);
      const list = pathname.endsWith('supply') ? 'supply' : 'proposals';
      const next_key = Buffer.from(`${node.requests.length}`).toString('base64');
      return { body: JSON.stringify({ [list]: [], pagination: { next_key, total: '0' } }) };
    });
  });
  after(async () => {
    await showSource(api, undefined);
    await node.stop();
  });

  it('stop reading while the view is hidden, and offer to go on after 20 pages', async () => {
    const { lists } = await showSource(api, node.url);
    const { supply } = lists;
    const hidden = new Promise<void>((resolve) => {
      onRequest = (count) => {
        if (count < 5) return;
        api.trees.supply.setVisible(false);
        onRequest = () => undefined;
        resolve();
      };
    });
    await api.trees.supply.getChildren();
    await hidden;
    await settled(supply.pager);
    // Requests behind the rows, and those of the view of proposals, come meanwhile.
    const pages = () => node.requests.filter((path) => path.includes('/supply?')).length;
    const asked = pages();
    await api.trees.supply.getChildren();
    assert.equal(pages(), asked, 'a hidden view reads nothing');
    const again = new Promise((resolve) => {
      const listener = api.trees.supply.onDidChangeTreeData(() => {
        listener.dispose();
        resolve(undefined);
      });
    });
    api.trees.supply.setVisible(true);
    await again;
    await treeText(api.trees.supply);
    await settled(supply.pager);
    assert.match(await treeText(api.trees.supply), /^Continue \| No new rows in the last 20 pages$/);
    const read = pages();
    assert.ok(read > asked && read < asked + 40, node.requests.join('\n'));
    await treeText(api.trees.supply);
    assert.equal(pages(), read);
  });
});

describe('the Supply view over a chain with IBC denoms', () => {
  // SHA-256 of transfer/channel-0/uatom.
  const hash = '27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';
  const supply = [hash, 'A'.repeat(64)].map((one) => ({ denom: `ibc/${one}`, amount: '5' }));
  let api: HostApi;
  let node: Awaited<ReturnType<typeof startReplies>>;
  before(async () => {
    api = await activateExtension();
    const denom_trace = { path: 'transfer/channel-0', base_denom: 'uatom' };
    const reply = chainReplies({ supply });
    node = await startReplies((url) => (url.pathname.includes('/denom_traces/') ? json({ denom_trace }) : reply(url)));
    await showSource(api, node.url);
  });
  after(async () => {
    await showSource(api, undefined);
    await node.stop();
  });

  it('says where one comes from once its tooltip is shown, and not what its hash contradicts', async () => {
    const rows = ['ibc/27394FB0…1E5EB2 | 5', 'ibc/AAAAAAAA…AAAAAA | 5'];
    assert.deepEqual((await treeText(api.trees.supply)).split('\n'), rows);
    const asked = () => node.requests.filter((path) => path.startsWith('/ibc/'));
    assert.deepEqual(asked(), [], 'asked for on demand');
    for (const child of await api.trees.supply.getChildren()) {
      const item = await api.trees.supply.resolveTreeItem(await api.trees.supply.getTreeItem(child), child);
      assert.equal(String(item.tooltip).includes('uatom via transfer/channel-0'), String(item.tooltip).includes(hash));
    }
    assert.deepEqual((await treeText(api.trees.supply)).split('\n'), rows, 'a row has one number');
    const requests = asked().length;
    for (const child of await api.trees.supply.getChildren()) {
      if (child.kind === 'coin' && child.coin.denom.endsWith(hash)) {
        await api.trees.supply.resolveTreeItem(await api.trees.supply.getTreeItem(child), child);
      }
    }
    assert.equal(asked().length, requests, 'known from then on');
  });
});

describe('the trees over other nodes', () => {
  let api: HostApi;
  const stops: (() => Promise<void>)[] = [];
  before(async () => {
    api = await activateExtension();
  });
  after(async () => {
    await showSource(api, undefined);
    for (const stop of stops) await stop();
  });

  it('say in one row that there is no proposal, with the height', async () => {
    const state = { chainId: 'sim-1', height: 500n, coins: [{ denom: 'stake', amount: 7n }], proposals: [] };
    const node = await startNode({ era: '0.53', state });
    stops.push(() => node.stop());
    await showSource(api, node.url);
    const read = () => treeText(api.trees.proposals, (label) => label === 'Voting period');
    await readUntil(api.trees.proposals.onDidChangeTreeData, read, (text) => text === 'No proposals at height 500');
    const asked = node.requests.filter((request) => request.includes('/gov/v1/proposals?'));
    // The other four groups are counted; all proposals together may be counted already, too.
    assert.equal(asked.filter((request) => /limit=1&.*proposal_status=/.test(request)).length, 4, asked.join('\n'));
  });

  it('paint the supply once, in its final order', async () => {
    /** When the rows were answered, and when what orders them was. */
    const answered = { rows: 0, names: 0 };
    const node = await startReplies(({ pathname, searchParams }) => {
      answered[/supply$/.test(pathname) ? 'rows' : 'names'] = performance.now();
      return supplyReply(pathname, searchParams);
    });
    stops.push(node.stop);
    await showSource(api, node.url);
    const seen = new Set<string>();
    const read = async () => {
      const rows = await api.trees.supply.getChildren();
      const items = await Promise.all(rows.map((row) => api.trees.supply.getTreeItem(row)));
      const text = items.map(({ label, description }) => `${label} ${description ?? ''}`.trim()).join();
      seen.add(text);
      return text;
    };
    const final = 'STAKE 1.23,ZED 1.23,Other Denoms 2';
    await readUntil(api.trees.supply.onDidChangeTreeData, read, (text) => text === final);
    seen.delete('Loading…');
    // Rows wait 5 s for their names, which a machine that stands still may not keep.
    if (answered.names - answered.rows < 2500) assert.deepEqual([...seen], [final]);
  });

  it('read the votes that end soonest, and none after the node has refused one', async () => {
    const soonest = ['3', '25', '9'];
    const proposals = Array.from({ length: 25 }, (_, at) => {
      const id = `${at + 1}`;
      const hours = soonest.includes(id) ? 1 + soonest.indexOf(id) : 100 + at;
      return openProposal(id, new Date(Date.now() + (hours + 0.5) * 3_600_000));
    });
    const node = await startReplies(({ pathname, searchParams }) => {
      const [, id = ''] = /\/proposals\/(\d+)\/tally$/.exec(pathname) ?? [];
      if (soonest.includes(id)) return { body: JSON.stringify({ tally: counts('60', '40') }) };
      if (id !== '') return { status: 429, body: '{"code":8,"message":"too many requests"}' };
      const isVoting = ['2', 'PROPOSAL_STATUS_VOTING_PERIOD'].includes(searchParams.get('proposal_status') ?? '');
      if (/\/cosmos\/gov\/v1\/proposals$/.test(pathname))
        return { body: JSON.stringify({ proposals: isVoting ? proposals : [], pagination: { next_key: null } }) };
      if (/\/cosmos\/gov\/v1\/params\//.test(pathname)) {
        const params = { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' };
        return { body: JSON.stringify({ params }) };
      }
      if (/\/staking\/v1beta1\/pool$/.test(pathname))
        return { body: JSON.stringify({ pool: { bonded_tokens: '1000', not_bonded_tokens: '0' } }) };
      return notImplemented;
    });
    stops.push(node.stop);
    await showSource(api, node.url);
    const read = () => treeText(api.trees.proposals, (label) => label === 'Voting period');
    const text = await readUntil(
      api.trees.proposals.onDidChangeTreeData,
      read,
      (shown) => [...shown.matchAll(/h 10%$/gm)].length === 3,
    );
    assert.match(text, /^ {2}#3 .* \| 1h 10%\n {2}#25 .* \| 2h .*\n {2}#9 .* \| 3h .*\n {2}#1 /m);
    const refused = () =>
      new Set(node.requests.flatMap((path) => /proposals\/(\d+)\/tally/.exec(path)?.[1] ?? [])).size - soonest.length;
    assert.ok(refused() <= 2, node.requests.join('\n'));
  });
});

function counts(yes: string, no: string) {
  return { yes_count: yes, abstain_count: '0', no_count: no, no_with_veto_count: '0' };
}

/** A proposal of gov v1 that is in voting. */
function openProposal(id: string, end: Date) {
  const begin = new Date(Date.now() - 3_600_000).toISOString();
  return {
    ...{ id, messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD', final_tally_result: counts('0', '0') },
    ...{ submit_time: begin, deposit_end_time: begin, total_deposit: [], voting_start_time: begin },
    ...{ voting_end_time: end.toISOString(), metadata: '', title: `Proposal ${id}`, summary: '' },
  };
}

/** The rows of proposals in voting, as the editor gets them. */
async function votingItems(tree: HostApi['trees']['proposals']): Promise<vscode.TreeItem[]> {
  const nodes = await tree.getChildren({ kind: 'group', group: 'voting' });
  return Promise.all(nodes.filter(({ kind }) => kind === 'proposal').map((node) => tree.getTreeItem(node)));
}
