import assert from 'node:assert/strict';
import type { IbcClient } from '../../../src/api/node.ts';
import type { Fields } from '../../../src/chain/fields.ts';
import type { ChainFacts } from '../../../src/draft/chainFacts.ts';
import { clientIds, isClientUnknown } from '../../../src/draft/checks/ibc/clientChecks.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { facts, gov, govParams, known, legacy, ofMessages, repaired, reportOf, transfer } from './exampleDrafts.ts';

const [subject, substitute] = ['07-tendermint-1', '07-tendermint-2'];
const recover = (from: unknown = subject, to: unknown = substitute) => ({
  '@type': '/ibc.core.client.v1.MsgRecoverClient',
  signer: gov,
  subject_client_id: from,
  substitute_client_id: to,
});

/** The findings of a code: severity, what the range holds, and the sentence. */
function said(code: string, text: string, about: ChainFacts = facts): readonly string[] {
  return reportOf(text, about)
    .findings.filter((one) => one.code === code)
    .map((one) => `${one.severity} ${text.slice(one.range.start, one.range.end)}: ${findingText(one, plainEnglish)}`);
}

const day = 86_400_000;
const now = facts.time?.getTime() ?? 0;

describe('the ids of a recovery', () => {
  const ids = (...messages: object[]) => {
    const draft = readDraft(ofMessages(...messages));
    assert.ok(typeof draft === 'object');
    return draft.actions.map((action) => clientIds(action).map(({ value }) => value));
  };

  it('are those of ibc-go, of both clients', () => {
    const content = { '@type': '/ibc.core.client.v1.ClientUpdateProposal', substitute_client_id: substitute };
    assert.deepEqual(ids(recover()), [[subject, substitute]]);
    assert.deepEqual(ids(legacy({ ...content, subject_client_id: subject })), [[], [subject, substitute]]);
    assert.deepEqual(ids(legacy(content)), [[], []], 'the form of SDK 0.40, with a header');
    assert.deepEqual(ids({ ...recover(), '@type': '/a.v1.MsgRecoverClient' }), [[]]);
  });

  it('have 9 to 64 letters, digits and signs', () => {
    for (const good of ['a'.repeat(9), 'a'.repeat(64), 'aZ09.+_-#[]<>'])
      assert.deepEqual(ids(recover(good)), [[good, substitute]]);
    for (const bad of ['a'.repeat(8), 'a'.repeat(65), '07-tendermint 1', ' 07-tendermint', '07-tendermint\n', '']) {
      assert.deepEqual(ids(recover(bad)), [[substitute]]);
      assert.deepEqual(said('client-recovery', ofMessages(recover(bad))), [
        `error ${JSON.stringify(bad)}: This is not a client ID. Use an ID such as 07-tendermint-12.`,
      ]);
    }
    assert.deepEqual(ids(recover(5), recover(null)), [[substitute], [substitute]]);
    assert.equal(said('client-recovery', ofMessages(recover('x', 'y'))).length, 2);
  });

  it('are of one type, where both state it', () => {
    assert.match(
      said('client-recovery', ofMessages(recover(subject, '08-wasm-12'))).join(),
      /client type must be the same/,
    );
    for (const other of ['08-wasmclient', 'x08-wasm-12', '08-wasm-12x', '8-wasm-12345', '07-tendermint-12345'])
      assert.deepEqual(said('client-recovery', ofMessages(recover(subject, other))), [], other);
  });

  it('are known if the chain has answered for both', () => {
    const draft = readDraft(ofMessages(recover()));
    assert.ok(typeof draft === 'object');
    const clients = (...named: string[]) => known({ clients: new Map(named.map((one) => [one, null])) });
    const unknown = [clients(), clients(subject), clients(subject, substitute), known({ clients: undefined })];
    const isUnknown = unknown.map((about) => draft.actions.some((one) => isClientUnknown(one, about)));
    assert.deepEqual(isUnknown, [true, true, false, true]);
  });
});

