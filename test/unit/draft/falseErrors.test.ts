import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { checkDraft, type DraftReport } from '../../../src/draft/checkDraft.ts';
import { wantedNumber } from '../../../src/draft/checks/params/paramsChecks.ts';
import { heightAt } from '../../../src/draft/checks/upgrades/upgradeChecks.ts';
import { draftKind } from '../../../src/draft/draftKind.ts';
import { needsOf, noNeeds } from '../../../src/draft/draftNeeds.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { stateFileOf } from '../../node/recording.ts';
import { startSampleNode } from '../../support/nodes.ts';
import {
  applyEdits,
  change,
  codesOf,
  coins,
  draft,
  facts,
  findingOf,
  gov,
  govParams,
  known,
  legacyChange,
  ofMessages,
  reportOf,
  someone,
  spend,
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

  const plums = known({ govParams: { ...govParams, minDeposit: [{ denom: 'uplum', amount: 5n }] } });

  it('may be in whole units, which the command line of some chains converts', () => {
    const finding = findingOf(draft({ deposit: '5.5plum' }), 'deposit-denom', plums);
    assert.equal(finding.severity, 'warning');
    assert.equal(
      findingText(finding, plainEnglish),
      'plum counts toward the deposit only if the command-line tool of this chain converts it to uplum.',
    );
  });

  it('is refused in another denom that only ends alike', () => {
    for (const deposit of ['5lum', '5xplum', '5uuplum'])
      assert.deepEqual(codesOf(draft({ deposit }), plums), ['error deposit-denom']);
  });

  it('is none where a denom of two letters is not named', () => {
    assert.deepEqual(codesOf(draft({ deposit: '5xn' })), ['error deposit-form']);
  });
});

