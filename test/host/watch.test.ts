import { strict as assert } from 'node:assert';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import type { WatchNode } from '../../src/ui/watch/watchScreen.ts';
import { eventWords } from '../../src/ui/watch/watchTree.ts';
import type { WatchView } from '../../src/ui/watch/watchView.ts';
import type { WatchEvent } from '../../src/watch/storedState.ts';
import { activateExtension, itemsUntil, overhear, readUntil, showSource } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

const run = (name: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`chainInspector.${name}`, ...args);
const configuration = () => vscode.workspace.getConfiguration('chainInspector');
const stored = (): unknown => configuration().inspect('watch')?.globalValue;

describe('the watch list in the host', () => {
  let api: ExtensionApi;
  let view: WatchView;
  let service: Awaited<ReturnType<typeof startReplies>>;
  let url = '';
  const supply = ['uelm', 'uoak'].map((denom) => ({ denom, amount: '1250000' }));

  const minute = 60_000;
  const now = Date.now();
  /** When the votes end; a few seconds of each minute are for the test. */
  const ends: Readonly<Record<string, number>> = { 1: now + 7300 * minute, 2: now + 29.9 * minute, 3: now - minute };
  const proposal = (id: string, end: number) => ({
    id,
    messages: [],
    status: end > now ? 'PROPOSAL_STATUS_VOTING_PERIOD' : 'PROPOSAL_STATUS_PASSED',
    title: `Proposal ${id} with a title that is longer than the row`,
    voting_end_time: new Date(end).toISOString(),
  });

  before(async () => {
    api = await activateExtension();
    service = await startReplies(({ pathname }) => {
      const id = /\/gov\/v1\/proposals\/(\d)$/.exec(pathname)?.[1];
      if (id && ends[id]) return { body: JSON.stringify({ proposal: proposal(id, ends[id]) }) };
      if (pathname.endsWith('/supply')) return { body: JSON.stringify({ supply, pagination: { next_key: null } }) };
      const [, denom] = /\/supply\/(\w+)$/.exec(pathname) ?? [];
      return denom
        ? { body: JSON.stringify({ amount: { denom, amount: denom === 'unosuch' ? '0' : '1250000' } }) }
        : { status: 404, body: JSON.stringify({ code: 5, message: 'not found', details: [] }) };
    });
    url = service.url;
    await showSource(api, url);
    await api.active.session.lists.supply.pager.loadMore();
    view = await api.watchList.load();
  });
  after(async () => {
    await configuration().update('watch', undefined, vscode.ConfigurationTarget.Global);
    await showSource(api, undefined);
    await service.stop();
  });

  const rows = (node?: WatchNode): string[] =>
    view.tree.getChildren(node).flatMap((child): string[] => {
      const { label, description } = view.tree.getTreeItem(child);
      return [`${label} | ${description}`, ...rows(child).map((line) => `  ${line}`)];
    });
  const entries = () => [...view.tree.getChildren(undefined), ...view.tree.getChildren({ kind: 'watchIdle' })];
  const row = (label: string) => entries().find((node) => view.tree.getTreeItem(node).label === label);
  const keys = () => view.watch.entries.map(({ key }) => key);
  /** Waits until the rows say so. */
  const until = async (accept: (text: string) => boolean) => {
    await readUntil(api.watchList.onDidChange, () => rows().join('\n'), accept);
  };

  it('watches denoms of the Supply view, each with its live state, by an entry of the user setting', async () => {
    const coin = (denom: string) => ({ kind: 'coin', key: denom });
    await run('watch', coin('uoak'), [coin('uoak'), coin('uelm')]);
    assert.deepEqual(stored(), [
      { source: url, denom: 'uoak' },
      { source: url, denom: 'uelm' },
    ]);
    await until((text) =>
      /^No deadline \| 2\n {2}uoak \| 1,250,000, unchanged since .*\n {2}uelm \| 1,250,000/.test(text),
    );
    assert.equal(api.watchList.isWatched({ kind: 'denom', sourceId: url, denom: 'uelm' }), true);
    const oak = row('uoak');
    assert.match(String(oak && view.tree.getTreeItem(oak).tooltip), /^1,250,000 base units$/m);
  });

  it('opens a watched denom as its page', async () => {
    await run('_openWatched', row('uoak'));
    const { tabGroups } = vscode.window;
    await readUntil(
      tabGroups.onDidChangeTabs,
      () => tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)).join('\n'),
      (labels) => /^uoak · /m.test(labels),
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** The box of Watch by ID or Denom…; `accept` takes its first item and waits for the end of the command. */
  async function openWatchBox() {
    const { opened, stop } = overhear();
    let ended = false;
    const done = Promise.resolve(run('watchById')).finally(() => {
      ended = true;
    });
    const box = await opened;
    stop();
    const accept = async () => {
      while (!ended) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await done;
    };
    return { box, accept };
  }

  it('takes what Go to takes, an address of a page too, and says what the chain does not have', async () => {
    const before = stored();
    const { box, accept } = await openWatchBox();
    box.value = 'unosuch';
    await itemsUntil(box, ([first = '']) => first === `${new URL(url).host} has no denom unosuch`);
    box.value = 'https://explorer.example/chain/proposals/2';
    await itemsUntil(box, ([first = '']) => first === 'Proposal #2');
    await accept();
    assert.deepEqual(stored(), [...[before].flat(), { source: url, proposal: '2' }]);
    await configuration().update('watch', before, vscode.ConfigurationTarget.Global);
  });

  it('takes several entries with commas, each as if it was typed alone', async () => {
    const before = stored();
    const { box, accept } = await openWatchBox();
    box.value = '2, unosuch';
    await itemsUntil(box, ([first = '']) => first.startsWith('unosuch is not a proposal or a loaded denom'));
    box.value = 'https://explorer.example/chain/proposals/2, 3, uelm';
    await itemsUntil(box, ([first = '']) => first === '3 entries');
    await accept();
    const added = [
      { source: url, proposal: '2' },
      { source: url, proposal: '3' },
    ];
    assert.deepEqual(stored(), [...[before].flat(), ...added]);
    await configuration().update('watch', before, vscode.ConfigurationTarget.Global);
  });

  it('says how many entries of the setting are too many, and asks none of them', async () => {
    const before = stored();
    const entry = (at: number) => ({ source: 'https://unknown.example', proposal: `${at + 1}` });
    const write = async (count: number, said: readonly string[]) => {
      await configuration().update(
        'watch',
        Array.from({ length: count }, (_, at) => entry(at)),
        vscode.ConfigurationTarget.Global,
      );
      await until(() => view.messages.join() === said.join());
      assert.equal(keys().length, Math.min(count, 1000));
    };
    await write(1001, ['1 entry is over the limit and not watched']);
    await write(1012, ['12 entries are over the limit and not watched']);
    await write(1000, []);
    await configuration().update('watch', before, vscode.ConfigurationTarget.Global);
    await until(() => keys().length === 2);
  });

  it('shows what the setting says, whoever wrote it', async () => {
    await configuration().update(
      'watch',
      [
        { source: url, denom: 'uelm', muted: true },
        { source: url, denom: 'uoak' },
      ],
      vscode.ConfigurationTarget.Global,
    );
    await until((text) => /uelm \| .* · muted\n/.test(text));
    await run('unmute', row('uelm'));
    assert.doesNotMatch(rows().join('\n'), /muted/);
    assert.deepEqual(stored(), [
      { source: url, denom: 'uelm' },
      { source: url, denom: 'uoak' },
    ]);
  });

  it('removes entries, and restores them where they stood', async () => {
    const before = stored();
    const restore = await view.list.remove(view.watch.entries.slice(0, 1));
    assert.deepEqual(stored(), [{ source: url, denom: 'uoak' }]);
    await restore();
    assert.deepEqual(stored(), before);
    await run('unwatch', row('uoak'), entries());
    assert.deepEqual([keys(), stored()], [[], undefined]);
    await configuration().update('watch', before, vscode.ConfigurationTarget.Global);
    await until(() => keys().length === 2);
  });

  it('unites the workspace list, marked, and greys what is no endpoint on this machine', async () => {
    const elsewhere = 'http://127.0.0.1:9';
    const asked = () => api.requests.lines.filter((line) => line.url.startsWith(`${elsewhere}/`));
    const before = new Set(asked());
    await configuration().update(
      'watch',
      [
        { source: url, denom: 'upine' },
        { source: url, denom: 'uoak' },
      ],
      vscode.ConfigurationTarget.Workspace,
    );
    await until((text) => /uoak \| .*shared/.test(text) && /upine \| .*shared/.test(text));
    await configuration().update('watch', undefined, vscode.ConfigurationTarget.Workspace);
    await until((text) => !/shared/.test(text) && !/upine/.test(text));
    const list = [...[stored()].flat(), { source: elsewhere, proposal: '1' }];
    await configuration().update('watch', list, vscode.ConfigurationTarget.Global);
    await until((text) => /#1 \| Not in the list of endpoints on this machine · 127.0.0.1:9$/m.test(text));
    const unknown = view.tree.getTreeItem(row('#1') ?? assert.fail());
    assert.equal(unknown.contextValue, 'watched.proposal.audible.unknown');
    assert.deepEqual(
      asked().filter((line) => !before.has(line)),
      [],
    );
    const endpoints = configuration().inspect<{ url: string }[]>('endpoints')?.globalValue;
    const added = [...(endpoints ?? []), { url: elsewhere }];
    await configuration().update('endpoints', added, vscode.ConfigurationTarget.Global);
    await until((text) => !/Not an endpoint/.test(text));
    await configuration().update('endpoints', endpoints, vscode.ConfigurationTarget.Global);
  });

  it('shows what ends next first, and what needs nothing in a group behind it', async () => {
    const list = [{ proposal: '3' }, { proposal: '1' }, { denom: 'uelm' }, { proposal: '2' }];
    const value = list.map((entry) => ({ source: url, ...entry }));
    await configuration().update('watch', value, vscode.ConfigurationTarget.Global);
    await until((text) => /Passed/.test(text) && / \d+m$/m.test(text) && /5d/.test(text));
    const [first = '', second = '', group = '', third = '', last = '', ...others] = rows();
    assert.match(first, /^#2 Proposal 2 with a .*… \| \d+m$/, 'one chain is not named');
    assert.match(second, /^#1 Proposal 1 with a .*… \| 5d$/);
    assert.equal(group, 'No deadline | 2');
    assert.match(third, /^ {2}#3 Proposal 3 with a title that is longer than the row \| Passed · /);
    assert.match(last, /^ {2}uelm/);
    assert.deepEqual(others, []);
    const [soon, late] = view.tree.getChildren(undefined).map((node) => view.tree.getTreeItem(node));
    const color = (item: vscode.TreeItem | undefined) =>
      item?.iconPath instanceof vscode.ThemeIcon && item.iconPath.color?.id;
    assert.deepEqual([color(soon), color(late)], ['problemsWarningIcon.foreground', undefined]);
    assert.match(soon?.accessibilityInformation?.label ?? '', /^#2 Proposal 2 with a title that is longer than/);
    assert.match(String(soon?.tooltip), /Ends in \d+ min/);
    assert.ok(String(soon?.tooltip).includes(url));
    assert.equal(view.tree.getParent(row('uelm') ?? assert.fail())?.kind, 'watchIdle');
  });

  it('sorts across chains', async () => {
    await configuration().update(
      'watch',
      [
        { source: url, proposal: '1' },
        { source: '', proposal: '713' },
        { source: url, proposal: '2' },
      ],
      vscode.ConfigurationTarget.Global,
    );
    await until((text) => /#713 .* 3h/.test(text));
    assert.deepEqual(
      rows().map((line) => line.split(' ')[0]),
      ['#2', '#713', '#1'],
    );
  });

  it('names the time left in a notification', () => {
    const target = { kind: 'proposal', sourceId: url, id: 7n } as const;
    const words = (facts: WatchEvent['facts'], end?: number) =>
      eventWords({ id: '', key: '', title: 'Mend it', at: now, facts }, target, { unit: undefined, now, end });
    const ends = { kind: 'ends', hours: 1, end: now + 29 * minute } as const;
    const open = words({ ...ends, period: 'voting', unvoted: true });
    assert.equal(open, '#7 Mend it: voting ends in 29 min, you have not voted');
    const ended = words({ ...ends, period: 'voting', unvoted: true, end: now });
    assert.equal(ended, '#7 Mend it: voting has ended, you did not vote');
    assert.equal(words({ ...ends, period: 'deposit' }), '#7 Mend it: the deposit period ends in 29 min');
    assert.equal(words({ ...ends, period: 'voting', end: now }), '#7 Mend it: voting has ended');
    assert.equal(words({ kind: 'quorum' }, now + 90 * minute), '#7 Mend it: quorum reached, 1 h 30 min left');
    assert.equal(words({ kind: 'status', to: 'passed' }), '#7 Mend it: Passed');
  });

  it('lists the proposals of a state file and asks nothing of it', async () => {
    const file = join(tmpdir(), 'no-such-genesis.json');
    const source = vscode.Uri.file(file).toString();
    await configuration().update('watch', [{ source, proposal: '3' }], vscode.ConfigurationTarget.Global);
    await until((text) => text === 'No deadline | 1\n  #3 | ');
  });
});