describe('the clients of a recovery', () => {
  const state = {
    '@type': '/ibc.lightclients.tendermint.v1.ClientState',
    chain_id: 'a-1',
    trusting_period: '1209600s',
    unbonding_period: '1814400s',
    latest_height: { revision_number: '1', revision_height: '500' },
  };
  const client = (status: string, more: Fields = {}, updated: Date | undefined = new Date(now)): IbcClient => {
    return { status, state: { ...state, ...more }, updated };
  };
  const at = (revision_number: unknown, revision_height: unknown) => ({
    latest_height: { revision_number, revision_height },
  });
  const higher = at('1', '501');
  const of = (from: IbcClient | null | undefined, to: IbcClient | null | undefined, more: Partial<ChainFacts> = {}) => {
    const clients = new Map(
      [[subject, from] as const, [substitute, to] as const].flatMap(([id, one]) =>
        one === undefined ? [] : [[id, one] as const],
      ),
    );
    return said('client-recovery', ofMessages(recover()), known({ clients, ...more }));
  };

  it('are an expired one and one that is active and higher', () => {
    assert.deepEqual(of(client('Expired'), client('Active', higher)), []);
    assert.match(
      of(client('Expired'), client('Frozen', higher)).join(),
      /^error "07-tendermint-2": The status of this client is Frozen/,
    );
    assert.deepEqual(of(undefined, client('Active')), []);
    assert.deepEqual(of(client('Expired'), undefined), []);
    assert.match(of(undefined, null).join(), /^error "07-tendermint-2": This chain has no client/);
  });

  it('are compared by revision, then by height', () => {
    const isHigh = (to: Fields, from: Fields = at('1', '500')) =>
      of(client('Expired', from), client('Active', to)).length === 0;
    assert.deepEqual(
      [at('1', '501'), at('1', '500'), at('1', '499'), at('2', '1'), at('0', '900')].map((to) => isHigh(to)),
      [true, false, false, true, false],
    );
    assert.ok(isHigh(at('1', '1'), at(undefined, '900')), 'a missing revision is 0');
    for (const unreadable of [
      at('1', 'x'),
      at('x', '1'),
      at('1', undefined),
      { latest_height: '1-1' },
      at('1', '1x'),
      at('1', 'x1'),
    ])
      assert.ok(isHigh(unreadable), JSON.stringify(unreadable));
  });

  it('have the same settings, except those that may differ', () => {
    const differing = (to: Fields, from: Fields = {}) =>
      of(client('Expired', from), client('Active', { ...higher, ...to })).join();
    for (const may of ['frozen_height', 'trusting_period', 'chain_id', 'allow_update_after_expiry'])
      assert.equal(differing({ [may]: '9s' }, { [may]: '1209601s' }).replace(/^warning .* expires .*/, ''), '', may);
    assert.match(
      differing({ trust_level: { numerator: '1' } }),
      /trust_level must be .* It is \{"numerator":"1"\} for this client and {2}for the other/,
    );
    assert.match(differing({ '@type': '/b.State' }), /^error .*@type must be the same/);
    const other = { '@type': '/ibc.lightclients.wasm.v1.ClientState' };
    assert.equal(differing({ ...other, checksum: 'b' }, { ...other, checksum: 'a' }), '');
  });

  it('have the same trusting period in old versions', () => {
    const [from, to] = [client('Expired'), client('Active', { ...higher, trusting_period: '1209700s' })];
    const old = {
      govParams: { ...govParams, expeditedVotingPeriod: undefined },
      hasGovV1: undefined,
      sdkVersion: 'v0.47.0',
    };
    assert.match(
      of(from, to, old).join(),
      /^warning .*trusting_period must be the same for both clients\. It is 1209700s/,
    );
    assert.deepEqual(of(from, to), []);
    assert.deepEqual(of(from, client('Active', higher), old), []);
    const wasm = { '@type': '/ibc.lightclients.wasm.v1.ClientState' };
    assert.deepEqual(
      of(client('Expired', wasm), client('Active', { ...higher, ...wasm, trusting_period: '1209700s' }), old),
      [],
    );
  });

  it('are trusted to the end of the vote', () => {
    const trusted = (trusting_period: unknown, updated?: Date) =>
      of(client('Expired'), client('Active', { ...higher, trusting_period }, updated)).length === 0;
    assert.deepEqual([trusted('1209600s'), trusted('1209599s')], [true, false]);
    assert.deepEqual(
      [trusted('1296000s', new Date(now - day)), trusted('1296000s', new Date(now - day - 1))],
      [true, false],
    );
    assert.ok(trusted(undefined), 'the period is not known');
    assert.deepEqual(
      of(client('Expired'), client('Active', { ...higher, trusting_period: '1s' }), { time: undefined }),
      [],
    );
    assert.deepEqual(
      of(client('Expired'), client('Active', { ...higher, trusting_period: '1s' }), { govParams: {} }),
      [],
    );
  });
});

