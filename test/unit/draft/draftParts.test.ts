import assert from 'node:assert/strict';
import { draftKind, hasMetadataFile, lackingFields, maxDraftLength } from '../../../src/draft/draftKind.ts';
import { notDraftText } from '../../../src/draft/draftSummary.ts';
import {
  allActions,
  allMembers,
  countUpTo,
  type Draft,
  exactValue,
  isPoolSpend,
  isUpgrade,
  itemsOf,
  legacyChanges,
  member,
  messagesOf,
  nodeAt,
  placesIn,
  rangeOf,
  rawOf,
  readDraft,
  textOf,
  toCamel,
} from '../../../src/draft/draftText.ts';
import { toProposal } from '../../../src/draft/proposed/draftProposal.ts';
import { toValue } from '../../../src/draft/proposed/draftValues.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { facts, legacyChange, ofMessages, spend, update, upgrade } from './exampleDrafts.ts';

function read(text: string): Draft {
  const found = readDraft(text);
  assert.ok(typeof found === 'object', String(found));
  return found;
}

/** A draft whose title is followed by these members. */
const withMembers = (members: string): Draft => read(`{"messages":[],"deposit":"","title":"t",${members}}`);

describe('the kind of a draft', () => {
  const kinds: readonly (readonly [text: string, kind: string | undefined])[] = [
    ['{"metadata":"x","deposit":"5stake"}', 'messages'],
    ['{"metadata":"x","deposit" : "5stake"}', 'messages'],
    ['{"metadata":"x","deposit":5}', undefined],
    ['{"metadata":"x","deposit":"","summary":"s"}', 'messages'],
    ['{"metadata":"x","deposit":"","title":"t"}', 'messages'],
    ['{"title":"t","summary":"s","deposit":""}', 'messages'],
    ['{"title":"t","summary":"s","deposit":"","expidited":true}', 'messages'],
    ['{"title":"t","summary":"s","deposit":"","rooms":3}', undefined],
    ['{"summary":"s","deposit":""}', undefined],
    ['{"title":"t","description":"d","deposit":""}', undefined],
    ['{"title":"t","description":"d","amount":"5a","deposit":""}', undefined],
    ['{"messages":[{"@type":"/a.B"}],"title":"t"}', 'messages'],
    ['{"messages":[{"@type":"/a.B"}],"summary":"s"}', 'messages'],
    ['{"messages":[{"@type":"/a.B"}],"metadata":"m"}', 'messages'],
    ['{"messages":[{"@type":"/a.B"}]}', undefined],
    ['{"messages":[{"type":"/a.B"}],"title":"t"}', undefined],
    ['{"body":{"messages":[{"@type":"/a.B"}]}}', 'body'],
    [' { "body" : { "messages" : [{"@type":"/a.B"}]}}', 'body'],
    ['{"body":{"memo":"","messages":[{"@type":"/a.B"}]}}', undefined],
    ['{"body":{"messages":[{"@type":"/a.B"}]},"signatures":[]}', undefined],
    ['{"title":"t","vote_option_context":""}', 'metadata'],
    ['{"title":"t","proposal_forum_url":""}', 'metadata'],
    ['{"name":"t","proposal_forum_url":""}', undefined],
    ['{"name":"title","x":"\\"vote_option_context\\"","vote_option_context":""}', undefined],
    ['{"a":"messages","deposit":""}', undefined],
    ['{"a\\"messages":[],"deposit":""}', undefined],
    ['{"a":{"b":[{}]},"messages":[],"deposit":""}', 'messages'],
    ['{"a":[["x"]],"messages":[],"deposit":""}', 'messages'],
    ['{"a":"}","messages":[],"deposit":""}', 'messages'],
    ['{}{"messages":[],"deposit":""}', undefined],
    ['x{"messages":[],"deposit":""}', undefined],
    ['/* { */{"messages":[],// }\n"deposit":""}', 'messages'],
    ['{/* "deposit":1,*/"messages":[],"a":"\\"deposit\\"","x":"deposit"}', undefined],
    ['{"messages":[],/ "deposit":""}', 'messages'],
  ];
  for (const [text, kind] of kinds) it(`of ${text} is ${kind}`, () => assert.equal(draftKind(text), kind));

  it('shows in the first 20,000 characters, or behind a field of a draft', () => {
    const filling = (length: number) => `"a":"${'x'.repeat(length)}",`;
    assert.equal(draftKind(`{${filling(19_000)}"messages":[],"deposit":""}`), 'messages');
    assert.equal(draftKind(`{${filling(20_000)}"messages":[],"deposit":""}`), undefined);
    for (const field of ['messages', 'metadata', 'deposit', 'title', 'summary', 'description', 'changes'])
      assert.equal(draftKind(`{"${field}":"",${filling(20_000)}"messages":[],"deposit":""}`), 'messages', field);
  });

  it('tells whether its metadata are in the file beside it', () => {
    for (const path of ['draft_proposal.json', '/a/draft_proposal.json', 'c:\\a\\draft_proposal.json'])
      assert.ok(hasMetadataFile(path), path);
    for (const path of ['my_draft_proposal.json', 'draft_proposal.json/x', 'draft_proposalxjson'])
      assert.ok(!hasMetadataFile(path), path);
  });
});

