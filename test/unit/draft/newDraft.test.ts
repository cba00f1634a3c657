import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { upgradeHeightEdit } from '../../../src/draft/draftEdits.ts';
import { noNeeds } from '../../../src/draft/draftNeeds.ts';
import { checkedText } from '../../../src/draft/draftSummary.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import { completionsAt, todayAt } from '../../../src/draft/writing/completions.ts';
import { draftSchema } from '../../../src/draft/writing/draftSchemas.ts';
import { type NewDraft, newDraftText, paramsModules } from '../../../src/draft/writing/newDraft.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { startSampleNode } from '../../support/nodes.ts';
import { applyEdits, codesOf, draft, facts, ofMessages, reportOf, update, upgrade } from './exampleDrafts.ts';

describe('a new draft', () => {
  const toFillIn = ['error title-missing', 'error summary-missing'];

  it('has only those findings that a person has to fill in', () => {
    const params = (module: string): NewDraft => ({
      kind: 'params',
      module,
      params: facts.moduleParams.get(module) ?? {},
    });
    for (const module of paramsModules)
      assert.deepEqual(codesOf(newDraftText(params(module), facts)), ['hint unchanged', ...toFillIn], module);
    const kinds: readonly (readonly [NewDraft, readonly string[]])[] = [
      [{ kind: 'upgrade', height: 9_000_000n }, ['error upgrade-plan']],
      [{ kind: 'spend' }, ['error address-invalid', 'error field-type']],
    ];
    for (const [wish, codes] of kinds) assert.deepEqual(codesOf(newDraftText(wish, facts)), [...codes, ...toFillIn]);
    assert.deepEqual(codesOf(newDraftText({ kind: 'text' }, facts)), toFillIn);
  });

  it('has no title where the chain takes none', () => {
    const { govParams: _, ...others } = facts;
    const chain = { ...others, sdkVersion: 'v0.46.16' };
    assert.deepEqual(codesOf(newDraftText({ kind: 'text' }, chain), chain), []);
    assert.deepEqual(codesOf(newDraftText({ kind: 'text' }, facts), chain).slice(-2), [
      'warning field-unknown',
      'warning field-unknown',
    ]);
  });

  it('has only those on the sample chain, too', async () => {
    const sample = await startSampleNode();
    const read = createFactsReader(sample.node);
    const facts = await read({ ...noNeeds, packages: paramsModules, pool: true, pace: true });
    const modules = [...facts.moduleParams].map(([module, params]): NewDraft => ({ kind: 'params', module, params }));
    const codes = (wish: NewDraft) => codesOf(newDraftText(wish, facts), facts);
    try {
      assert.deepEqual([...facts.moduleParams.keys()], paramsModules);
      for (const wish of modules) assert.deepEqual(codes(wish), ['hint unchanged', ...toFillIn]);
      assert.deepEqual(codes({ kind: 'upgrade', height: 9_000_000n }), ['error upgrade-plan', ...toFillIn]);
      assert.deepEqual(codes({ kind: 'spend' }), ['error address-invalid', 'error field-type', ...toFillIn]);
      assert.deepEqual(codes({ kind: 'text' }), toFillIn);
    } finally {
      await sample.dispose();
    }
  });

  it('has none once these are filled in', () => {
    const module = 'cosmos.staking.v1beta1';
    const text = newDraftText({ kind: 'params', module, params: facts.moduleParams.get(module) ?? {} }, facts)
      .replace('"max_validators": 100', '"max_validators": 120')
      .replace('"title": ""', '"title": "Raise the set"')
      .replace('"summary": ""', '"summary": "To 120."');
    assert.deepEqual(codesOf(text), []);
  });
});

describe('the line above a draft', () => {
  it('says that the chain is being read, then what was found, or why it was not', () => {
    const text = newDraftText({ kind: 'text' }, facts);
    const line = (about: ChainFacts, failure?: string) =>
      checkedText('Hub', { facts: about, failure, report: reportOf(text, about) }, plainEnglish);
    assert.equal(line(nothingKnown), 'Checking against Hub…');
    assert.equal(line({ ...facts, readAt: new Date() }), '2 errors · Hub');
    assert.equal(line(nothingKnown, 'no answer'), 'Not checked against Hub: no answer');
  });
});

