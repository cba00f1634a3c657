import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { draft, legacy, recover } from '../../fixtures/seededDrafts/seed.ts';
import { seedChainAnswer } from '../../fixtures/seededDrafts/seedChain.ts';
import { reportOf } from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

/** The seeded chain, whose first client was updated at a time. */
function updatedAt(timestamp: string): typeof seedChainAnswer {
  return (url) =>
    url.pathname.startsWith('/ibc/core/client/v1/consensus_states/07-tendermint-0/revision/1/height/900')
      ? { status: 200, body: JSON.stringify({ consensus_state: { timestamp, root: {}, next_validators_hash: '' } }) }
      : seedChainAnswer(url);
}

const id = (at: number): string => `07-tendermint-${at}`;
/** By the clients that are named: where the fault is, and what is said. */
const cases: readonly (readonly [subject: string, substitute: string, at: string, says: RegExp])[] = [
  [id(0), id(5), id(0), /This client is active/],
  [id(99), id(0), id(99), /no client with this ID/],
  [id(1), id(98), id(98), /no client with this ID/],
  [id(1), id(3), id(3), /status of this client is Expired/],
  [
    id(2),
    id(4),
    id(4),
    /The height of this client \(1-400\) must be greater than that of the client to recover \(1-500\)/,
  ],
  [id(1), id(5), id(5), /unbonding_period must be the same .*1209600s for this client and 1814400s for the other one/],
  [
    id(1),
    '06-solomachine-0',
    '06-solomachine-0',
    /client type must be the same .*06-solomachine for this client and 07-tendermint for/,
  ],
  [id(1), id(1), id(1), /cannot be recovered from itself/],
  ['no client', id(0), 'no client', /not a client ID/],
  ['channel-44', id(0), 'channel-44', /not a client ID/],
  [id(1), id(6), id(6), /expires on .* before voting ends on/],
];

describe('the recovery of an IBC client in a draft', () => {
  async function clientFindings(text: string, answer?: typeof seedChainAnswer) {
    const chain = await startSeedChain(answer);
    try {
      const { findings, unchecked } = reportOf(text, await chain.factsFor(text));
      return { found: findings.filter(({ code }) => code === 'client-recovery'), unchecked };
    } finally {
      await chain.stop();
    }
  }

  for (const [subject, substitute, at, says] of cases) {
    it(`is held to what the chain states: ${subject} by ${substitute}`, async () => {
      const text = draft([recover(subject, substitute)]);
      const { found } = await clientFindings(text);
      assert.equal(found.length, 1);
      for (const finding of found) {
        assert.equal(text.slice(finding.range.start, finding.range.end), JSON.stringify(at));
        assert.match(findingText(finding, plainEnglish), says);
      }
    });
  }

  it('is no finding for an expired client and an active one of the same form', async () => {
    const { found, unchecked } = await clientFindings(draft([recover(id(1), id(0))]));
    assert.deepEqual([found, unchecked], [[], []]);
  });

  it('warns of a client that expires before the vote ends, by its last update', async () => {
    const text = draft([recover(id(1), id(0))]);
    const late = await clientFindings(text, updatedAt('2026-05-30T00:00:00Z'));
    assert.deepEqual(
      late.found.map(({ severity, details }) => [severity, 'fault' in details && details.fault]),
      [['warning', 'expires']],
    );
    assert.deepEqual((await clientFindings(text, updatedAt('2026-06-01T11:59:00.123456789Z'))).found.length, 1);
    assert.deepEqual((await clientFindings(text, updatedAt('2026-06-02T00:00:00Z'))).found, []);
  });

  it('is checked in the legacy content, too', async () => {
    const content = { '@type': '/ibc.core.client.v1.ClientUpdateProposal', subject_client_id: id(0) };
    const text = draft([legacy({ ...content, substitute_client_id: id(5) })]);
    const { found } = await clientFindings(text);
    assert.deepEqual(
      found.map(({ details }) => details),
      [{ fault: 'active' }],
    );
  });

  it('is not checked where the node does not answer for clients, which is said', async () => {
    const silent: typeof seedChainAnswer = (url) =>
      url.pathname.startsWith('/ibc/')
        ? { status: 501, body: '{"code":12,"message":"Not Implemented"}' }
        : seedChainAnswer(url);
    const { found, unchecked } = await clientFindings(draft([recover(id(0), id(5))]), silent);
    assert.deepEqual([found, unchecked], [[], ['clients']]);
  });
});
