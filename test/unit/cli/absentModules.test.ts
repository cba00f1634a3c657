import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startFolder } from '../../support/folders.ts';
import { serveText } from '../service/serveText.ts';
import { smallState } from '../service/smallState.ts';
import { startToolHost } from '../tools/toolHost.ts';
import { runHere } from './runHere.ts';

const { app_state, ...header } = smallState();
const { gov: _gov, staking: _staking, ...others } = app_state;
const withoutBoth = { ...header, app_state: others };

describe('a module that a state lacks', () => {
  it('is not answered by the service, as by a node that does not know it', async () => {
    const served = await serveText(withoutBoth);
    try {
      for (const path of ['gov/v1/proposals', 'gov/v1beta1/proposals/1', 'staking/v1beta1/validators']) {
        const { status, body } = await served.ask(path);
        assert.deepEqual([status, Object(body).code], [501, 12], path);
        assert.match(Object(body).message, /^(gov|staking) is not in this state$/);
      }
      await served.get('bank/v1beta1/supply');
    } finally {
      await served.stop();
    }
  });

  it('is said to be not in this state on the command line, never an empty list', async () => {
    const folder = startFolder('absent');
    const file = join(folder.path, 'state.json');
    try {
      writeFileSync(file, JSON.stringify(withoutBoth));
      for (const [args, words] of [
        [['proposals'], 'This state does not include proposals'],
        [['proposal', '1'], 'This state does not include proposals'],
        [['validators'], 'This state does not include validators'],
      ] as const) {
        const { out, error, code } = await runHere([...args, '--state', file]);
        assert.deepEqual([out, code], ['', 1], error);
        assert.ok(error.includes(words), error);
      }
      assert.equal((await runHere(['supply', '--state', file])).code, 0);
    } finally {
      folder.dispose();
    }
  });

  it('is said to be not in this state to who asks for one proposal, as the panel does', async () => {
    const folder = startFolder('absentProposal');
    const file = join(folder.path, 'state.json');
    writeFileSync(file, JSON.stringify(withoutBoth));
    const { host, dispose } = startToolHost([pathToFileURL(file).href]);
    try {
      const [source] = host.sources;
      assert.ok(source);
      await host.sessions.use(source, async (session) => {
        const node = await session.node();
        await assert.rejects(node.proposal(1n), { message: 'This state does not include proposals' });
      });
    } finally {
      await dispose();
      folder.dispose();
    }
  });
});

describe('the supply of a state whose bank module lists no coins', () => {
  it('is said to be not in this state, and not to be 0', async () => {
    const folder = startFolder('absentCoins');
    const file = join(folder.path, 'state.json');
    try {
      writeFileSync(file, JSON.stringify({ ...header, app_state: { ...others, bank: { send_enabled: true } } }));
      for (const args of [['supply'], ['supply', 'uatom'], ['holders', 'uatom']]) {
        const { out, error, code } = await runHere([...args, '--state', file]);
        assert.deepEqual([out, code], ['', 1], error);
        assert.match(error, /^state\.json: Supply is not in this state\.$/m);
      }
    } finally {
      folder.dispose();
    }
  });
});

describe('the supply of a state without a bank module', () => {
  const { bank: _bank, ...rest } = app_state;
  const withoutBank = { ...header, app_state: rest };

  it('is not answered by the service, as by a node that does not know the module', async () => {
    const served = await serveText(withoutBank);
    try {
      for (const path of [
        'bank/v1beta1/supply',
        'bank/v1beta1/supply/by_denom?denom=ua',
        'bank/v1beta1/denoms_metadata',
      ]) {
        const { status, body } = await served.ask(path);
        assert.deepEqual([status, Object(body).message], [501, 'bank is not in this state'], path);
      }
      await served.get('gov/v1/proposals');
    } finally {
      await served.stop();
    }
  });

  it('is said to be not in this state on the command line, and its proposals are listed', async () => {
    const folder = startFolder('absentBank');
    const file = join(folder.path, 'state.json');
    try {
      writeFileSync(file, JSON.stringify(withoutBank));
      const supply = await runHere(['supply', '--state', file]);
      assert.deepEqual([supply.out, supply.code], ['', 1], supply.error);
      assert.match(supply.error, /^state\.json: Bank is not in this state\.$/m);
      const proposals = await runHere(['proposals', '--state', file]);
      assert.equal(proposals.code, 0, proposals.error);
    } finally {
      folder.dispose();
    }
  });
});
