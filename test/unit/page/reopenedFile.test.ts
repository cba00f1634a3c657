import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toVerdict } from '../../../src/chain/gov/verdict.ts';
import { ProposalModel } from '../../../src/page/proposalModel.ts';
import { systemClock } from '../../../src/watch/clock.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { startToolHost } from '../tools/toolHost.ts';

/** The sample chain with another title of a proposal in voting, and with its votes or without them. */
function writeState(file: string, title: string, hasVotes: boolean): bigint {
  const state = JSON.parse(readFileSync(sampleFile, 'utf8'));
  const { gov } = state.app_state;
  const open = gov.proposals.find(({ id }: { id: string }) => id === gov.votes[0].proposal_id);
  open.title = title;
  if (!hasVotes) gov.votes = gov.votes.filter((vote: { proposal_id: string }) => vote.proposal_id !== open.id);
  writeFileSync(file, JSON.stringify(state));
  return BigInt(open.id);
}

/** The title, the Yes votes of the tally, and whether single votes are there. */
function shownOf({ facts, whoVoted }: ProposalModel): readonly unknown[] {
  const { row, inputs } = facts ?? {};
  const verdict = row?.kind === 'proposal' && inputs ? toVerdict(row, inputs) : undefined;
  return [row?.kind === 'proposal' ? row.title : undefined, verdict?.tally?.yes, whoVoted.votes.rows.length > 0];
}

describe('a proposal that is shown of a state file that changed', () => {
  it('has title, tally, verdict and votes of the new file, and at no time the tally of the old one under the new title', async () => {
    const folder = startFolder('reopened');
    const file = join(folder.path, 'state.json');
    const id = writeState(file, 'Old', true);
    const { host, dispose } = startToolHost([pathToFileURL(file).href]);
    const [source] = host.sources;
    assert(source);
    await host.sessions.use(source, async (session) => {
      const hold = { session, release: async () => undefined };
      const options = { clock: systemClock, registryChain: async () => undefined };
      const model = new ProposalModel({ sourceId: source.id, id }, hold, options);
      const shown = () => shownOf(model);
      await model.start();
      await model.whoVoted.readVotes();
      const before = shown();
      assert.equal(before[0], 'Old');
      assert.ok(Number(before[1]) > 0 && before[2]);
      const seen: unknown[] = [];
      const read = new Promise<void>((resolve) => {
        model.onDidChange(() => {
          seen.push(shown());
          if (model.facts?.inputs && shown()[0] === 'New') resolve();
        });
      });
      writeState(file, 'New', false);
      await session.reopen();
      await read;
      assert.deepEqual(shown(), ['New', 0n, false]);
      assert.deepEqual(
        seen.filter((one) => Array.isArray(one) && one[0] === 'New' && one[1] === before[1]),
        [],
      );
      model.dispose();
    });
    await dispose();
    folder.dispose();
  });
});
