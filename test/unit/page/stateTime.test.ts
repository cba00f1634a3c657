import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DenomModel } from '../../../src/page/denomModel.ts';
import { toDenomView } from '../../../src/page/denomView.ts';
import type { PageView } from '../../../src/page/pageView.ts';
import { ProposalModel } from '../../../src/page/proposalModel.ts';
import { toProposalView } from '../../../src/page/proposalView.ts';
import { systemClock } from '../../../src/watch/clock.ts';
import { timeText } from '../../../src/words/time.ts';
import { startFolder } from '../../support/folders.ts';
import { smallState } from '../service/smallState.ts';
import { startToolHost } from '../tools/toolHost.ts';
import { plainWords } from './plainWords.ts';

/** A state of a genesis, or one that was exported later and has a moment of its inflation. */
function writeState(file: string, lastApplied?: string): void {
  const { app_state, ...header } = smallState();
  const inflation = { assets: { last_applied: lastApplied } };
  const initial_height = lastApplied === undefined ? '1' : '100';
  const of = { genesis_time: '2026-01-01T00:00:00Z', initial_height };
  const { gov, bank } = app_state;
  writeFileSync(file, JSON.stringify({ ...header, ...of, app_state: { gov, bank, inflation } }));
}

/** The texts beside the title, and those below the page. */
function shownTexts({ badges, about }: Pick<PageView, 'badges' | 'about'>): readonly string[] {
  return [...badges.map(({ text }) => text), ...about];
}

/** The pages of a proposal and of a denom of a file, and of the content that is written into it later. */
async function readPages(...moments: readonly (string | undefined)[]): Promise<readonly (readonly string[])[]> {
  const folder = startFolder('stateTime');
  const file = join(folder.path, 'state.json');
  writeState(file, moments[0]);
  const { host, dispose } = startToolHost([pathToFileURL(file).href]);
  const [source] = host.sources;
  assert.ok(source);
  try {
    return await host.sessions.use(source, async (session) => {
      const hold = { session, release: async () => undefined };
      const found: (readonly string[])[] = [];
      for (const [at, moment] of moments.entries()) {
        writeState(file, moment);
        if (at > 0) await session.reopen();
        const options = { clock: systemClock, registryChain: async () => undefined };
        const proposal = new ProposalModel({ sourceId: source.id, id: 1n }, hold, options);
        await proposal.start();
        const denom = new DenomModel({ sourceId: source.id, denom: 'uatom' }, hold);
        await denom.read(false);
        const { facts } = proposal;
        assert.ok(facts);
        for (const view of [toProposalView(facts, plainWords), toDenomView(denom.facts, plainWords)])
          found.push(shownTexts(view).filter((text) => text.startsWith('State as of')));
        proposal.dispose();
        denom.dispose();
      }
      return found;
    });
  } finally {
    await dispose();
    folder.dispose();
  }
}

/** `Feb 3, 2026, 04:05` in the zone of this machine. */
const local = (time: string) => timeText(new Date(time), 'en');

describe('the pages of a state file', () => {
  it('say when it is of, and which field that is estimated from', async () => {
    const said = [`State as of ${local('2026-02-03T04:05:06Z')}, estimated from inflation.assets.last_applied`];
    assert.deepEqual(await readPages('2026-02-03T04:05:06Z'), [said, said]);
  });

  it('say nothing of an estimate where the file states its time', async () => {
    assert.deepEqual(await readPages(undefined), [
      [`State as of ${local('2026-01-01T00:00:00Z')}`],
      [`State as of ${local('2026-01-01T00:00:00Z')}`],
    ]);
  });

  it('say the time of the file that is there now', async () => {
    const [, , ...now] = await readPages('2026-02-03T04:05:06Z', '2026-03-04T05:06:07Z');
    const said = [`State as of ${local('2026-03-04T05:06:07Z')}, estimated from inflation.assets.last_applied`];
    assert.deepEqual(now, [said, said]);
  });
});
