import assert from 'node:assert/strict';
import { bareName } from '../../../src/chain/fields.ts';
import {
  type HeldRule,
  heldRules,
  isInOrder,
  keepsTo,
  legacyLimits,
  rulesOf,
} from '../../../src/draft/checks/params/paramRules.ts';
import { paramsWith, readBounds } from '../../fixtures/paramBounds.ts';
import { readDrafts } from '../../node/draftAnswers.ts';
import {
  applyEdits,
  change,
  codesOf,
  draft,
  findingOf,
  known,
  legacyChange,
  ofMessages,
  update,
} from './exampleDrafts.ts';

const { base, cases: all, legacy } = readBounds();
const extensions = 'abci.vote_extensions_enable_height';
// They depend on the height of the chain.
const cases = all.filter(({ field }) => field !== extensions);
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

/** Whether a node refused a recorded value by this rule. */
function isDecided({ owner, isLegacy, field, limit }: HeldRule): boolean {
  if (!isLegacy)
    return all.some((one) => {
      const isOwn =
        one.module === owner && one.field === field && Object.values(one.faults).some((fault) => fault !== '');
      return isOwn && keepsTo(limit, valueAt(paramsWith(base, one), field)) !== true;
    });
  const [key = '', ...path] = field.split('.');
  return legacy.some((one) => {
    const isOwn = one.subspace === owner && bareName(one.key) === bareName(key) && one.faults['0.46.16'] !== '';
    const value: unknown = JSON.parse(one.value);
    return isOwn && keepsTo(limit, path.length > 0 ? valueAt(value, path.join('.')) : value) !== true;
  });
}

/** Messages of recorded drafts that a node refused, or failed to execute. */
const failed = (['wasmd-0.61.14', 'ibc-8.7.0'] as const)
  .flatMap((name) => readDrafts(name).answers)
  .flatMap(({ status, executed, text }): readonly unknown[] =>
    status !== 200 || executed === 'proposal_failed' ? JSON.parse(text).messages : [],
  );

/** Whether a node refused a message with parameters that break this rule. */
function isExecuted({ owner, isLegacy, field, limit }: HeldRule): boolean {
  return failed.some((message) => {
    const isOwn = !isLegacy && valueAt(message, '@type') === `/${owner}.MsgUpdateParams`;
    return isOwn && keepsTo(limit, valueAt(message, `params.${field}`)) === false;
  });
}

