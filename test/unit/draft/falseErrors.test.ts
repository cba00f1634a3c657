import assert from 'node:assert/strict';
import { draftKind } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { createFactsReader, nothingKnown } from '../../../src/draft/knownFacts.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { startSampleNode } from '../../support/nodes.ts';
import {
  change,
  codesOf,
  draft,
  facts,
  findingOf,
  gov,
  govParams,
  known,
  legacyChange,
  ofMessages,
  reportOf,
  update,
  upgrade,
} from './exampleDrafts.ts';

const file = (fields: object): string =>
  JSON.stringify({ title: 'T', description: 'D', type: 'Text', deposit: '10000000stake', ...fields });

describe('a deposit', () => {
  const short = { ...govParams, minDeposit: [{ denom: 'xn', amount: 5n }] };

  it('may be of a denom of two letters that min_deposit names', () => {
    assert.deepEqual(codesOf(draft({ deposit: '5xn' }), known({ govParams: short })), []);
  });

  it('is none where a denom of two letters is not named', () => {
    assert.deepEqual(codesOf(draft({ deposit: '5xn' })), ['error deposit-form']);
  });
});

describe('the file of a legacy proposal', () => {
  it('may ask for an expedited vote', () => {
    assert.deepEqual(codesOf(file({ is_expedited: true })), []);
  });

  for (const [module, fields] of [
    ['a contract', { run_as: gov, contract: gov, msg: {} }],
    ['changes', { changes: [] }],
    ['a client', { subject_client_id: '07-tendermint-0', substitute_client_id: '07-tendermint-1' }],
  ] as const) {
    it(`of another module is no draft of messages, though it has a summary: ${module}`, () => {
      const own = { title: 'T', summary: 'S', deposit: '1stake', ...fields };
      assert.equal(draftKind(JSON.stringify(own)), undefined);
    });
  }

  it('is told from a text proposal that carries fields of its metadata, or a misspelt name', () => {
    const text = { title: 'T', summary: 'S', metadata: 'm', deposit: '1stake' };
    const kinds = [{}, { authors: ['A'] }, { msgs: [] }, { expedite: true }].map((more) =>
      draftKind(JSON.stringify({ ...text, ...more })),
    );
    assert.deepEqual(kinds, ['messages', 'messages', 'messages', 'messages']);
  });
});

describe('parameters of a module that no table has', () => {
  const type = 'chain.rates.v1';
  const beside = { '@type': `/${type}.MsgUpdateParams`, authority: gov, rate: '2', is_open: true };

  it('may stand beside the authority, whatever the chain answers', () => {
    const moduleParams = new Map([...facts.moduleParams, [type, { rate: '1', is_open: true }] as const]);
    assert.deepEqual(codesOf(ofMessages(beside)), []);
    assert.deepEqual(codesOf(ofMessages(beside), known({ moduleParams })), []);
  });

  it('are held to what the chain has today, beside the authority too', () => {
    const moduleParams = new Map([...facts.moduleParams, [type, { rate: '1', cap: '9' }] as const]);
    const { is_open: _, ...less } = beside;
    assert.deepEqual(codesOf(ofMessages(less), known({ moduleParams })), ['warning params-incomplete']);
  });

  it('are missing where nothing stands beside the authority', () => {
    assert.deepEqual(codesOf(ofMessages({ '@type': beside['@type'], authority: gov })), ['error params-empty']);
  });
});

describe('a text that holds digits today', () => {
  const type = 'chain.rates.v1';
  const rates = (more: object): string =>
    ofMessages({ '@type': `/${type}.MsgUpdateParams`, authority: gov, params: { rate: '0', cap: '7', ...more } });
  const today = known({ moduleParams: new Map([[type, { rate: '0', cap: '9' }]]) });

  it('may be a decimal tomorrow, in a module that no table has', () => {
    assert.deepEqual(codesOf(rates({ rate: '0.25' }), today), []);
  });

  it('may be a decimal in a legacy parameter of such a module', () => {
    const legacyParams = new Map([['rates/Rate', '"0"']]);
    assert.deepEqual(codesOf(ofMessages(legacyChange(change('rates', 'Rate', '"0.25"'))), known({ legacyParams })), []);
  });

  it('stays a whole number in a module of the SDK', () => {
    assert.ok(codesOf(ofMessages(update('slashing', { signed_blocks_window: '0.25' }))).includes('error field-type'));
  });
});

describe('title and summary', () => {
  it('are missed only where the version that wants them is known', () => {
    assert.deepEqual(codesOf(draft({ title: undefined, summary: undefined, metadata: '' }), nothingKnown), [
      'error empty-proposal',
    ]);
  });
});

describe('the info of an upgrade', () => {
  it('says that cosmovisor asks for a checksum only where it is set so', () => {
    const text = ofMessages(upgrade({ info: '{"binaries":{"any":"https://example.org/v2"}}' }));
    const said = findingText(findingOf(text, 'upgrade-info'), plainEnglish);
    assert.match(said, /DAEMON_DOWNLOAD_MUST_HAVE_CHECKSUM/);
  });
});

describe('a legacy parameter of a subspace that a state lacks', () => {
  it('is not checked, since an export need not hold all that the chain has', async () => {
    const sample = await startSampleNode();
    try {
      const legacy = [{ subspace: 'icahost', key: 'HostEnabled' }];
      const read = createFactsReader(sample.node);
      const about = await read({ packages: [], legacy, plans: [], pool: false, pace: false });
      const report = reportOf(ofMessages(legacyChange(change('icahost', 'HostEnabled', 'true'))), about);
      assert.deepEqual(
        report.findings.filter(({ code }) => code.startsWith('legacy-')),
        [],
      );
      assert.ok(report.unchecked.includes('legacy'));
    } finally {
      await sample.dispose();
    }
  });
});
