import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type ServedState, serveFile } from '../../../src/service/serve.ts';
import { moduleAddresses } from '../../node/accounts.ts';
import { stateFileOf } from '../../node/recording.ts';
import { coins, draft, ofMessages, spend, update, upgrade } from '../draft/exampleDrafts.ts';
import { temporaryFolder } from '../service/serveText.ts';
import { type Ended, program, runHere } from './runHere.ts';

const state = stateFileOf('0.53.8');

const run = (...args: readonly string[]) => runHere(args);

/** In a process of its own. */
async function spawned(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, error, code };
}

const good = draft({ messages: [spend(coins('1'))], metadata: '', deposit: '10000stake,500uosmo' });
const bad =
  `\ufeff${ofMessages({ ...update('staking', {}), params: { max_validators: 120 } }, upgrade({ height: '1' }))}`
    .replace('10000000stake', '10000stake,500uosmo')
    .replaceAll('\n', '\r\n');

describe('chain-inspector check', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let served: ServedState;
  before(async () => {
    folder = await temporaryFolder();
    served = await serveFile({ file: state });
    await served.ready;
    await writeFile(folder.path('good.json'), good);
    await writeFile(folder.path('bad.json'), bad);
    await writeFile(folder.path('other.json'), '{"name":"other"}');
  });
  after(async () => {
    await served.dispose();
    await folder.remove();
  });

  it('says the same of an endpoint and of its state, by place, severity and code', async () => {
    const file = folder.path('bad.json');
    for (const from of [
      ['--endpoint', served.baseUrl],
      ['--state', state],
    ]) {
      const { out, error, code } = await run('check', file, ...from, '--format', 'json');
      assert.equal(error, '');
      const { drafts } = JSON.parse(out);
      assert.deepEqual([drafts.length, drafts[0].file], [1, file]);
      const found: readonly Readonly<Record<string, unknown>>[] = drafts[0].findings;
      const brief = found.map(({ line, column, severity, code, message }) => {
        assert.ok(typeof message === 'string' && message.length > 20);
        return `${line}:${column} ${severity} ${code}`;
      });
      assert.deepEqual(brief, [
        '1:1 error json-form',
        '6:4 error params-incomplete',
        '14:13 warning upgrade-open',
        '16:15 error upgrade-height-past',
      ]);
      assert.equal(code, 1);
    }
  });

  it('prints for people what was found, against what, and what was not checked', async () => {
    const args = ['check', folder.path('good.json'), folder.path('bad.json'), '--state', state];
    const ended = await run(...args);
    assert.deepEqual(await spawned(...args), ended);
    const { out, code } = ended;
    const height = /checked against chain-inspector-1 at height (\d+): 0 errors, 0 warnings, 0 hints/.exec(out)?.[1];
    assert.ok(height, out);
    assert.match(
      out,
      /bad\.json:6:4: error: 4 parameters are missing.*unbonding_time \(currently 21 days\).*\(params-incomplete\)/,
    );
    assert.match(out, /bad\.json: checked against .*: 3 errors, 1 warning, 0 hints/);
    assert.match(out, /bad\.json: Not checked: .*upgrade names/);
    assert.equal(code, 1);
  });

  it('exits with 0 without errors, and with 2 where a file or the chain cannot be checked', async () => {
    const ends = async (...args: readonly string[]) => {
      const { code, error } = await run('check', ...args);
      return [code, error.trim()];
    };
    assert.deepEqual(await ends(folder.path('good.json'), '--state', state), [0, '']);
    const [both] = await ends(folder.path('bad.json'), folder.path('other.json'), '--state', state);
    assert.equal(both, 1, 'errors are found, whatever else could not be checked');
    const [other, reason] = await ends(folder.path('good.json'), folder.path('other.json'), '--state', state);
    assert.equal(other, 2);
    assert.match(String(reason), /^\S*other\.json is not a proposal draft/);
    assert.match(String((await ends(folder.path('none.json'), '--state', state))[1]), /Cannot read .*none\.json/);
    const [gone, why] = await ends(folder.path('good.json'), '--endpoint', 'http://127.0.0.1:1');
    assert.equal(gone, 2);
    assert.match(String(why), /127\.0\.0\.1:1/);
    assert.equal((await ends(folder.path('good.json'), '--state', folder.path('none.json')))[0], 2);
  });

  it('exits with 2 for a draft that is too large, and says no count of errors', async () => {
    await writeFile(folder.path('large.json'), good.replace('"A title"', JSON.stringify('x'.repeat(2_100_000))));
    const { out, code } = await run('check', folder.path('large.json'), '--state', state);
    assert.match(out, /large\.json: not checked/);
    assert.doesNotMatch(out, /0 errors/);
    assert.equal(code, 2);
  });

  it('holds a draft_proposal.json against the draft_metadata.json beside it', async () => {
    await mkdir(folder.path('beside'));
    await writeFile(folder.path('beside/draft_metadata.json'), '\ufeff{"title":"Another"}');
    await copyFile(folder.path('good.json'), folder.path('beside/draft_proposal.json'));
    const { out, code } = await run('check', folder.path('beside/draft_proposal.json'), '--state', state);
    assert.match(out, /: warning: draft_metadata\.json, next to this draft, has a different title: "Another"/);
    assert.equal(code, 0);
  });

  it('exits with 64 and the usage where the command line is wrong', async () => {
    const file = folder.path('good.json');
    for (const args of [
      ['check'],
      ['check', file],
      ['check', '--state', state],
      ['check', file, '--state', state, '--endpoint', served.baseUrl],
      ['check', file, '--state', state, '--format', 'xml'],
      ['check', file, '--state', state, '--unknown'],
      ['checks', file],
      [],
    ]) {
      const { code, error } = await run(...args);
      assert.equal(code, 64, args.join(' '));
      assert.match(error, /Usage: chain-inspector/);
    }
    assert.match((await run('check', file)).error, /^Use one --endpoint or one --state, such as --state sample\.\n/);
    const help = await run('check', '--help');
    assert.deepEqual([help.code, help.error], [0, '']);
    assert.match(help.out, /Exit codes: 0 no errors/);
  });
});

describe('the service, asked by the checks of drafts', () => {
  it('answers the community pool and the accounts of modules of a state', async () => {
    const served = await serveFile({ file: state });
    try {
      await served.ready;
      const get = async (path: string): Promise<unknown> => (await fetch(`${served.baseUrl}/cosmos/${path}`)).json();
      assert.deepEqual(await get('distribution/v1beta1/community_pool'), {
        pool: JSON.parse(gunzipSync(readFileSync(state)).toString()).app_state.distribution.fee_pool.community_pool,
      });
      const names = { gov: 'gov', distribution: 'distribution', notBonded: 'not_bonded_tokens_pool' } as const;
      const { accounts } = Object(await get('auth/v1beta1/module_accounts'));
      for (const [key, address] of Object.entries(moduleAddresses)) {
        const [, name] = Object.entries(names).find(([one]) => one === key) ?? [];
        const account = accounts.find((one: { readonly name: string }) => one.name === name);
        assert.equal(account?.base_account.address, address, name);
      }
    } finally {
      await served.dispose();
    }
  });
});