describe('the fields that a text lacks', () => {
  it('are those of each form', () => {
    assert.deepEqual(lackingFields('{"title":"t","deposit":"1a","rooms":3}'), {
      messages: ['messages'],
      legacyText: ['description', 'type'],
      legacyParams: ['description', 'changes'],
      legacySpend: ['description', 'recipient', 'amount'],
    });
  });

  it('are named with the only type that a text proposal has', () => {
    const said = notDraftText('{"title":"t","deposit":"1a"}', plainEnglish);
    assert.match(said, /with messages: "messages"\. For a legacy text proposal: "description", "type": "Text"\./);
  });

  it('are not told of a text that has none of them', () => {
    for (const text of ['{"rooms":3}', '[{"title":"t"}]', '', '{"a":{"title":"t"}}'])
      assert.equal(lackingFields(text), undefined, text);
  });
});

describe('the limits of a draft', () => {
  it('are 2 MiB', () => {
    const empty = ofMessages({ note: '' }).length;
    const ofLength = (length: number) => ofMessages({ note: 'x'.repeat(length - empty) });
    assert.equal(typeof readDraft(ofLength(maxDraftLength)), 'object');
    assert.equal(readDraft(ofLength(maxDraftLength + 1)), 'size');
  });

  it('are 200 levels, without brackets in texts and comments', () => {
    const nested = (levels: number, inside = '') =>
      `{"deposit":"","messages":${'[{"a":'.repeat(levels / 2)}"${inside}"${'}]'.repeat(levels / 2)}}`;
    assert.equal(typeof readDraft(nested(198)), 'object');
    assert.equal(typeof readDraft(nested(198, '[[[\\"[[[')), 'object');
    assert.equal(typeof readDraft(nested(198).replace('"messages"', '/*[[[*/"messages"')), 'object');
    assert.equal(typeof readDraft(nested(198).replace('"messages"', '//[[[\n"messages"')), 'object');
    assert.equal(readDraft(nested(200)), 'nesting');
    assert.equal(typeof readDraft(`{"deposit":"","messages":[${'[{}],'.repeat(300)}1]}`), 'object');
  });
});

describe('a fault of the JSON', () => {
  it('has its place and its code', () => {
    const text = '{"messages":[],"deposit":"" "title":"t"}';
    assert.deepEqual(read(text).syntax, [{ range: { start: 28, end: 35 }, code: 'CommaExpected' }]);
    const open = read('{"messages":[],"deposit":""');
    assert.deepEqual(open.syntax, [{ range: { start: 27, end: 28 }, code: 'CloseBraceExpected' }]);
  });

  it('is none behind a mark of the byte order', () => {
    const { syntax, root } = read('\ufeff{"messages":[],"deposit":""}');
    assert.deepEqual([syntax, root.offset], [[], 1]);
  });
});

describe('the layout of a draft', () => {
  const layoutOf = (text: string) => {
    const { lineEnd, indent } = read(text);
    return [lineEnd, indent];
  };

  it('is that of its first member, or else one blank and a line feed', () => {
    assert.deepEqual(layoutOf('{\n\t"messages":[],\n"deposit":""}'), ['\n', '\t']);
    assert.deepEqual(layoutOf('{\r\n    "messages":[],\r\n  "deposit":""}'), ['\r\n', '    ']);
    assert.deepEqual(layoutOf('{"messages":[],\n  "deposit":""}'), ['\n', ' ']);
  });
});

describe('a place in a draft', () => {
  it('is a line and a column, after each kind of line end', () => {
    const text = 'ab\ncd\r\nef\rgh';
    const place = placesIn(text);
    const places = [...text].map((_, at) => place(at)).map(({ line, column }) => `${line}:${column}`);
    assert.equal(places.join(' '), '1:1 1:2 1:3 2:1 2:2 2:3 2:4 3:1 3:2 3:3 4:1 4:2');
    assert.deepEqual(place(text.length), { line: 4, column: 3 });
  });

  it('does not count a mark of the byte order', () => {
    const place = placesIn('\ufeffab\ncd');
    assert.deepEqual([0, 1, 2, 4].map(place), [
      { line: 1, column: 1 },
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
    ]);
  });

  it('is found among sorted ones', () => {
    const counts = [0, 1, 2, 5, 9].map((offset) => countUpTo([1, 1, 5, 8], offset, (one) => one));
    assert.deepEqual(counts, [0, 2, 2, 3, 4]);
    assert.equal(
      countUpTo([], 5, () => 0),
      0,
    );
  });
});

