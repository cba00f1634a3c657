import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { serveFile } from '../../../src/service/serve.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { readRecording, stateFileOf } from '../../node/recording.ts';
import { startReplay } from '../../node/replay.ts';
import { chainReplies } from '../../support/chainReplies.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { startReplies } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

describe('what get_params answers', () => {
  const state = pathToFileURL(stateFileOf('0.53.8')).href;
  const { ask, dispose } = startToolHost([state]);
  const folder = startFolder('params');
  after(async () => {
    await dispose();
    folder.dispose();
  });

  it('is every module of a state', async () => {
    const modules = valueAt(await ask('get_params', {}), 'modules.*.module');
    assert.ok(Array.isArray(modules));
    for (const name of ['auth', 'bank', 'distribution', 'gov', 'mint', 'slashing', 'staking'])
      assert.ok(modules.includes(name), `${name} in ${modules}`);
  });

  it('is one module with the meaning of what it states', async () => {
    const answer = await ask('get_params', { module: 'gov' });
    assert.deepEqual(await ask('get_params', { module: 'Gov' }), answer);
    assert.equal(valueAt(answer, 'metadata.returned'), 1);
    assert.deepEqual(valueAt(answer, 'modules.0.meaning.quorum'), { share: '0.334' });
    assert.equal(valueAt(answer, 'modules.0.untrusted_params.quorum'), '0.334000000000000000');
  });

  it('is what is minted now, beside the parameters of mint', async () => {
    const { mint } = JSON.parse(gunzipSync(readFileSync(stateFileOf('0.53.8'))).toString('utf8')).app_state;
    const minted = Object(valueAt(await ask('get_params', { module: 'mint' }), 'modules.0.minted_now'));
    assert.equal(minted.inflation, mint.minter.inflation);
    assert.equal(minted.annual_provisions.exact_amount, mint.minter.annual_provisions);
  });

  it('is a parameter that stands beside those of its module, too', async () => {
    const crisis = { constant_fee: { denom: 'stake', amount: '1000' } };
    const file = join(folder.path, 'beside.json');
    const app_state = {
      bank: { send_enabled: true },
      crisis,
      distribution: { community_tax: '0.02', params: { a: '1' } },
    };
    writeFileSync(file, JSON.stringify({ chain_id: 'beside-1', app_state }));
    const other = startToolHost([pathToFileURL(file).href]);
    const rows = valueAt(await other.ask('get_params'), 'modules.*.untrusted_params');
    assert.deepEqual(rows, [{ send_enabled: true }, crisis, { community_tax: '0.02', a: '1' }]);
    await other.dispose();
  });

  it('has the denoms whose transfers are stopped, where a state or a node lists them beside the parameters', async () => {
    const listed = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state.bank.send_enabled;
    assert.ok(listed.length > 0);
    const served = await serveFile({ file: sampleFile });
    await served.ready;
    const other = startToolHost([
      pathToFileURL(sampleFile).href,
      `${served.baseUrl}/chain`,
      `${served.baseUrl}/cosmos`,
    ]);
    for (const { id: source } of other.host.sources) {
      const answer = await other.ask('get_params', { source, module: 'bank' });
      assert.deepEqual(valueAt(answer, 'modules.0.untrusted_params.send_enabled'), listed, source);
    }
    await other.dispose();
    await served.dispose();
  });

  it('is the plan of the upgrade that is ahead, or that there is none, as a node states it', async () => {
    const plan = { name: 'v9', time: '0001-01-01T00:00:00Z', height: '4900000', info: '', upgraded_client_state: null };
    for (const stated of [plan, null]) {
      const node = await startReplies(
        chainReplies({
          chainId: 'ahead-1',
          supply: [],
          paths: { '/cosmos/upgrade/v1beta1/current_plan': { plan: stated } },
        }),
      );
      const other = startToolHost([node.url]);
      const answer = await other.ask('get_params', { module: 'upgrade' });
      assert.deepEqual(valueAt(answer, 'modules.0.untrusted_params'), { plan: stated });
      await other.dispose();
      await node.stop();
    }
    const old = await startReplies(chainReplies({ chainId: 'old-1', supply: [] }));
    const other = startToolHost([old.url]);
    await assert.rejects(
      other.ask('get_params', { module: 'upgrade' }),
      /The source does not report which upgrade is planned\. For proposed upgrades, call list_proposals/,
    );
    await other.dispose();
    await old.stop();
    const served = await serveFile({ file: sampleFile });
    const endpoint = startToolHost([`${served.baseUrl}/chain`]);
    const refusal = /This endpoint serves a state file: state files do not contain upgrade plans/;
    await assert.rejects(endpoint.ask('get_params', { module: 'upgrade' }), refusal);
    await endpoint.dispose();
    await served.dispose();
    await assert.rejects(
      ask('get_params', { module: 'upgrade' }),
      /State files do not contain upgrade plans\. For proposed upgrades, call list_proposals with "fields": "upgrades"/,
    );
  });

  it('is that a source does not state what is minted', async () => {
    const state = JSON.parse(readFileSync(sampleFile, 'utf8'));
    delete state.app_state.mint.minter;
    const file = join(folder.path, 'state.json');
    writeFileSync(file, JSON.stringify(state));
    const other = startToolHost([pathToFileURL(file).href]);
    const minted = Object(valueAt(await other.ask('get_params', { module: 'mint' }), 'modules.0.minted_now'));
    const unknown = { inflation: 'the source does not report it', annual_provisions: 'the source does not report it' };
    assert.deepEqual(minted, { inflation: null, annual_provisions: null, unknown });
    await other.dispose();
  });

  it('is the same of a service over HTTP', async () => {
    const served = await serveFile({ file: stateFileOf('0.53.8') });
    await served.ready;
    const other = startToolHost([`${served.baseUrl}/chain`]);
    assert.deepEqual(valueAt(await other.ask('get_params'), 'modules'), valueAt(await ask('get_params'), 'modules'));
    await other.dispose();
    await served.dispose();
  });

  it('is what a node states of its gov module', async () => {
    const node = await startReplay(readRecording('0.53.8'));
    const other = startToolHost([node.url]);
    const answer = await other.ask('get_params', { module: 'Gov' });
    assert.match(String(valueAt(answer, 'modules.0.untrusted_params.voting_period')), /^\d+s$/);
    await other.dispose();
    await node.stop();
  });

  it('is an error that says what to call where there is no such module', async () => {
    await assert.rejects(
      ask('get_params', { module: 'nosuch' }),
      /has no parameters for a module named "nosuch"\. To list all modules, call get_params without "module"/,
    );
    await assert.rejects(
      ask('get_params', { module: 'slahsing' }),
      /Did you mean "slashing"\? To list all modules, call get_params/,
    );
  });
});