describe('the timeout of a transfer', () => {
  const of = (more: object, about?: ChainFacts) => said('transfer-timeout', ofMessages(transfer(more)), about);
  const stamp = (ms: number, perMs = 1_000_000n) => ({ timeout_timestamp: String(BigInt(ms) * perMs) });

  it('is told at the type, or at the time that is none', () => {
    assert.match(of({}).join(), /^error "\/ibc\.applications\.transfer\.v1\.MsgTransfer": The transfer has no timeout/);
    assert.match(of({ timeout_timestamp: '000' }).join(), /^error "000": The transfer has no timeout/);
    for (const none of [{ revision_number: '0', revision_height: '0' }, { revision_height: null }, {}, null])
      assert.equal(of({ timeout_height: none }).length, 1);
  });

  it('is given by one part of a height, or by a misspelt field that another check names', () => {
    for (const given of [
      { timeout_height: { revision_number: '1' } },
      { timeout_height: { revision_height: '10' } },
      { timeout_timestmp: '5' },
      { timeout_timestamp: 'soon' },
      { timeout_timestamp: '-5' },
      { timeout_timestamp: '5x' },
      { timeout_timestamp: '1'.repeat(21) },
    ])
      assert.deepEqual(of(given), [], JSON.stringify(given));
    assert.equal(of({ timeout_timestamp: '0', timeout_timestmp: '5' }).length, 1);
  });

  it('is after the last block and after the vote, to the millisecond', () => {
    assert.match(of(stamp(now)).join(), /^error .* has passed: the chain is at /);
    assert.match(of(stamp(now + 1)).join(), /^warning .* passes before the vote ends at about /);
    assert.match(of(stamp(now + 14 * day)).join(), /^warning /);
    assert.deepEqual(of(stamp(now + 14 * day + 1)), []);
    assert.deepEqual(of(stamp(now), known({ time: undefined })), []);
    assert.deepEqual(of(stamp(now + 1), known({ govParams: {} })), []);
    assert.deepEqual(of({ timeout_timestamp: '18446744073709551615' }), []);
  });

  it('is in nanoseconds', () => {
    assert.match(of(stamp(now + 30 * day, 1000n)).join(), /^error .*The timeout is in microseconds\. Use nanoseconds/);
    const byClient = { ...stamp(now + 30 * day, 1n), source_channel: undefined };
    assert.match(of(byClient).join(), /^warning .*The timeout is in milliseconds/);
  });

  it('of an interchain account is at least a second from its execution on', () => {
    const type = '/ibc.applications.interchain_accounts.controller.v1.MsgSendTx';
    const text = (relative_timeout?: unknown) =>
      ofMessages({ '@type': type, owner: gov, connection_id: 'connection-0', packet_data: {}, relative_timeout });
    const found = (timeout: unknown) =>
      reportOf(text(timeout)).findings.filter(({ code }) => code === 'transfer-timeout');
    for (const fine of ['1000000000', '0', undefined, 'soon', '5x']) assert.deepEqual(found(fine), [], String(fine));
    const mended = (timeout: string) => {
      const [one] = found(timeout);
      assert.ok(one);
      return [...repaired(text(timeout), one).values()];
    };
    assert.deepEqual(mended('600'), [text('600000000000')]);
    assert.deepEqual(mended('99999'), [text('99999000000000')]);
    for (const unclear of ['100000', '999999999']) assert.deepEqual(mended(unclear), []);
    assert.match(said('transfer-timeout', text('600')).join(), /^error "600": relative_timeout is less than a second/);
  });
});

