import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { addressOf, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { readRecording, stateFileOf } from '../../node/recording.ts';
import { startReplay } from '../../node/replay.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { runProcess } from '../../support/processes.ts';
import { program, runHere } from './runHere.ts';

const sample = ['--state', sampleFile];

/** The rows of lines of tabs as objects. */
function rowsOf(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const names = header.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((cell, at) => [names[at] ?? '', cell])));
}

async function rows(...args: readonly string[]) {
  const { out, error, code } = await runHere([...args, ...sample, '--tsv']);
  assert.equal(code, 0, error);
  return { rows: rowsOf(out), error };
}

describe('the reads of the command line', () => {
  const folder = startFolder('reads');
  after(() => folder.dispose());
  const state = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;

  it('list every row with --all, and beside a part of them say that there are more', async () => {
    const all = await rows('supply', '--all');
    assert.equal(all.rows.length, state.bank.supply.length);
    assert.equal(all.error, '');
    const some = await rows('supply', '--limit', '201');
    const expected = Math.min(201, state.bank.supply.length);
    assert.equal(some.rows.length, expected);
    assert.match((await rows('supply')).error, /^20 of \d+ denoms\. For the next rows: --key '/);
  });

  it('hold descriptions and lists that are longer than an agent gets', async () => {
    const gov = { ...state.gov, proposals: [structuredClone(state.gov.proposals[0])] };
    const [proposal] = gov.proposals;
    const summary = 'a long word '.repeat(3000).trim();
    Object.assign(proposal, { title: 'long', summary });
    const file = join(folder.path, 'long.json');
    const whole = JSON.parse(readFileSync(sampleFile, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...whole, app_state: { ...state, gov } }));
    const { out } = await runHere(['proposal', proposal.id, '--state', file, '--json']);
    assert.equal(JSON.parse(out).untrusted_description, summary);
  });

  it('take the sample chain by its word, also beside another source', async () => {
    const named = await runHere(['params', 'gov', '--state', 'sample', '--tsv']);
    assert.deepEqual(named, await runHere(['params', 'gov', '--tsv']));
    const { out, code } = await runHere(['compare', 'sample', sampleFile, '--what', 'supply', '--json']);
    assert.deepEqual([code, JSON.parse(out).metadata.total], [0, 0]);
  });

  it('sort holders, parameters and differences', async () => {
    const columnOf = (found: Awaited<ReturnType<typeof rows>>, name: string) =>
      found.rows.map((row) => row[name] ?? '');
    const addresses = columnOf(await rows('holders', 'usample', '--sort', 'address'), 'address');
    assert.ok(addresses.length > 3);
    assert.deepEqual(addresses, addresses.toSorted());
    const names = columnOf(await rows('params', '--sort', 'parameter'), 'parameter');
    assert.deepEqual(
      names,
      names.toSorted((a, b) => a.localeCompare(b, 'en')),
    );
    const compared = ['compare', 'sample', stateFileOf('0.53.8'), '--what', 'supply', '--sort', 'difference'];
    const { out, error } = await runHere([...compared, '--limit', '5', '--tsv']);
    const sizesOf = (text: string) => rowsOf(text).map(({ difference = '' }) => BigInt(difference.replace('-', '')));
    const all = sizesOf((await runHere([...compared.slice(0, 5), '--all', '--tsv'])).out);
    assert.deepEqual(sizesOf(out), all.toSorted((a, b) => (a < b ? 1 : -1)).slice(0, 5));
    assert.match(error, /^5 of \d+ differences\. For all rows: --all$/m);
    assert.equal((await runHere([...compared, '--key', 'k'])).code, 64);
  });

  it('sort the supply by amount', async () => {
    const { rows: found } = await rows('supply', '--sort', 'amount', '--limit', '3');
    const amounts = state.bank.supply.map(({ amount }: { amount: string }) => BigInt(amount));
    const largest = amounts.toSorted((a: bigint, b: bigint) => (a < b ? 1 : -1)).slice(0, 3);
    assert.deepEqual(
      found.map(({ amount = '' }) => BigInt(amount)),
      largest,
    );
  });

  it('list all holders of a denom', async () => {
    const file = stateFileOf('0.53.8');
    const { bank } = JSON.parse(gunzipSync(readFileSync(file)).toString()).app_state;
    const held = bank.balances.flatMap(
      ({ address, coins }: { address: string; coins: { denom: string; amount: string }[] }) =>
        coins.filter(({ denom }) => denom === 'stake').map(({ amount }) => ({ address, amount })),
    );
    const { out } = await runHere(['holders', 'stake', '--all', '--tsv', '--state', file]);
    const found = rowsOf(out).map(({ address, amount }) => ({ address, amount }));
    const byAddress = (a: { address?: string }, b: { address?: string }) =>
      (a.address ?? '') < (b.address ?? '') ? -1 : 1;
    assert.ok(held.length > 10);
    assert.deepEqual(found.toSorted(byAddress), held.toSorted(byAddress));
  });

  it('list the holders of a denom of a node, without the requests of a split', async () => {
    const recording = readRecording('0.53.8');
    const node = await startReplay(recording);
    const { out, error, code } = await runHere(['holders', 'stake', '--endpoint', node.url, '--tsv']);
    await node.stop();
    assert.ok(code === 0 || /unknown/.test(`${out}${error}`), `${out}${error}`);
  });

  it('list the parameters of a module in the form of the chain, with what they mean', async () => {
    const { rows: found } = await rows('params', 'staking');
    const unbonding = found.find(({ parameter }) => parameter === 'unbonding_time');
    assert.equal(unbonding?.value, state.staking.params.unbonding_time);
    assert.match(unbonding?.meaning ?? '', /^\d+ s$/);
  });

  it('list the votes of validators and of named accounts, and exit with 1 where they are gone', async () => {
    const open = state.gov.proposals.find(({ status }: { status: string }) => status.includes('VOTING'));
    const { rows: found } = await rows('votes', open.id, '--all');
    const bonded = state.staking.validators.filter(({ status }: { status: string }) => status === 'BOND_STATUS_BONDED');
    assert.equal(found.length, bonded.length);
    const said = await runHere(['votes', open.id, '--all', ...sample]);
    const silent = found.filter(({ vote }) => vote === 'not voted').length;
    assert.deepEqual([silent > 0, said.out.match(/ has not voted /g)?.length], [true, silent]);
    const [voter] = found;
    const one = await rows('votes', open.id, '--of', voter?.voter ?? '');
    assert.equal(one.rows[0]?.vote, voter?.vote);
    const ended = state.gov.proposals.find(({ status }: { status: string }) => status.includes('PASSED'));
    const { out, code } = await runHere(['votes', ended.id, ...sample]);
    assert.deepEqual([code, /only while voting is open/.test(out)], [1, true]);
  });

  it('compare a node with itself at two heights', async () => {
    const node = await startCoinNode((height) => ({
      balances: new Map([[addressOf('a'), new Map([['uatom', BigInt(height)]])]]),
    }));
    const between = ['--height', '800', '--height', '900', '--what', 'supply', '--json'];
    const { out, code } = await runHere(['compare', node.url, ...between]);
    await node.stop();
    const { left, right, differences } = JSON.parse(out);
    assert.deepEqual([code, left.height, right.height, differences[0].difference], [0, '800', '900', '100']);
  });

  it('say what a comparison without differences did not compare', async () => {
    const { out } = await runHere(['compare', 'sample', sampleFile]);
    assert.match(out, /^Not compared: votes, tallies and deposits .*vesting of accounts\.$/m);
    assert.match(out, /^0 of 0 differences\./m);
  });

  it('compare two states, and say how many rows differ', async () => {
    const { out, code } = await runHere(['compare', sampleFile, stateFileOf('0.53.8'), '--all', '--tsv']);
    assert.equal(code, 0);
    const found = rowsOf(out);
    assert.ok(found.length > 232);
    assert.deepEqual(
      [...new Set(found.map(({ section }) => section))],
      ['supply', 'community_pool', 'proposals', 'validators', 'params'],
    );
  });

  it('take a state from stdin, packed or not, and leave nothing of it', async function () {
    if (process.platform === 'win32') this.skip();
    for (const file of [sampleFile, stateFileOf('0.53.8')]) {
      const line = `TMPDIR="$1" "$2" "$3" supply --state - -n 2 --json < "$4"; ls -A "$1"`;
      const out = await runProcess('sh', ['-c', line, 'sh', folder.path, process.execPath, program, file]);
      assert.match(out, /"source": "stdin",\n[\s\S]*"returned": 2/);
      assert.doesNotMatch(out, /^chain-inspector-/m);
    }
  });

  it('refuse to read stdin twice, and from a server', async () => {
    for (const args of [
      ['compare', '-', '-'],
      ['check', '-', '--state', '-'],
      ['mcp', '--state', '-'],
    ])
      assert.equal((await runHere(args)).code, 64, args.join(' '));
  });
});

