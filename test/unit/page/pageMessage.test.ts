import assert from 'node:assert/strict';
import { readPageMessage, readRestoreState } from '../../../src/page/protocol.ts';

describe('what comes from a page', () => {
  it('is taken when it is a message of the protocol, without anything else', () => {
    assert.deepEqual(readPageMessage({ type: 'ready', more: 1 }), { type: 'ready' });
    assert.deepEqual(readPageMessage({ type: 'act', action: 'refreshProposal', more: 1 }), {
      type: 'act',
      action: 'refreshProposal',
    });
    const link = { type: 'openLink', url: 'https://a.example/', text: 'a' };
    assert.deepEqual(readPageMessage({ ...link, target: '_blank' }), link);
    const act = { type: 'act', action: 'moreVotes' };
    assert.deepEqual(readPageMessage(act), act);
  });

  it('is refused otherwise', () => {
    const others = [
      undefined,
      null,
      'ready',
      1,
      [],
      {},
      { type: 'show' },
      { type: 'toString' },
      { type: ['ready'] },
      { type: 'act', action: 'toString' },
      { type: 'openLink', url: 1, text: '' },
      { type: 'openLink', url: 'https://a.example' },
    ];
    for (const other of others) assert.equal(readPageMessage(other), undefined, JSON.stringify(other));
  });

  it('restores a panel only from a state that it wrote itself', () => {
    const restore = { sourceId: 'https://a.example', proposalId: '12', pinned: true };
    assert.deepEqual(readRestoreState({ restore, scroll: 10 }), restore);
    for (const damaged of [
      undefined,
      {},
      { restore: {} },
      { restore: { ...restore, proposalId: '1x' } },
      { restore: { ...restore, sourceId: 3 } },
      { restore: { ...restore, proposalId: '9'.repeat(21) } },
    ])
      assert.equal(readRestoreState(damaged), undefined);
  });
});