describe('the state that clients get by an upgrade', () => {
  const state = {
    '@type': '/ibc.lightclients.tendermint.v1.ClientState',
    chain_id: 'harbor-4',
    unbonding_period: '1814400s',
    latest_height: { revision_number: '4', revision_height: '9000001' },
    proof_specs: [{}],
  };
  const plan = { name: 'v2', height: '9000000', info: '' };
  const upgrading = (upgraded_client_state: unknown, type = 'ibc.core.client.v1.MsgIBCSoftwareUpgrade') =>
    ofMessages({ '@type': `/${type}`, signer: gov, plan, upgraded_client_state });
  const of = (more: unknown, type?: string) =>
    said('client-upgraded', upgrading(typeof more === 'object' ? { ...state, ...more } : more, type));

  it('is checked in messages of ibc-go alone, if it is an object with a type', () => {
    assert.match(of({ '@type': '/a.v1.State' }).join(), /^error "\/a\.v1\.State": The client state must be of type /);
    assert.equal(of({ '@type': '/a.v1.State' }, 'ibc.core.client.v1.UpgradeProposal').length, 1);
    for (const type of ['a.v1.MsgIBCSoftwareUpgrade', 'ibc.core.client.v1.MsgOther', 'a.v1.MsgOther'])
      assert.deepEqual(of({ '@type': '/a.v1.State' }, type), [], type);
    for (const none of ['text', { '@type': 5 }, { '@type': undefined }]) assert.deepEqual(of(none), []);
    assert.deepEqual(said('client-upgraded', upgrading([state])), []);
  });

  it('has all that the chain chooses', () => {
    assert.deepEqual(of({}), []);
    const says = (field: string) => `${field} must not be empty. Clients on other chains would fail to upgrade.`;
    for (const [more, at, field] of [
      [{ chain_id: ' ' }, '" "', 'chain_id'],
      [{ unbonding_period: '0s' }, '"0s"', 'unbonding_period'],
      [{ unbonding_period: '0.000s' }, '"0.000s"', 'unbonding_period'],
      [{ proof_specs: [] }, '[]', 'proof_specs'],
      [{ proof_specs: null }, 'null', 'proof_specs'],
      [{ proof_specs: undefined }, `"${state['@type']}"`, 'proof_specs'],
      [{ proof_specs: undefined, unbonding_period: '0s' }, '"0s"', 'unbonding_period, proof_specs'],
    ] as const)
      assert.deepEqual(of(more), [`error ${at}: ${says(field)}`]);
    const height = { latest_height: { revision_number: '4', revision_height: '0' } };
    assert.deepEqual(of(height), [`error "0": ${says('revision_height')}`]);
  });

  it('has the revision of its chain id', () => {
    const revision = (chain_id: string, revision_number: unknown) =>
      of({ chain_id, latest_height: { revision_number, revision_height: '9' } }).length;
    for (const [id, number] of [
      ['harbor-4', '4'],
      ['harbor', '0'],
      ['harbor', undefined],
      ['harbor-04', '0'],
      ['harbor-4x', '0'],
      ['-4', '0'],
      ['har-bor-12', '12'],
      ['harbor-4', 'x'],
      ['harbor-4', '5x'],
      ['harbor-4', '04'],
    ] as const)
      assert.equal(revision(id, number), 0, `${id} ${number}`);
    for (const [id, number] of [
      ['harbor-4', '3'],
      ['harbor-4', '12'],
      ['harbor', '4'],
      ['harbor-4', undefined],
    ] as const)
      assert.equal(revision(id, number), 1, `${id} ${number}`);
    assert.match(
      of({ chain_id: 'harbor-5' }).join(),
      /^error "4": The height has revision 4, but .* harbor-5 has revision 5\./,
    );
    assert.match(of({ latest_height: { revision_height: '9' } }).join(), /^error \{/);
  });
});
