import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { serveFile } from '../../../src/service/serve.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { readRecording, stateFileOf } from '../../node/recording.ts';
import { startReplay } from '../../node/replay.ts';
import { startToolHost } from './toolHost.ts';

describe('what get_params answers', () => {
  const state = pathToFileURL(stateFileOf('0.53.8')).href;
  const { ask, dispose } = startToolHost([state]);
  after(dispose);

  it('is every module of a state', async () => {
    const modules = valueAt(await ask('get_params', {}), 'modules.*.module');
    assert.ok(Array.isArray(modules));
    for (const name of ['auth', 'bank', 'distribution', 'gov', 'mint', 'slashing', 'staking'])
      assert.ok(modules.includes(name), `${name} in ${modules}`);
  });

  it('is one module with the meaning of what it states', async () => {
    const answer = await ask('get_params', { module: 'gov' });
    assert.equal(valueAt(answer, 'metadata.returned'), 1);
    assert.deepEqual(valueAt(answer, 'modules.0.meaning.quorum'), { share: '0.334' });
    assert.equal(valueAt(answer, 'modules.0.untrusted_params.quorum'), '0.334000000000000000');
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
    const answer = await other.ask('get_params', { module: 'gov' });
    assert.match(String(valueAt(answer, 'modules.0.untrusted_params.voting_period')), /^\d+s$/);
    await other.dispose();
    await node.stop();
  });

  it('is an error that says what to call where there is no such module', async () => {
    await assert.rejects(ask('get_params', { module: 'nosuch' }), /Call get_params without "module"/);
  });
});
