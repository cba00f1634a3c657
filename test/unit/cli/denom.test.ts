import assert from 'node:assert/strict';
import { runHere } from './runHere.ts';

const denom = 'ibc/14F9BC3E44B8A9C1BE1FB08980FAB87034C9905EF17CF2F5008FC085218811CC';

describe('chain-inspector denom', () => {
  it('says what a denom stands for', async () => {
    const { out, code } = await runHere(['denom', denom]);
    assert.equal(
      out,
      `Denom       ${denom}\nPath        transfer/channel-141\nBase denom  uosmo\nOn Cosmos Hub, from Osmosis\n`,
    );
    assert.equal(code, 0);
  });

  it('says the denom of a path, also of one that the registry does not list', async () => {
    assert.match((await runHere(['denom', 'transfer/channel-141/uosmo'])).out, new RegExp(denom));
    assert.deepEqual(JSON.parse((await runHere(['denom', 'transfer/channel-9999/none', '--json'])).out), {
      denom: 'ibc/3489DB1BFBE2C116769E9F43687AFCEECE970EAAD20931166976E6420D2C54D2',
      path: 'transfer/channel-9999',
      base: 'none',
      chains: [],
    });
  });

  it('says who knows a path that it does not know', async () => {
    const { error, code } = await runHere(['denom', `ibc/${'0'.repeat(64)}`]);
    assert.match(error, /no path for ibc\/0{64}\. To query a node on the chain, run: chain-inspector supply/);
    assert.equal(code, 1);
  });

  it('refuses what is neither', async () => {
    for (const text of ['uatom', 'ibc/12', '\u001b[31m']) assert.equal((await runHere(['denom', text])).code, 64, text);
  });
});