describe('the values of parameters', () => {
  it('follow rules that a node has decided, or that are marked as those of a source', () => {
    const rules = heldRules();
    assert.ok(rules.length > 80, `${rules.length}`);
    assert.deepEqual(
      rules
        .filter((rule) => (isDecided(rule) || isExecuted(rule)) !== (rule.heldBy === 'node'))
        .map(({ owner, field }) => `${owner} ${field}`),
      [],
    );
  });

  it('follow orders that a node has decided', () => {
    const owners = new Set(heldRules().map(({ owner }) => owner));
    const open = [...owners].flatMap((module) =>
      (rulesOf(module).orders ?? []).filter((order) => {
        const judged = cases.filter((one) => one.module === module && one.faults['0.53.8'] !== '');
        return !judged.some((one) => !isOrdered(module, paramsWith(base, one), order));
      }),
    );
    assert.deepEqual(open, []);
  });

  for (const version of ['0.50.15', '0.53.8']) {
    it(`are taken and refused as the modules of SDK ${version} do`, () => {
      const judged = cases.filter(({ faults }) => faults[version] !== undefined);
      assert.ok(judged.length > 200);
      const wrong = judged.filter((one) => isTaken(one.module, paramsWith(base, one)) !== (one.faults[version] === ''));
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

  it('of legacy changes are taken and refused as the modules of SDK 0.46.16 do', () => {
    const isKept = ({ subspace, key, value }: (typeof legacy)[number]): boolean => {
      const read: unknown = JSON.parse(value);
      return legacyLimits(subspace, key).every(
        ([path, limit]) => keepsTo(limit, path === '' ? read : valueAt(read, path)) !== false,
      );
    };
    const wrong = legacy.filter((one) => isKept(one) !== (one.faults['0.46.16'] === ''));
    assert.ok(legacy.length > 150);
    assert.deepEqual(
      wrong.map(({ subspace, key, value }) => `${subspace}/${key} ${value}`),
      [],
    );
  });

  it('of vote extensions are taken and refused as at block 1000 of a node', () => {
    const about = known({ height: 1000n });
    const today = known({}).moduleParams.get('cosmos.consensus.v1');
    const judged = all.filter(({ field }) => field === extensions);
    assert.ok(judged.length > 5);
    for (const { value, faults } of judged) {
      const text = ofMessages({
        '@type': '/cosmos.consensus.v1.MsgUpdateParams',
        authority: about.govAccount,
        ...today,
        abci: { vote_extensions_enable_height: value },
      });
      const isRefused = codesOf(text, about).includes('error vote-extensions');
      assert.equal(isRefused, faults['0.53.8'] !== '', String(value));
    }
  });
});

describe('a draft with values that a module refuses', () => {
  it('names each at its place, with the values that are taken', () => {
    const text = ofMessages(update('staking', { max_validators: 0 }));
    const { range, severity, details } = findingOf(text, 'param-value');
    assert.equal(text.slice(range.start, range.end), '0');
    assert.equal(severity, 'error');
    assert.deepEqual(details, {
      field: 'max_validators',
      limit: { kind: 'whole', min: 1n, max: 4294967295n },
      fails: 'execution',
    });
  });

  it('names two that are in the wrong order', () => {
    const text = ofMessages(update('mint', { inflation_max: '0.05', inflation_min: '0.07' }));
    assert.deepEqual(findingOf(text, 'param-order').details, {
      larger: 'inflation_max',
      smaller: 'inflation_min',
      mayBeEqual: true,
      fails: 'execution',
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

  it('is found in coins that are not in the order of their denoms', () => {
    const coin = (denom: string): object => ({ denom, amount: '7' });
    const deposit = (...denoms: readonly string[]): string =>
      ofMessages(update('cosmos.gov.v1', { min_deposit: denoms.map(coin) }));
    const text = deposit('stake', 'atom');
    const finding = findingOf(text, 'param-value');
    assert.equal(finding.severity, 'error');
    const mended = applyEdits(text, finding.repairs[0]?.edits ?? []);
    assert.ok(mended.indexOf('"atom"') < mended.indexOf('"stake"'));
    assert.ok(!codesOf(mended).includes('error param-value'));
    assert.deepEqual(findingOf(deposit('stake', 'stake'), 'param-value').repairs, []);
    assert.ok(!codesOf(deposit('atom', 'stake')).includes('error param-value'));
  });

  it('is found in the timeout of channel upgrades, and in the community pool module', () => {
    const timeout = (revision_height: string, timestamp: string): string =>
      ofMessages({
        '@type': '/ibc.core.channel.v1.MsgUpdateParams',
        authority: known({}).govAccount,
        params: { upgrade_timeout: { height: { revision_number: '0', revision_height }, timestamp } },
      });
    for (const text of [timeout('5', '600'), timeout('0', '0')])
      assert.equal(findingOf(text, 'param-value').severity, 'error');
    assert.deepEqual(codesOf(timeout('0', '600000000000')), []);
    const pool = update('cosmos.protocolpool.v1', { enabled_distribution_denoms: [], distribution_frequency: '0' });
    assert.equal(findingOf(ofMessages(pool), 'param-value').severity, 'error');
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

  it('is an error where they are enabled already', () => {
    const today = { ...facts.moduleParams.get('cosmos.consensus.v1'), abci: { vote_extensions_enable_height: '900' } };
    const about = { ...facts, moduleParams: new Map([['cosmos.consensus.v1', today]]) };
    const { details } = findingOf(consensus('90000000'), 'vote-extensions', about);
    assert.deepEqual(details, { fault: 'enabled', enabled: 900n });
  });

  it('is a warning where the chain may reach it before the vote ends', () => {
    assert.equal(findingOf(consensus('1001'), 'vote-extensions', facts).severity, 'warning');
  });

  it('is nothing to speak of long after the vote', () => {
    assert.ok(!codesOf(consensus('90000000'), facts).some((code) => code.endsWith('vote-extensions')));
  });
});
