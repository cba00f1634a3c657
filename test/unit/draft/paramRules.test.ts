import assert from 'node:assert/strict';
import { isInOrder, keepsTo, rulesOf } from '../../../src/draft/paramRules.ts';
import { paramsWith, readBounds } from '../../fixtures/paramBounds.ts';
import { change, codesOf, draft, findingOf, known, legacyChange, ofMessages, update } from './exampleDrafts.ts';

const { base, cases } = readBounds();
const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner: unknown, name) => Object(inner)[name], value);

/** Whether our table takes the parameters of a module. */
function isTaken(module: string, params: unknown): boolean {
  const { limits, orders = [] } = rulesOf(module);
  const isWithin = Object.entries(limits).every(([field, limit]) => {
    const value = valueAt(params, field);
    return value === undefined || keepsTo(limit, value) === true;
  });
  return isWithin && orders.every((order) => isOrdered(module, params, order));
}

function isOrdered(module: string, params: unknown, order: Parameters<typeof isInOrder>[1]): boolean {
  const limit = rulesOf(module).limits[order.larger];
  return !limit || isInOrder(limit, order, valueAt(params, order.larger), valueAt(params, order.smaller)) !== false;
}

describe('the values of parameters', () => {
  for (const version of ['0.50.15', '0.53.8']) {
    it(`are taken and refused as the modules of SDK ${version} do`, () => {
      assert.ok(cases.length > 200);
      const wrong = cases.filter((one) => isTaken(one.module, paramsWith(base, one)) !== (one.faults[version] === ''));
      // Only 0.53 refuses it: a rule that differs between versions is none.
      const differs = version === '0.53.8' ? ['blocks_per_year 9223372036854775808'] : [];
      assert.deepEqual(
        wrong.map(({ field, value }) => `${field} ${value}`),
        differs,
      );
    });
  }

  it('are refused and taken for each parameter that a version judged', () => {
    const fields = Map.groupBy(cases, ({ module, field }) => `${module} ${field}`);
    const oneSided = [...fields].filter(
      ([, own]) => new Set(own.map(({ faults }) => faults['0.53.8'] === '')).size < 2,
    );
    assert.deepEqual(
      oneSided.map(([name]) => name),
      [],
    );
  });

  it('of ibc modules are held to their sources', () => {
    const { limits } = rulesOf('ibc.core.client.v1');
    const taken = [['*'], ['07-tendermint', '06-solomachine'], []];
    const refused = [['*', '07-tendermint'], ['a', 'a'], [' ']];
    const limit = limits.allowed_clients;
    assert.ok(limit);
    assert.deepEqual(
      taken.map((names) => keepsTo(limit, names)),
      [true, true, true],
    );
    assert.deepEqual(
      refused.map((names) => keepsTo(limit, names)),
      [false, false, false],
    );
  });
});

describe('a draft with values that a module refuses', () => {
  it('names each at its place, with the values that are taken', () => {
    const text = ofMessages(update('staking', { max_validators: 0 }));
    const { range, severity, facts } = findingOf(text, 'param-value');
    assert.equal(text.slice(range.start, range.end), '0');
    assert.equal(severity, 'error');
    assert.deepEqual(facts, { field: 'max_validators', limit: { kind: 'whole', min: 1n, max: 4294967295n } });
  });

  it('names two that are in the wrong order', () => {
    const text = ofMessages(update('mint', { inflation_max: '0.05', inflation_min: '0.07' }));
    assert.deepEqual(findingOf(text, 'param-order').facts, {
      larger: 'inflation_max',
      smaller: 'inflation_min',
      mayBeEqual: true,
    });
  });

  it('has no such finding where the values are in their bounds', () => {
    assert.deepEqual(codesOf(ofMessages(update('mint', { inflation_max: '0.07', inflation_min: '0.07' }))), []);
  });

  it('is found in a legacy change, of a file and of a message', () => {
    const file = JSON.stringify({
      title: 'T',
      description: 'D',
      deposit: '10000000stake',
      changes: [change('mint', 'InflationMax', '1.5')],
    });
    const message = draft({ messages: [legacyChange(change('mint', 'InflationMax', '"1.5"'))], metadata: '' });
    for (const text of [file, message]) assert.ok(codesOf(text).includes('error param-value'), text);
  });

  it('is found where nothing is known of the chain', () => {
    const text = ofMessages({ '@type': '/cosmos.mint.v1beta1.MsgUpdateParams', params: { inflation_max: '5%' } });
    assert.ok(codesOf(text, known({ moduleParams: new Map() })).includes('error param-value'));
  });
});

describe('the height of vote extensions in a draft', () => {
  const consensus = (height: string) => {
    const { version: _, ...params } = Object(known({}).moduleParams.get('cosmos.consensus.v1'));
    const abci = { vote_extensions_enable_height: height };
    return ofMessages({
      '@type': '/cosmos.consensus.v1.MsgUpdateParams',
      authority: known({}).govAccount,
      ...params,
      abci,
    });
  };
  const facts = known({ height: 1000n });

  it('is an error where it has passed', () => {
    assert.equal(findingOf(consensus('1000'), 'vote-extensions', facts).severity, 'error');
  });

  it('is a warning where the chain may reach it before the vote ends', () => {
    assert.equal(findingOf(consensus('1001'), 'vote-extensions', facts).severity, 'warning');
  });

  it('is nothing to speak of long after the vote', () => {
    assert.ok(!codesOf(consensus('90000000'), facts).some((code) => code.endsWith('vote-extensions')));
  });
});