describe('a member of an object', () => {
  const draft = withMembers('"min_deposit_1":"a","maxDeposit2":"b","plan":{"block":{"max_gas":"5"}},"list":[1,"x"]');

  it('is found by its proto name, in camel case too', () => {
    assert.equal(textOf(draft.root, 'min_deposit_1'), 'a');
    assert.equal(textOf(draft.root, 'max_deposit_2'), 'b');
    const found = member(draft.root, 'max_deposit_2');
    assert.deepEqual([found?.name, found && rawOf(draft, found.key)], ['max_deposit_2', '"maxDeposit2"']);
    for (const name of ['maxdeposit2', 'minDeposit1', 'absent'])
      assert.equal(member(draft.root, name), undefined, name);
    assert.deepEqual(['a_b_1c', 'a__b', 'ab', '_a'].map(toCamel), ['aB1c', 'a_B', 'ab', 'A']);
  });

  it('is the last of equal names', () => {
    const twice = withMembers('"a":1,"b":2,"a":3');
    assert.deepEqual(
      allMembers(twice.root)
        .map(({ name, value }) => `${name}=${value.value}`)
        .slice(3),
      ['a=3', 'b=2'],
    );
  });

  it('is none without a value, as a text that is half written has it', () => {
    const { root } = read('{"messages":[],"deposit":"","title"}');
    assert.deepEqual(
      allMembers(root).map(({ name }) => name),
      ['messages', 'deposit'],
    );
  });

  it('is found by a path', () => {
    const gas = nodeAt(draft.root, 'plan.block.max_gas');
    assert.equal(gas && rawOf(draft, gas), '"5"');
    assert.deepEqual(gas && draft.text.slice(rangeOf(gas).start, rangeOf(gas).end), '"5"');
    for (const path of ['plan.none.max_gas', 'list.0', 'title.length'])
      assert.equal(nodeAt(draft.root, path), undefined);
  });

  it('is none of a list, a text and nothing', () => {
    const { value: list } = member(draft.root, 'list') ?? {};
    assert.deepEqual([allMembers(list), member(list, '0'), allMembers(undefined)], [[], undefined, []]);
    assert.deepEqual(
      itemsOf(list).map(({ value }) => value),
      [1, 'x'],
    );
    for (const none of [draft.root, undefined]) assert.deepEqual(itemsOf(none), []);
    for (const name of ['list', 'plan', 'absent']) assert.equal(textOf(draft.root, name), undefined);
  });
});

describe('the value of a part', () => {
  const held = (json: string) => {
    const draft = withMembers(`"v":${json}`);
    const node = member(draft.root, 'v')?.value;
    assert.ok(node);
    return exactValue(draft, node);
  };

  it('is what JavaScript holds exactly', () => {
    const value = { a: [1, 2.5, 'x', true, null, {}], b: { c: -1 } };
    assert.deepEqual(held(JSON.stringify(value)), value);
  });

  it('is undefined where a digit or a member would be lost, however deep', () => {
    for (const json of ['9007199254740993', '1.0', '[1,9007199254740993]', '{"a":{"b":1e2}}', '{"a":1,"a":1}'])
      assert.equal(held(json), undefined, json);
  });
});

describe('the value of a part that is shown', () => {
  it('keeps integers that JavaScript would round as texts, in lists too', () => {
    const draft = withMembers('"v":[1,"x",[9007199254740993]]');
    const { value: node } = member(draft.root, 'v') ?? {};
    assert.deepEqual(node && toValue(draft, node), [1, 'x', ['9007199254740993']]);
  });
});

describe('the parameters of a draft that is shown as a proposal', () => {
  it('become zero where one is left out inside of an object', () => {
    const module = 'cosmos.consensus.v1';
    const type = `/${module}.MsgUpdateParams`;
    const text = ofMessages({ '@type': type, ...facts.moduleParams.get(module), block: { max_bytes: '1' } });
    const { proposal, zeroed } = toProposal(read(text), facts);
    assert.deepEqual([...zeroed], [`${module}/block.max_gas`]);
    assert.deepEqual(proposal.contents[0]?.fields.block, { max_bytes: '1', max_gas: '0' });
  });
});

