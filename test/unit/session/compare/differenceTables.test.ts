import { strict as assert } from 'node:assert';
import {
  paramDifferences,
  proposalDifferences,
  supplyDifferences,
} from '../../../../src/session/compare/differenceTables.ts';

describe('differences as lines of a file', () => {
  it('keep every digit of a supply', () => {
    const row = { change: 'changed', denom: 'uoak', left: 2n ** 128n, right: 0n } as const;
    assert.deepEqual(supplyDifferences.cells(row), ['uoak', 'changed', '340282366920938463463374607431768211456', '0']);
    assert.deepEqual(supplyDifferences.json(row), {
      denom: 'uoak',
      change: 'changed',
      left: '340282366920938463463374607431768211456',
      right: '0',
    });
  });

  it('leave empty what a side does not have', () => {
    const right = { id: 7n, status: 'PROPOSAL_STATUS_PASSED', title: undefined };
    const added = { change: 'added', id: 7n, right } as const;
    assert.deepEqual(proposalDifferences.cells(added), ['7', 'added', '', 'PROPOSAL_STATUS_PASSED', '', '']);
    assert.deepEqual(proposalDifferences.json(added), {
      proposal_id: '7',
      change: 'added',
      left: null,
      right: { status: 'PROPOSAL_STATUS_PASSED', title: null },
    });
    const quorum = { name: 'quorum', left: undefined, right: '0.4' };
    assert.deepEqual(paramDifferences.cells(quorum), ['quorum', '', '0.4']);
    assert.deepEqual(paramDifferences.json(quorum), { name: 'quorum', left: null, right: '0.4' });
  });

  it('have a cell for each column', () => {
    const facts = { id: 1n, status: 'x', title: 'y' };
    assert.equal(
      supplyDifferences.columns.length,
      supplyDifferences.cells({ change: 'gone', denom: 'a', left: 1n, right: 0n }).length,
    );
    assert.equal(
      proposalDifferences.columns.length,
      proposalDifferences.cells({ change: 'replaced', id: 1n, left: facts, right: facts }).length,
    );
    assert.equal(
      paramDifferences.columns.length,
      paramDifferences.cells({ name: 'a', left: '1', right: undefined }).length,
    );
  });
});
