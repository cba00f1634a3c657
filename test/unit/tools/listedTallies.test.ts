import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { valueAt } from '../../fixtures/questions.ts';
import { sampleFile } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

describe('the rows of ended proposals in list_proposals', () => {
  const { gov } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
  const { ask, dispose } = startToolHost(['']);
  after(dispose);

  it('have the final tally where "fields" asks for the verdict', async () => {
    const { proposals } = await ask('list_proposals', { status: 'rejected', fields: 'verdict', limit: 200 });
    const rejected: readonly Record<string, Record<string, string>>[] = gov.proposals.filter(
      ({ status }: { status: string }) => status === 'PROPOSAL_STATUS_REJECTED',
    );
    const expected = rejected
      .toSorted((a, b) => Number(b.id) - Number(a.id))
      .map(({ final_tally_result: tally }) =>
        ['yes', 'abstain', 'no', 'no_with_veto'].map((option) => tally?.[`${option}_count`] ?? tally?.[option]),
      );
    assert.ok(expected.length > 3);
    assert.deepEqual(
      Object(valueAt(proposals, '*.tally')).map((tally: object) => Object.values(tally)),
      expected,
    );
  });

  it('have none otherwise, and neither have open ones', async () => {
    for (const input of [{ status: 'rejected' }, { status: 'voting', fields: 'verdict' }]) {
      const { proposals } = await ask('list_proposals', input);
      assert.ok(Object(valueAt(proposals, '*.tally')).every((tally: unknown) => tally === undefined));
    }
  });
});