describe('the actions of a draft', () => {
  const shown = (draft: Draft) =>
    allActions(draft).map(({ package: module, name, isLegacy, wrapper }) => [module, name, isLegacy, wrapper?.type]);

  it('are its messages that have a type, and the legacy content of one', () => {
    const draft = read(ofMessages(spend([]), { authority: 'x' }, legacyChange()));
    assert.equal(messagesOf(draft).length, 3);
    assert.deepEqual(shown(draft), [
      ['cosmos.distribution.v1beta1', 'MsgCommunityPoolSpend', false, undefined],
      ['cosmos.gov.v1', 'MsgExecLegacyContent', false, undefined],
      ['cosmos.params.v1beta1', 'ParameterChangeProposal', true, 'object'],
    ]);
  });

  it('are those of the body of a transaction', () => {
    const draft = read('{"body":{"messages":[{"@type":"/a.v1.MsgB"},{"@type":"MsgC"},{"@type":".D"}]}}');
    assert.deepEqual(shown(draft), [
      ['a.v1', 'MsgB', false, undefined],
      ['', 'MsgC', false, undefined],
      ['', 'D', false, undefined],
    ]);
  });

  it('are the draft itself in a legacy form, and none in metadata', () => {
    const legacy = { title: 't', description: 'd', deposit: '' };
    const of = (more: object) => shown(read(JSON.stringify({ ...legacy, ...more }))).map(([, name]) => name);
    assert.deepEqual(of({ type: 'Text' }), ['TextProposal']);
    assert.deepEqual(of({ changes: [] }), ['ParameterChangeProposal']);
    assert.deepEqual(of({ recipient: 'a', amount: '' }), ['CommunityPoolSpendProposal']);
    assert.deepEqual(shown(read('{"title":"t","vote_option_context":""}')), []);
  });

  it('are messages, authorizations and allowances inside of messages, however deep', () => {
    const exec = (...msgs: unknown[]) => ({ '@type': '/cosmos.authz.v1beta1.MsgExec', msgs });
    const allowed = {
      '@type': '/cosmos.feegrant.v1beta1.AllowedMsgAllowance',
      allowance: { '@type': '/cosmos.feegrant.v1beta1.BasicAllowance' },
    };
    const { inner } = read(
      ofMessages(
        exec(exec({ '@type': '/a.MsgB' }), {}, 5),
        { '@type': '/cosmos.authz.v1beta1.MsgGrant', grant: { authorization: { '@type': '/a.C' } } },
        { '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance', allowance: allowed },
        { '@type': '/cosmos.gov.v1.MsgSubmitProposal', messages: [{ '@type': '/a.MsgD' }] },
        { '@type': '/cosmos.group.v1.MsgSubmitProposal', messages: [{ '@type': '/a.MsgE' }] },
        { '@type': '/a.MsgF', messages: [{ '@type': '/a.MsgG' }] },
      ),
    );
    assert.deepEqual(
      inner.map(({ name, kind, isLegacy }) => [name, kind, isLegacy]),
      [
        ['MsgExec', 'message', false],
        ['MsgB', 'message', false],
        ['', 'message', false],
        ['C', 'authorization', false],
        ['AllowedMsgAllowance', 'allowance', false],
        ['BasicAllowance', 'allowance', false],
        ['MsgD', 'message', false],
        ['MsgE', 'message', false],
      ],
    );
  });

  it('are known as spends of the pool, upgrades and changes of parameters', () => {
    const of = (text: string) => read(text).actions.map((one) => [isPoolSpend(one), isUpgrade(one)]);
    const typed = (...types: string[]) => ofMessages(...types.map((type) => ({ '@type': type })));
    assert.deepEqual(of(ofMessages(spend([]), upgrade({}), update('staking', {}))), [
      [true, false],
      [false, true],
      [false, false],
    ]);
    const spends = ['/cosmos.distribution.v1beta1.CommunityPoolSpendProposal', '/a.v1.MsgCommunityPoolSpend'];
    const upgrades = ['SoftwareUpgradeProposal', 'UpgradeProposal', 'MsgIBCSoftwareUpgrade', 'MyUpgradeProposal'];
    assert.deepEqual(
      of(typed(...spends)).map(([isSpend]) => isSpend),
      [true, false],
    );
    assert.deepEqual(
      of(typed(...upgrades.map((name) => `/a.${name}`))).map(([, is]) => is),
      [true, true, true, false],
    );
    const changes = [{ subspace: 'gov', key: 'x', value: '' }, { subspace: 5 }];
    assert.deepEqual(
      read(ofMessages(legacyChange(...changes), update('mint', {}))).actions.map((one) =>
        legacyChanges(one).map(({ subspace, key }) => [subspace, key]),
      ),
      [
        [],
        [
          ['gov', 'x'],
          ['', ''],
        ],
        [],
      ],
    );
  });
});