describe('the file of a legacy proposal', () => {
  it('may have lists of coins where the version is not known, since SDK 0.39 wrote them', () => {
    const { type: _, ...spend } = JSON.parse(file({ recipient: someone, amount: coins('5'), deposit: coins('5') }));
    const lists = (about: ChainFacts): readonly string[] =>
      codesOf(JSON.stringify(spend), about).filter((code) => /deposit-form|field-type/.test(code));
    assert.deepEqual(lists(nothingKnown).toSorted(), ['warning deposit-form', 'warning field-type']);
    assert.deepEqual(lists(known({})).toSorted(), ['error deposit-form', 'error field-type']);
  });

  it('has no number in place of its deposit, nor a draft of messages a list, whatever the version', () => {
    for (const text of [file({ deposit: 5 }), draft({ deposit: coins('5') })])
      assert.ok(codesOf(text, nothingKnown).includes('error deposit-form'), text);
  });

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

  for (const [name, type] of [
    ['type', 'ParameterChange'],
    ['@type', '/cosmos.params.v1beta1.ParameterChangeProposal'],
  ] as const)
    it(`may name its form, which nodes ignore: ${name}`, () => {
      const changes = [change('baseapp', 'BlockParams', { max_bytes: '22020096', max_gas: '-1' })];
      const text = (value: string) =>
        JSON.stringify({ title: 'T', description: 'D', changes, [name]: value, deposit: '10000000stake' });
      assert.ok(!codesOf(text(type)).includes('warning field-unknown'));
      assert.ok(codesOf(text('Text')).includes('warning field-unknown'));
    });

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

  it('is a number only if all of it is', () => {
    const wanted: readonly (readonly [text: string, today: string, isKnown: boolean, wanted: string | undefined])[] = [
      ['x', '7', true, 'number'],
      ['7', '-7', true, undefined],
      ['-7', '7', true, undefined],
      ['7', '7', true, undefined],
      ['x', '7', false, undefined],
      ['7s', '7', true, 'number'],
      ['x7', '7', true, 'number'],
      ['x', 'v7', true, undefined],
      ['x', '7v', true, undefined],
      ['x', '', true, undefined],
      ['0.5', '0.500000000000000000', false, undefined],
      ['-0.5', '-0.500000000000000000', false, undefined],
      ['1', '0.500000000000000000', false, undefined],
      ['0.', '0.500000000000000000', false, 'decimal'],
      ['x0.5', '0.500000000000000000', false, 'decimal'],
      ['0.5x', '0.500000000000000000', false, 'decimal'],
      ['0.1234567890123456789', '0.500000000000000000', false, 'decimal'],
      ['x', 'x0.500000000000000000', false, undefined],
      ['x', '0.500000000000000000x', false, undefined],
      ['x', '0.5000000000000000001', false, undefined],
    ];
    for (const [text, today, isKnown, form] of wanted)
      assert.equal(wantedNumber(text, today, isKnown), form, `${text} for ${today}`);
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

describe('the checksum of a binary in the info of an upgrade', () => {
  const faultOf = (digits: string): unknown => {
    const url = `https://example.org/app?checksum=sha256:${digits}`;
    return findingOf(ofMessages(upgrade({ info: JSON.stringify({ binaries: { any: url } }) })), 'upgrade-info').details;
  };

  it('is refused with anything but its digits, or with fewer', () => {
    for (const digits of [`zz${'0a'.repeat(31)}`, `${'0a'.repeat(31)}zz`, 'z'.repeat(64), '0a'.repeat(31)])
      assert.deepEqual(faultOf(digits), { fault: 'checksum' }, digits);
  });
});

describe('an upgrade soon after the vote', () => {
  const text = ofMessages(upgrade({ height: String(Number(facts.height) + 300) }));
  const votingFor = (seconds: number) => known({ govParams: { ...govParams, votingPeriod: seconds } });

  it('is as it should be on a network of tests, whose votes last minutes', () => {
    assert.deepEqual(codesOf(text, votingFor(60)), []);
  });

  it('is soon where it takes less time than such a vote', () => {
    assert.deepEqual(codesOf(text, votingFor(1500)), ['warning upgrade-height-soon']);
  });

  it('is soon within a day of a vote of an hour or more', () => {
    const at = (blocks: number) => ofMessages(upgrade({ height: String(Number(facts.height) + blocks) }));
    const soon = ['warning upgrade-height-soon'];
    assert.deepEqual(codesOf(at(1300), votingFor(3594)), []);
    assert.deepEqual(
      [1300, 14_999].map((blocks) => codesOf(at(blocks), votingFor(3600))),
      [soon, soon],
    );
    assert.deepEqual(codesOf(at(15_000), votingFor(3600)), []);
    assert.deepEqual(codesOf(at(599), votingFor(3600)), ['warning upgrade-height-early']);
    assert.deepEqual(codesOf(at(600), votingFor(3600)), soon);
  });

  it('is at a block that is expected only for the future', () => {
    const about = known({ height: 100n, time: new Date(0), blockSeconds: 6 });
    const blocks = [-1, 0, 1, 6000, 6001].map((time) => heightAt(about, new Date(time)));
    assert.deepEqual(blocks, [undefined, undefined, 101n, 101n, 102n]);
    for (const unknown of [
      { height: undefined },
      { time: undefined },
      { blockSeconds: undefined },
      { blockSeconds: 0 },
    ])
      assert.equal(heightAt({ ...about, ...unknown }, new Date(6000)), undefined);
  });
});

describe('a legacy parameter of a subspace that a state lacks', () => {
  it('is not checked, since an export need not hold all that the chain has', async () => {
    const sample = await startSampleNode();
    try {
      const legacy = [{ subspace: 'icahost', key: 'HostEnabled' }];
      const read = createFactsReader(sample.node);
      const about = await read({ ...noNeeds, legacy });
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

describe('a legacy parameter of a state', () => {
  const stateOf = async (name: '0.46.16' | '0.53.8', change_: object) => {
    const served = await serveFile({ file: stateFileOf(name) });
    await served.ready;
    const node = openNode({ baseUrl: parseBaseUrl(served.baseUrl) });
    try {
      const text = ofMessages(legacyChange(change_));
      const draft = readDraft(text);
      if (typeof draft !== 'object') throw new Error('This is no draft');
      return reportOf(text, await createFactsReader(node)(needsOf(draft)));
    } finally {
      await node.dispose();
      await served.dispose();
    }
  };
  const codes = ({ findings }: DraftReport) =>
    findings.map(({ code }) => code).filter((code) => /legacy|period/.test(code));

  it('is a duration in nanoseconds, as nodes have it', async () => {
    assert.deepEqual(codes(await stateOf('0.46.16', change('staking', 'UnbondingTime', '"1209600000000000"'))), []);
    assert.deepEqual(codes(await stateOf('0.46.16', change('staking', 'UnbondingTime', '"1209600000"'))), [
      'period-cut',
    ]);
  });

  it('is moved where gov has the parameters of SDK 0.47 or later', async () => {
    const { findings } = await stateOf('0.53.8', change('staking', 'MaxValidators', '120'));
    const moved = findings.find(({ code }) => code === 'legacy-param-moved');
    assert.equal(moved?.severity, 'error');
  });

  it('is not checked where the state lacks its subspace', async () => {
    const report = await stateOf('0.46.16', change('icahost', 'HostEnabled', 'true'));
    assert.deepEqual([codes(report), report.unchecked.includes('legacy')], [[], true]);
  });
});

describe('drafts that have another form than draft-proposal writes', () => {
  const message = {
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    from_address: 'nobody',
    to_address: someone,
    amount: coins('5'),
  };

  it('are read without a deposit', () => {
    const text = JSON.stringify({ messages: [message], metadata: '', title: 'T', summary: 'S' });
    assert.ok(codesOf(text).includes('error deposit-small') && codesOf(text).includes('error authority-wrong'));
  });

  it('are read as the body of a transaction, whose messages alone are checked', () => {
    const text = JSON.stringify({ body: { messages: [message] } });
    assert.deepEqual(
      codesOf(text).filter((code) => !code.includes('authority')),
      [],
    );
    assert.ok(codesOf(text).includes('error authority-wrong'));
  });

  it('are read as texts of SDK 0.46, which have no titles', () => {
    const about = known({ sdkVersion: 'v0.46.16', govParams: undefined });
    assert.deepEqual(codesOf('{"metadata":"ipfs://x","deposit":"10stake"}', about), []);
  });

  it('are read inside of a "proposal", which the command line does not look into', () => {
    const inside = draft({ messages: [spend(coins('5'))], metadata: '' });
    const text = `{\n "proposal": ${inside}\n}\n`;
    assert.deepEqual(codesOf(text), ['error draft-wrapped']);
    const { range, repairs } = findingOf(text, 'draft-wrapped');
    assert.equal(text.slice(range.start, range.end), '"proposal"');
    assert.deepEqual(codesOf(applyEdits(text, repairs[0]?.edits ?? [])), []);
    const legacy = { title: 'T', description: 'D', type: 'Text', deposit: '10000000stake' };
    assert.deepEqual(codesOf(JSON.stringify({ proposal: legacy })), ['error draft-wrapped']);
    const beside = JSON.stringify({ proposal: legacy, from: 'me' });
    assert.deepEqual(findingOf(beside, 'draft-wrapped').repairs, []);
  });

  it('are none in the answer of a node about a proposal', () => {
    const answer = { id: '5', messages: [message], status: 'PROPOSAL_STATUS_PASSED', title: 'T', summary: 'S' };
    const old = { proposal_id: '5', content: legacyChange(), status: 'PASSED', total_deposit: [], deposit: '' };
    for (const proposal of [answer, old, { deposit: 5 }, 5])
      assert.equal(checkDraft(JSON.stringify({ proposal }), known({})), undefined);
  });

  it('are none with fees and signatures, or where messages have no types', () => {
    const others = [
      { body: { messages: [message] }, auth_info: {}, signatures: [] },
      { body: { messages: [{ ...message, memo: 'x'.repeat(30_000) }] }, auth_info: {}, signatures: [] },
      { messages: [{ role: 'user', content: 'hello' }], title: 'A chat', metadata: {} },
      { metadata: {}, deposit: 5 },
    ];
    for (const one of others) assert.equal(checkDraft(JSON.stringify(one), known({})), undefined);
  });
});
