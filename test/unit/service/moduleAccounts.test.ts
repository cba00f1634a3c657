import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { stateFileOf } from '../../node/recording.ts';
import { type Served, serveFile, serveText } from './serveText.ts';
import { depositorAddress, smallState, voterAddress } from './smallState.ts';

const path = 'auth/v1beta1/module_accounts';

/** Serves a state while `use` runs, and gives its result. */
async function whileServed<T>(served: Served, use: (served: Served) => Promise<T>): Promise<T> {
  try {
    return await use(served);
  } finally {
    await served.stop();
  }
}

/** The answer for the small state with these modules. */
async function answerFor(modules: object): Promise<{ readonly status: number; readonly body: unknown }> {
  const state = smallState();
  const content = { ...state, app_state: { ...state.app_state, ...modules } };
  return whileServed(await serveText(content), (served) => served.ask(path));
}

const inToday = (address: string, [name, permissions]: readonly [string, readonly string[]], number: string) => ({
  '@type': '/cosmos.auth.v1beta1.ModuleAccount',
  base_account: { address, pub_key: null, account_number: number, sequence: '0' },
  name,
  permissions,
});

describe('the module accounts of a state', () => {
  for (const version of ['0.45.16', '0.46.16', '0.50.15', '0.53.8'])
    it(`are those that a node of SDK ${version} exported, by name`, async () => {
      const { app_state } = JSON.parse(gunzipSync(readFileSync(stateFileOf(version))).toString());
      const exported: { readonly name: string }[] = app_state.auth.accounts.filter((account: object) =>
        Object(account)['@type'].endsWith('.ModuleAccount'),
      );
      assert.equal(exported.length, 6);
      const accounts = exported.toSorted((one, other) => (one.name < other.name ? -1 : 1));
      const served = await serveFile(stateFileOf(version));
      assert.deepEqual(await whileServed(served, () => served.get(path)), { accounts });
    });

  it('have numbers and permissions wherever they stand among others, with modules of the chain itself', async () => {
    const base = (address: string, number: number) => ({
      address,
      pub_key: null,
      account_number: `${number}`,
      sequence: '0',
    });
    const plain = { '@type': '/cosmos.auth.v1beta1.BaseAccount', ...base(voterAddress, 0) };
    const modules = [
      inToday(depositorAddress, ['clp', ['burner', 'minter']], '25'),
      inToday(voterAddress, ['gov', []], '3'),
    ];
    const accounts = [...Array(50).fill(plain), modules[1], ...Array(50).fill(plain), modules[0], plain];
    assert.deepEqual((await answerFor({ auth: { accounts } })).body, { accounts: modules });
  });

  it('of before SDK 0.40 are answered in the form of today', async () => {
    const value = { address: voterAddress, coins: [], public_key: '', account_number: 12, sequence: 0 };
    const amino = { type: 'cosmos-sdk/ModuleAccount', value: { ...value, name: 'gov', permissions: ['burner'] } };
    const expected = { accounts: [inToday(voterAddress, ['gov', ['burner']], '12')] };
    assert.deepEqual((await answerFor({ auth: { accounts: [amino] } })).body, expected);
    const flat = { address: voterAddress, coins: [], account_number: '12', sequence_number: '0' };
    const early = { ...flat, module_name: 'gov', module_permissions: ['burner'] };
    assert.deepEqual((await answerFor({ accounts: [early, { ...flat, module_name: '' }] })).body, expected);
  });

  it('are not in a state without accounts, and none where there are others only', async () => {
    for (const modules of [{}, { auth: { params: {}, accounts: [] } }]) {
      const { status, body } = await answerFor(modules);
      assert.deepEqual([status, Object(body).code], [501, 12]);
    }
    const plain = { '@type': '/cosmos.auth.v1beta1.BaseAccount', address: voterAddress };
    assert.deepEqual((await answerFor({ auth: { accounts: [plain] } })).body, { accounts: [] });
  });

  it('of hostile forms cost themselves, and names are cut', async () => {
    const type = '/cosmos.auth.v1beta1.ModuleAccount';
    const base_account = { address: voterAddress, account_number: { a: 1 } };
    const accounts = [
      { '@type': type, base_account: null, name: 'nowhere' },
      { '@type': type, base_account, name: 'n'.repeat(1e6), permissions: ['burner', 7, 'p'.repeat(1e6)] },
      { '@type': type, base_account, name: ['gov'], permissions: 'all' },
    ];
    const { status, body } = await answerFor({ auth: { accounts } });
    assert.equal(status, 200);
    assert.equal(Object(body).accounts.length, 1);
    assert.ok(JSON.stringify(body).length < 1000, JSON.stringify(body).slice(0, 2000));
  });
});
