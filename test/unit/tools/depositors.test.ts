import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { serveFile } from '../../../src/service/serve.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { sampleFile } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

interface Row {
  readonly proposal_id: string;
  readonly depositor: string;
  readonly amount: readonly { readonly denom: string; readonly amount: string }[];
}

describe('the depositors of a list of proposals', () => {
  const all: readonly Row[] = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state.gov.deposits;
  /** The deposits of a list of rows, in the form of the state. */
  const depositsIn = (rows: unknown): readonly string[] =>
    Object(rows).flatMap(({ id, depositors }: { id: string; depositors: { address: string; deposit: object }[] }) =>
      depositors.map((one) => `${id} ${one.address} ${valueAt(one.deposit, '0.amount')}`),
    );
  const own = (rows: readonly Row[]) =>
    new Set(rows.map(({ proposal_id: id, depositor, amount }) => `${id} ${depositor} ${amount[0]?.amount}`));
  const { depositor = '' } = all[0] ?? {};

  it('are those of each open one in one call', async () => {
    const { ask, dispose } = startToolHost(['']);
    const answers = await Promise.all(
      ['voting', 'deposit'].map((status) => ask('list_proposals', { status, fields: 'depositors', limit: 200 })),
    );
    await dispose();
    assert.deepEqual(new Set(answers.flatMap(({ proposals }) => depositsIn(proposals))), own(all));
  });

  it('are one account, on a state and on a node, with a notice that ended ones have none', async () => {
    const served = await serveFile({ file: sampleFile });
    const url = `http://127.0.0.1:${served.port}/chain`;
    const { ask, dispose } = startToolHost(['', url]);
    for (const source of ['Sample chain', url]) {
      const { proposals, notice } = await ask('list_proposals', { source, depositor, fields: 'title', limit: 200 });
      assert.deepEqual(new Set(depositsIn(proposals)), own(all.filter((row) => row.depositor === depositor)));
      assert.match(String(notice), /return or burn deposits/);
    }
    await dispose();
    await served.dispose();
  });

  it('are not known of ended ones, with the reason', async () => {
    const { ask, dispose } = startToolHost(['']);
    const { proposals } = await ask('list_proposals', { status: 'passed', fields: 'depositors', limit: 1 });
    await dispose();
    assert.equal(valueAt(proposals, '0.depositors'), null);
    assert.equal(
      valueAt(proposals, '0.unknown.depositors'),
      'deposits on a proposal that has ended are returned or burned',
    );
  });
});
