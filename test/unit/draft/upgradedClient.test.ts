import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { codesOf, findingOf, gov, legacy, ofMessages } from './exampleDrafts.ts';

const tendermint = '/ibc.lightclients.tendermint.v1.ClientState';
const state = (fields: object): object => ({
  '@type': tendermint,
  chain_id: 'harbor-4',
  trust_level: { numerator: '0', denominator: '0' },
  trusting_period: '0s',
  unbonding_period: '1814400s',
  max_clock_drift: '0s',
  frozen_height: { revision_number: '0', revision_height: '0' },
  latest_height: { revision_number: '4', revision_height: '9000001' },
  proof_specs: [{ leaf_spec: {}, inner_spec: {}, max_depth: 0, min_depth: 0 }],
  upgrade_path: ['upgrade', 'upgradedIBCState'],
  ...fields,
});
const plan = { name: 'v2', height: '9000000', info: '' };
const upgrade = (fields: object): string =>
  ofMessages({
    '@type': '/ibc.core.client.v1.MsgIBCSoftwareUpgrade',
    plan,
    upgraded_client_state: state(fields),
    signer: gov,
  });

/** The text that the finding is at, and its sentence. */
function said(text: string): readonly [place: string, sentence: string] {
  const finding = findingOf(text, 'client-upgraded');
  assert.equal(finding.severity, 'error');
  return [text.slice(finding.range.start, finding.range.end), findingText(finding, plainEnglish)];
}

describe('the client state of an upgrade', () => {
  it('has a height in the revision of its chain id', () => {
    for (const [chain_id, revision_number, wanted] of [
      ['harbor-4', '3', '4'],
      ['harbor-12', '2', '12'],
      ['harbor', '1', '0'],
      ['harbor-04', '4', '0'],
    ] as const) {
      const text = upgrade({ chain_id, latest_height: { revision_number, revision_height: '1' } });
      const [place, sentence] = said(text);
      assert.equal(place, `"${revision_number}"`);
      const height = `The height has revision ${revision_number}, but the chain ID ${chain_id} has revision ${wanted}.`;
      assert.equal(sentence, `${height} Clients on other chains would fail to upgrade.`);
    }
    assert.deepEqual(codesOf(upgrade({})), []);
    assert.deepEqual(
      codesOf(upgrade({ chain_id: 'harbor', latest_height: { revision_number: '0', revision_height: '1' } })),
      [],
    );
  });

  it('has all that the chain chooses', () => {
    for (const [field, fields] of [
      ['chain_id', { chain_id: '' }],
      ['unbonding_period', { unbonding_period: '0s' }],
      ['revision_height', { latest_height: { revision_number: '4', revision_height: '0' } }],
      ['proof_specs', { proof_specs: undefined }],
    ] as const)
      assert.equal(
        said(upgrade(fields))[1],
        `${field} must not be empty. Clients on other chains would fail to upgrade.`,
      );
  });

  it('is one of Tendermint', () => {
    const [place, sentence] = said(upgrade({ '@type': '/ibc.lightclients.solomachine.v3.ClientState' }));
    assert.equal(place, '"/ibc.lightclients.solomachine.v3.ClientState"');
    assert.equal(sentence, `The client state must be of type ${tendermint}. The chain does not accept the proposal.`);
  });

  it('is looked at in an old proposal, too', () => {
    const content = { '@type': '/ibc.core.client.v1.UpgradeProposal', title: 'T', description: 'D', plan };
    const text = ofMessages(legacy({ ...content, upgraded_client_state: state({ chain_id: 'harbor-5' }) }));
    assert.match(said(text)[1], /^The height has revision 4, but the chain ID harbor-5 has revision 5\./);
  });
});