describe('a wrong command line', () => {
  const cases: readonly (readonly [args: string, sentence: RegExp])[] = [
    ['propsals', /^Unknown command: propsals\. Did you mean proposals\?\n/],
    ['proposals --statsu voting', /^Unknown option '--statsu'\. Did you mean --status\?\n/],
    ['proposals --status votng', /^--status votng: expected one of .* Did you mean voting\?\n/],
    ['compare a.json', /^Expected LEFT and RIGHT, or LEFT and --height twice\.\n/],
    [
      'compare a.json --height 1 --height 2',
      /^A state file has only one height\. Use --height with the address of a node\.\n/,
    ],
    ['compare http://127.0.0.1:1 --height 1', /^Use --height twice, with LEFT alone\./],
    ['compare http://127.0.0.1:1 --height 1 --height 0', /^--height 0: expected a block height\.\n/],
    ['supply --endpoint http://127.0.0.1:1 --height 1 --height 2', /^Use --height only once\.\n/],
    ['completion tcsh', /^"tcsh" is not one of bash, zsh, fish, powershell\./],
    ['supply --json --tsv', /^Use either --json or --tsv\.\n/],
    ['supply --all --limit 3', /^Use either --all or --limit\.\n/],
    ['supply -z', /^Unknown option '-z'\.\n/],
    ['supply --state --json', /^--state needs a value\. /],
  ];
  for (const [line, sentence] of cases)
    it(`is told in three lines: ${line}`, async () => {
      const { out, error, code } = await runHere(line.split(' '));
      assert.deepEqual([out, code], ['', 64]);
      assert.match(error, sentence);
      assert.match(error, /\nUsage: chain-inspector .*\n.*--help"\.\n$/);
      assert.equal(error.split('\n').length, 4);
    });

  it('is none with short options, help and the version', async () => {
    assert.match((await runHere(['-h'])).out, /^Usage: chain-inspector COMMAND/);
    assert.equal((await runHere(['help', 'votes'])).out, (await runHere(['votes', '-h'])).out);
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
    assert.equal((await runHere(['--version'])).out, `${manifest.version}\n`);
    const short = await runHere(['supply', '-s', sampleFile, '-n', '1', '-j']);
    assert.equal(JSON.parse(short.out).metadata.returned, 1);
  });
});
