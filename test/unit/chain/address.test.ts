import assert from 'node:assert/strict';
import { accountBeside, addressFault, basePrefix, toAccount, withPrefix } from '../../../src/chain/address.ts';
import { toBech32 } from '../../fixtures/addresses.ts';

const bytes = new Uint8Array(20).fill(7);
const account = toBech32('cosmos', bytes);

describe('the prefix of accounts', () => {
  it('is the one before the name of a role', () => {
    for (const role of ['', 'valoper', 'valoperpub', 'valcons', 'valconspub', 'pub'])
      assert.equal(basePrefix(`cosmos${role}`), 'cosmos', role);
    for (const prefix of ['pub', 'valoper', 'pubchain', 'valconsx', 'mypubchain'])
      assert.equal(basePrefix(prefix), prefix);
  });
});

describe('the account of an address', () => {
  it('is itself, or that of an operator, in small letters', () => {
    for (const text of [account, account.toUpperCase(), toBech32('cosmosvaloper', bytes)])
      assert.deepEqual(toAccount(text), { prefix: 'cosmos', address: account });
  });

  it('is none for another role and for what is no address', () => {
    assert.deepEqual(toAccount(toBech32('cosmosvalcons', bytes)), {
      kind: 'prefix',
      found: 'cosmosvalcons',
      expected: 'cosmos',
      role: true,
    });
    assert.deepEqual(toAccount(account.slice(0, -1)), { kind: 'checksum' });
  });

  it('has the prefix that is asked for, with the same bytes', () => {
    assert.equal(withPrefix(account.toUpperCase(), 'osmo'), toBech32('osmo', bytes));
    for (const text of ['cosmos1x', account.replace('c', 'C')]) assert.equal(withPrefix(text, 'osmo'), undefined);
    const others = new Uint8Array(32).fill(1);
    assert.equal(accountBeside(account, others), toBech32('cosmos', others));
    assert.equal(accountBeside('x', others), undefined);
  });
});

describe('the fault of an address', () => {
  it('is hexadecimal for no other text', () => {
    for (const text of ['0x', '0xAb5801a7', '0XAB'])
      assert.deepEqual(addressFault(text, 'cosmos'), { kind: 'hex' }, text);
    for (const text of ['0xyz', 'a0xAb', '0xAb ']) assert.notEqual(addressFault(text, 'cosmos')?.kind, 'hex', text);
  });
});
