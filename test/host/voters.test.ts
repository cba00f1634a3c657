import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { placesText } from '../../src/ui/watch/myVoters.ts';
import type { WatchNode } from '../../src/ui/watch/watchScreen.ts';
import type { WatchView } from '../../src/ui/watch/watchView.ts';
import { keyOf } from '../../src/watch/watchList.ts';
import { sampleVoter } from '../fixtures/addresses.ts';
import { json, notImplemented, refusal } from '../support/chainReplies.ts';
import { sampleFile } from '../support/folders.ts';
import { activateExtension, type HostApi, readUntil, showSource, treeText } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

const operator = 'cosmosvaloper19rl4cm2hmr8afy4kldpxz3fka4jguq0ae5egnx';
const account = 'cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4';
const otherVoter = 'sample1fl48vsnmsdzcv85q5d2q4z5ajdha8yu39u3m8k';
const run = (name: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`chainInspector.${name}`, ...args);
const configuration = () => vscode.workspace.getConfiguration('chainInspector');
const setVoters = (value: unknown) => configuration().update('voters', value, vscode.ConfigurationTarget.Global);

describe('my voters in the host', () => {
  let api: HostApi;
  let view: WatchView;
  let service: Awaited<ReturnType<typeof startReplies>>;
  /** The options of the account's vote on proposal 7, where it has one. */
  let vote: readonly { option: string; weight: string }[] | undefined;
  const end = new Date(Date.now() + 40 * 3_600_000).toISOString();
  const proposal = (id: string) => ({
    id,
    messages: [{ '@type': '/cosmos.gov.v1.MsgUpdateParams', authority: account }],
    status: 'PROPOSAL_STATUS_VOTING_PERIOD',
    title: `Proposal ${id}`,
    voting_end_time: end,
  });

  before(async () => {
    api = await activateExtension();
    service = await startReplies(({ pathname, searchParams }) => {
      if (pathname.startsWith('/chain/')) return notImplemented;
      if (pathname.endsWith('/supply')) return json({ supply: [], pagination: { next_key: null } });
      if (pathname.endsWith(`/gov/v1/proposals/7/votes/${account}`))
        return vote
          ? json({ vote: { proposal_id: '7', voter: account, options: vote, metadata: '' } })
          : refusal(400, 3, `voter: ${account} not found for proposal: 7`);
      if (!pathname.endsWith('/gov/v1/proposals')) return notImplemented;
      const isVoting = ['2', 'PROPOSAL_STATUS_VOTING_PERIOD', null].includes(searchParams.get('proposal_status'));
      const voter = searchParams.get('voter');
      const isMine = voter === null || (voter === account && vote !== undefined);
      const proposals = isVoting && isMine ? [proposal('7'), ...(voter === null ? [proposal('8')] : [])] : [];
      return json({ proposals, pagination: { next_key: null } });
    });
    await showSource(api, service.url);
    await api.active.session.lists.proposals.pager('voting').loadMore();
    await setVoters([{ address: operator }]);
    view = await api.watchList.load();
  });
  after(async () => {
    await setVoters(undefined);
    await showSource(api, undefined);
    await service.stop();
  });

  const rows = (node?: WatchNode): string =>
    view.tree
      .getChildren(node)
      .map((child) => {
        const { label, description } = view.tree.getTreeItem(child);
        return `${label} | ${description}\n${rows(child)}`;
      })
      .join('');
  const until = async (pattern: RegExp) => {
    await readUntil(
      api.watchList.onDidChange,
      () => rows(),
      (text) => pattern.test(text),
    );
  };
  it('shows open proposals of the chain of an operator address, and which have no vote of its account', async () => {
    await until(
      /^#8 Proposal.* \| 1d · not voted.*\n#7 Proposal.* \| 1d · not voted.*\nNo deadline \| 1\nMy votes \| /,
    );
    // Both end at one moment, while time goes by from row to row.
    const drawn = new Set(Array.from({ length: 500 }, () => rows()));
    assert.deepEqual([...drawn], [rows()]);
    assert.equal(view.badge?.value, 2);
    assert.match(view.badge?.tooltip ?? '', /2 proposals awaiting your vote/);
    assert.equal(configuration().inspect('watch')?.globalValue, undefined);
    const proposals = await treeText(api.trees.proposals, (label) => label === 'Voting period');
    assert.match(proposals, /#7 Proposal.* \| \d+d 0\/1/);
    assert.equal(api.watchList.isWatched({ kind: 'proposal', sourceId: service.url, id: 7n }), false);
  });

  it('turns within one poll after a vote, and asks for its options once', async () => {
    vote = [{ option: 'VOTE_OPTION_YES', weight: '1.000000000000000000' }];
    const from = service.requests.length;
    await run('refreshWatchList');
    await until(/#7 Proposal.* \| 1d · yes/);
    assert.equal(view.badge?.value, 1);
    const asked = service.requests.slice(from).map((path) => path.replace(/^.*\/gov\/v1\//, ''));
    // The Proposals view reads counts and tallies at the same time.
    const isOfPoll = (path: string) => /^proposals(\?pagination\.limit=[12]00&|\/7\/votes)/.test(path);
    assert.deepEqual(asked.filter(isOfPoll), [
      'proposals?pagination.limit=200&proposal_status=2',
      `proposals?pagination.limit=100&proposal_status=2&voter=${account}`,
      `proposals/7/votes/${account}`,
    ]);
  });

  it('shows a split vote with its weights', async () => {
    await setVoters(undefined);
    await until(/^$/);
    assert.equal(view.badge?.value, undefined);
    vote = [
      { option: 'VOTE_OPTION_YES', weight: '0.7' },
      { option: 'VOTE_OPTION_NO_WITH_VETO', weight: '0.300000000000000000' },
    ];
    await setVoters([
      { address: account, name: 'Ops' },
      { address: 'cosmos1jrkmdcwgq94uaamx6zax2luewlhf7u4kucx3kz', name: 'Cold' },
    ]);
    await until(/#7 Propos.* \| 1d · 1 of 2 voted/);
    const seven = view.tree.getChildren(undefined).map((node) => view.tree.getTreeItem(node));
    const spoken = seven.map(({ accessibilityInformation }) => accessibilityInformation?.label).join('\n');
    assert.match(spoken, /#7 .*, Ops: voted 70 % yes, 30 % no with veto, Cold: has not voted, /);
    assert.equal(view.badge?.value, 1, 'one of them is enough');
  });

  it('follows the votes on a chain that is in no registry, and whose proposals name no account', async () => {
    await showSource(api, undefined);
    await setVoters([{ address: sampleVoter }]);
    await api.active.session.lists.proposals.pager('voting').loadMore();
    await until(/^#992 .* \| \d+d · (not voted|yes|no|veto|abstain|split).*/m);
  });

  it('keeps what is known of the sample chain while a state file is shown, and its clock', async () => {
    const marks = () => rows().match(/^#\d+|not voted|^No deadline/gm);
    await configuration().update('watch', [{ source: '', everything: true }], vscode.ConfigurationTarget.Global);
    await setVoters([{ address: sampleVoter }, { address: otherVoter }]);
    await until(/^#\d+ .* \| \w+ · not voted/m);
    const [session, marked, badge] = [api.active.session, marks(), view.badge?.value];
    assert.ok((badge ?? 0) > 1, `${badge}`);
    await showSource(api, vscode.Uri.file(sampleFile).toString());
    await showSource(api, undefined);
    assert.equal(api.active.session, session);
    await treeText(api.trees.proposals, (label) => label === 'Voting period');
    await view.watch.settled();
    assert.deepEqual([marks(), view.badge?.value], [marked, badge]);
    const open = api.active.session.lists.proposals.rows('voting').filter((row) => row.kind === 'proposal');
    const watched = open.map(({ id }) => view.watch.snapshot(keyOf({ kind: 'proposal', sourceId: '', id })));
    const ends = watched.map((snapshot) => snapshot?.kind === 'proposal' && snapshot.votingEnd);
    assert.ok(ends.length > 1);
    assert.deepEqual(
      ends,
      open.map(({ votingEndTime }) => votingEndTime?.getTime()),
      'one clock',
    );
    await configuration().update('watch', undefined, vscode.ConfigurationTarget.Global);
  });

  it('says where accounts vote, and of which chains that is not known yet', () => {
    const place = (name: string, prefix: string | undefined) => ({
      prefix,
      source: { kind: 'sample', id: '', name } as const,
    });
    const [known, other, unknown] = [place('One', 'cosmos'), place('Two', 'osmo'), place('Three', undefined)];
    assert.equal(placesText('cosmos', [known, other]), 'cosmos1… addresses are used on One');
    assert.equal(placesText('cosmos', [known, unknown]), 'cosmos1… addresses are used on One. Not checked yet: Three');
    assert.equal(placesText('cosmos', [other, unknown]), 'Not checked yet: whether Three uses cosmos1… addresses');
    assert.equal(placesText('cosmos', [other]), 'None of your endpoints uses cosmos1… addresses');
  });
});