describe('help while a draft is written', () => {
  const at = (text: string) => [text.replace('|', ''), text.indexOf('|')] as const;

  it('offers types and the fields that are missing', () => {
    const types = completionsAt(...at('{"deposit":"","messages":[{"@type":"|"}]}'), facts);
    assert.equal(types?.kind, 'types');
    assert.ok(
      types.names.includes('/cosmos.staking.v1beta1.MsgUpdateParams') &&
        types.names.includes('/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade'),
    );
    assert.ok(types.names.every((name) => /^\/[\w.]+\.Msg\w+$/.test(name)));
    assert.deepEqual(types.names, types.names.toSorted());
    const fields = (text: string) => completionsAt(...at(text), facts)?.names;
    const message = '{"deposit":"","messages":[{"@type":"/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade"';
    assert.deepEqual(fields(`${message},"|"}]}`), ['authority', 'plan']);
    assert.deepEqual(fields(`${message},"authority":"x","|"}]}`), ['plan']);
    assert.deepEqual(fields(`${message},"plan":{"name":"x","|"}}]}`), [
      'time',
      'height',
      'info',
      'upgraded_client_state',
    ]);
    const params =
      '{"deposit":"","messages":[{"@type":"/cosmos.staking.v1beta1.MsgUpdateParams","params":{"max_validators":5,"|"}}]}';
    assert.deepEqual(fields(params), [
      'unbonding_time',
      'max_entries',
      'historical_entries',
      'bond_denom',
      'min_commission_rate',
    ]);
    assert.equal(fields('{"deposit":"","messages":[],"|"}'), undefined);
    assert.equal(fields('{"deposit":"","messages":[{"@type":"/unknown.v1.MsgX","|"}]}'), undefined);
  });

  it("has today's value of a parameter", () => {
    const text = ofMessages(update('staking', { max_validators: 5 }), upgrade({}));
    const today = (word: string) => todayAt(text, text.indexOf(word) + 1, facts);
    assert.deepEqual(today('"max_validators"'), { name: 'max_validators', json: '100' });
    assert.deepEqual(today('5,'), { name: 'max_validators', json: '100' });
    assert.equal(today('"height"'), undefined);
    assert.equal(today('"deposit"'), undefined);
  });

  it("has today's value inside of the parameters of messages alone", () => {
    const messages = [{ ...update('staking', { bond_denom: 'x1' }), more: { bond_denom: 'x2' } }];
    const text = draft({ messages, others: [update('staking', { bond_denom: 'x3' })] });
    const names = ['x1', 'x2', 'x3'].map((value) => todayAt(text, text.indexOf(value), facts)?.name);
    assert.deepEqual(names, ['bond_denom', undefined, undefined]);
  });

  it('has no value of a parameter that the chain does not have', () => {
    const text = ofMessages(update('staking', { unknown: { inner: 'x1' }, toString: 'x2' }));
    for (const value of ['x1', 'x2']) assert.equal(todayAt(text, text.indexOf(value), facts), undefined, value);
  });

  it('has no value of today in a text that is no draft', () => {
    const text = JSON.stringify({ messages: [update('staking', { bond_denom: 'x1' })] });
    assert.equal(todayAt(text, text.indexOf('x1'), facts), undefined);
  });

  it('is a schema that knows every type of the table and forbids no other', () => {
    const schema = JSON.stringify(draftSchema());
    assert.ok(schema.includes('"const":"/cosmos.distribution.v1beta1.MsgCommunityPoolSpend"'));
    assert.ok(!/"enum"|additionalProperties/.test(schema));
  });
});

describe('the height of an upgrade at a time that is asked for', () => {
  it('is put into the plan that holds the cursor, or into the first', () => {
    const text = ofMessages(upgrade({ height: '1' }), upgrade({ height: '2' }));
    const draft = readDraft(text);
    assert.ok(typeof draft === 'object');
    const heights = (offset: number) => {
      const edit = upgradeHeightEdit(draft, offset, 77n);
      assert.ok(edit);
      const { messages } = JSON.parse(applyEdits(text, [edit]));
      return messages.map((message: { plan: { height: string } }) => message.plan.height);
    };
    assert.deepEqual(
      [heights(0), heights(text.lastIndexOf('"height"'))],
      [
        ['77', '2'],
        ['1', '77'],
      ],
    );
    const other = readDraft(ofMessages(update('staking', {})));
    assert.ok(typeof other === 'object');
    assert.equal(upgradeHeightEdit(other, 0, 77n), undefined);
  });
});
