import assert from 'node:assert/strict';
import { denomActions, proposalActions, readPageMessage, readProposalState } from '../../../src/page/pageMessages.ts';

describe('what comes from a page', () => {
  const readOfProposal = (value: unknown) => readPageMessage(value, proposalActions);

  it('is taken when it is a message of the protocol, without anything else', () => {
    assert.deepEqual(readOfProposal({ type: 'ready', more: 1 }), { type: 'ready' });
    assert.deepEqual(readOfProposal({ type: 'act', action: 'refreshProposal', more: 1 }), {
      type: 'act',
      action: 'refreshProposal',
    });
    const link = { type: 'openLink', url: 'https://a.example/', text: 'a' };
    assert.deepEqual(readOfProposal({ ...link, target: '_blank' }), link);
    const act = { type: 'act', action: 'moreVotes' };
    assert.deepEqual(readOfProposal(act), act);
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
    for (const other of others) assert.equal(readOfProposal(other), undefined, JSON.stringify(other));
  });

  it('is refused where it asks for an action of the other page', () => {
    const readOfDenom = (value: unknown) => readPageMessage(value, denomActions);
    for (const action of denomActions) {
      assert.deepEqual(readOfDenom({ type: 'act', action }), { type: 'act', action });
      assert.equal(readOfProposal({ type: 'act', action }), undefined, action);
    }
    for (const action of proposalActions) assert.equal(readOfDenom({ type: 'act', action }), undefined, action);
  });

  it('restores a panel only from a state that it wrote itself', () => {
    const restore = { sourceId: 'https://a.example', proposalId: '12', pinned: true };
    assert.deepEqual(readProposalState({ restore, scroll: 10 }), restore);
    for (const damaged of [
      undefined,
      {},
      { restore: {} },
      { restore: { ...restore, proposalId: '1x' } },
      { restore: { ...restore, sourceId: 3 } },
      { restore: { ...restore, proposalId: '9'.repeat(21) } },
    ])
      assert.equal(readProposalState(damaged), undefined);
  });
});
