import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { type TablesExport, writeStateTables } from '../../../src/service/tables/exportTables.ts';
import type { Manifest } from '../../../src/service/tables/tableFolder.ts';
import { type TableName, tableNames } from '../../../src/service/tables/tables.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { versions } from '../../node/build.ts';
import { stateFileOf } from '../../node/recording.ts';
import { sampleFile } from '../../support/folders.ts';
import { runProcess } from '../../support/processes.ts';
import { runs } from '../../support/random.ts';
import { program } from '../cli/runHere.ts';
import { writeLargeState } from './largeState.ts';
import { serveFile, temporaryFolder } from './serveText.ts';
import { smallState, textProposal, v1Proposal, voterAddress } from './smallState.ts';

type Row = Readonly<Record<string, unknown>>;

const data = chainData();
const recorded = data ? data.list('states').map((name) => data.path(`states/${name}`)) : [];
// The oldest and the newest, and all of them in `npm run test:full`.
const released = versions.filter((_, at) => at % runs(versions.length - 1, 1) === 0);
const states = [sampleFile, ...released.map(stateFileOf), ...recorded];
describe('the tables of a state', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const to = (name = 'out') => folder.path(name);
  const rows = async (name: TableName, at = to()): Promise<Row[]> =>
    parquetReadObjects({ file: await asyncBufferFromFile(join(at, `${name}.parquet`)), parsers });
  const lines = (name: TableName, at = to()): Row[] =>
    readFileSync(join(at, `${name}.ndjson`), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  async function exported(state: unknown, job: Partial<TablesExport> = {}): Promise<Manifest> {
    const file = folder.path('state.json');
    writeFileSync(file, typeof state === 'string' ? state : JSON.stringify(state));
    return writeStateTables({ file, folder: to(), format: 'parquet', ...job });
  }

  /** Compares the tables in the folder with the answers of the service over the same file. */
  async function compareWithService(file: string): Promise<void> {
    const served = await serveFile(file);
    // The service refuses a module that the state lacks; its tables are empty.
    const list = async (path: string, name: string): Promise<Row[]> => {
      const { status, body } = await served.ask(`${path}?pagination.limit=100000`);
      if (status === 200) return Object(body)[name];
      assert.match(`${status} ${Object(body).message}`, /^501 \w+ is not in this state$/, path);
      return [];
    };
    try {
      assert.deepEqual(await rows('supply'), await list('bank/v1beta1/supply', 'supply'));
      const validators = await list('staking/v1beta1/validators', 'validators');
      const operators = async () => (await rows('validators')).map((row) => row.operator_address);
      assert.deepEqual(
        await operators(),
        validators.map((row) => row.operator_address),
      );
      const proposals = await list('gov/v1/proposals', 'proposals');
      assert.deepEqual(
        (await rows('proposals')).map((row) => String(row.proposal_id)),
        proposals.map(({ id }) => id),
      );
      const [votes, deposits] = [await rows('votes'), await rows('deposits')];
      for (const { id } of proposals) {
        const own = (all: readonly Row[]) => all.filter((row) => String(row.proposal_id) === id);
        const [voted, deposited] = [
          await list(`gov/v1/proposals/${id}/votes`, 'votes'),
          await list(`gov/v1/proposals/${id}/deposits`, 'deposits'),
        ];
        const options = voted.flatMap(({ voter, options }) => Object(options).map((one: Row) => ({ voter, ...one })));
        assert.deepEqual(
          own(votes).map(({ voter, option, weight }) => ({ voter, option, weight })),
          options,
        );
        assert.deepEqual(sums(own(deposits)), sums(deposited.flatMap(({ amount }) => Object(amount))));
      }
    } finally {
      await served.stop();
    }
  }

  for (const file of states)
    it(`of ${file.split('/').at(-1)} hold what the service answers, as Parquet and as NDJSON`, async () => {
      const manifest = await writeStateTables({ file, folder: to(), format: 'parquet' });
      assert.deepEqual(await writeStateTables({ file, folder: to('lines'), format: 'ndjson' }), renamed(manifest));
      assert.deepEqual(JSON.parse(readFileSync(join(to(), 'manifest.json'), 'utf8')), manifest);
      assert.deepEqual(
        readdirSync(to()).sort(),
        [...tableNames.map((name) => `${name}.parquet`), 'manifest.json'].sort(),
      );
      const bytes = readFileSync(file);
      assert.equal(manifest.source.size, bytes.length);
      assert.equal(manifest.source.sha256, createHash('sha256').update(bytes).digest('hex'));
      for (const name of tableNames) {
        const found = await rows(name);
        assert.deepEqual([found.length, 0], [manifest.tables[name]?.rows, manifest.tables[name]?.faults], name);
        assert.deepEqual(found.map(asLine), lines(name, to('lines')), name);
      }
      const balances = await rows('balances');
      // Some of the recorded states were cut down to other lists.
      if (balances.length > 0 || !recorded.includes(file)) assert.deepEqual(sums(balances), sums(await rows('supply')));
      await compareWithService(file);
    });

  it('are opened by DuckDB, where it is installed', async function () {
    const query = (sql: string) => runProcess('duckdb', ['-csv', '-noheader', '-c', sql], { cwd: to() });
    await writeStateTables({ file: sampleFile, folder: to(), format: 'parquet' });
    if (!process.env.TEST_FULL || (await query('select 1').catch(() => undefined)) === undefined) {
      console.log('skipped: no TEST_FULL, or no duckdb');
      this.skip();
    }
    // More digits than an integer of 128 bits has.
    const small = "where denom in (select denom from 'supply.parquet' where length(amount) < 38)";
    const summed = `select denom, sum(cast(amount as hugeint)) from 'balances.parquet' ${small} group by denom`;
    const supply = `select denom, cast(amount as hugeint) from 'supply.parquet' ${small}`;
    assert.equal((await query(`select count(*) from ((${summed}) except (${supply}))`)).trim(), '0');
    for (const name of tableNames)
      assert.equal(
        (await query(`select count(*) from '${name}.parquet'`)).trim(),
        String((await rows(name)).length),
        name,
      );
  });

  it('are the same from a gzip file, and only those that are asked for', async () => {
    const file = folder.path('state.json.gz');
    writeFileSync(file, gzipSync(JSON.stringify(smallState())));
    const manifest = await writeStateTables({ file, folder: to(), format: 'ndjson', tables: ['supply', 'votes'] });
    assert.deepEqual(Object.keys(manifest.tables), ['supply', 'votes']);
    assert.deepEqual(readdirSync(to()).sort(), ['manifest.json', 'supply.ndjson', 'votes.ndjson']);
    assert.equal(manifest.tables.supply?.rows, 8);
    assert.deepEqual([manifest.chain_id, manifest.height], ['small-1', '1233']);
    assert.equal(manifest.source.sha256, createHash('sha256').update(readFileSync(file)).digest('hex'));
  });

  it('hold times in microseconds, with the text beside them where it says more', async () => {
    await exported(smallState(), { format: 'ndjson' });
    const proposal = lines('proposals').find(({ proposal_id }) => proposal_id === 1000);
    assert.deepEqual(
      ['submit_time', 'submit_time_text', 'voting_start_time', 'voting_end_time', 'voting_end_time_text'].map(
        (name) => proposal?.[name],
      ),
      [
        '2024-01-01T00:00:00.000000Z',
        null,
        '2024-01-02T00:00:00.500000Z',
        '2024-01-09T00:00:00.123456Z',
        '2024-01-09T00:00:00.123456789Z',
      ],
    );
    const unset = lines('proposals').find(({ proposal_id }) => proposal_id === 992);
    assert.deepEqual([unset?.voting_end_time, unset?.voting_end_time_text], [null, null]);
  });

  it('hold both forms of proposals, each message in a row', async () => {
    const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', amount: [] };
    const proposals = [textProposal(1, 'PASSED'), v1Proposal(2, [send, send]), v1Proposal(3, [])];
    await exported({ app_state: { gov: { proposals } } });
    const found = await rows('proposals');
    assert.deepEqual(
      found.map(({ title, summary, yes, expedited }) => ({ title, summary, yes, expedited })),
      [
        { title: 'Title 1', summary: 'Words "quoted" \\ <b>', yes: '10', expedited: null },
        { title: 'Title 2', summary: 'In short', yes: '1', expedited: false },
        { title: 'Title 3', summary: 'In short', yes: '1', expedited: false },
      ],
    );
    const messages = await rows('proposal_messages');
    assert.deepEqual(
      messages.map(({ proposal_id, position, type_url }) => [proposal_id, position, type_url]),
      [
        [1n, 0n, '/cosmos.gov.v1beta1.TextProposal'],
        [2n, 0n, '/cosmos.bank.v1beta1.MsgSend'],
        [2n, 1n, '/cosmos.bank.v1beta1.MsgSend'],
      ],
    );
    assert.deepEqual(JSON.parse(String(messages[1]?.content)), send);
  });

  it('are read from the amino forms of before SDK 0.40', async () => {
    const coins = [{ denom: 'utest', amount: '5' }];
    const account = { type: 'cosmos-sdk/Account', value: { address: voterAddress, coins } };
    await exported({
      app_state: {
        auth: { accounts: [account] },
        supply: { supply: coins },
        gov: {
          proposals: [
            { content: { type: 'gov/TextProposal', value: { title: 'T' } }, id: '4', proposal_status: 'VotingPeriod' },
          ],
          votes: [{ proposal_id: '4', voter: voterAddress, option: 'Yes' }],
          deposits: [{ proposal_id: '4', deposit: { depositor: voterAddress, amount: coins } }],
        },
        staking: {
          exported: true,
          validators: [
            { operator_address: 'x', status: 2, tokens: '5', delegator_shares: '5.0', commission: { rate: '0.1' } },
          ],
          delegations: [{ delegator_address: voterAddress, validator_address: 'x', shares: '5.0' }],
        },
      },
    });
    assert.deepEqual(await rows('balances'), [{ address: voterAddress, denom: 'utest', amount: '5' }]);
    assert.deepEqual(await rows('supply'), coins);
    const [proposal, vote, deposit, validator, delegation] = await Promise.all(
      (['proposals', 'votes', 'deposits', 'validators', 'delegations'] as const).map(
        async (name) => (await rows(name))[0],
      ),
    );
    assert.deepEqual(
      [proposal?.proposal_id, proposal?.status, proposal?.title],
      [4n, 'PROPOSAL_STATUS_VOTING_PERIOD', 'T'],
    );
    assert.deepEqual([vote?.option, vote?.weight], ['VOTE_OPTION_YES', '1.000000000000000000']);
    assert.deepEqual([deposit?.depositor, deposit?.amount], [voterAddress, '5']);
    assert.deepEqual([validator?.status, validator?.commission_rate], ['BOND_STATUS_BONDED', '0.1']);
    assert.equal(delegation?.shares, '5.0');
  });

  /** The first fault of each table of that state. */
  const firstFaults: Readonly<Partial<Record<TableName, RegExp>>> = {
    supply: /^Expected a string of digits, found "x" \(byte \d+ at app_state\.bank\.supply\[8\]\.amount\)$/,
    balances:
      /^Expected a string of digits, found "-1" \(byte \d+ at app_state\.bank\.balances\[1\]\.coins\[0\]\.amount\)$/,
    deposits: /^Expected a list, found a number at deposits\.amount$/,
    votes: /^Expected a string, found nothing \(byte \d+ at app_state\.gov\.votes\[3\]\.voter\)$/,
    delegations: /^Expected a decimal number \(byte \d+ at app_state\.staking\.delegations\[2\]\.shares\)$/,
    validators: /^Expected a string of digits, found "y" \(byte \d+ at app_state\.staking\.validators\[2\]\.tokens\)$/,
    proposals: /^Expected a string of digits, found "z" \(byte \d+ at app_state\.gov\.proposals\[6\]\.proposal_id\)$/,
    unbonding_delegations:
      /^Expected a whole number of at most 63 bits \(byte \d+ at app_state\.staking\.unbonding_delegations\[1\]\)$/,
  };

  /** A small state with a row in each list that cannot be read. */
  function faultyState(): object {
    const { app_state, ...header } = smallState();
    const { bank, gov, staking } = app_state;
    const coin = { denom: 'uatom', amount: '1' };
    return {
      ...header,
      app_state: {
        ...app_state,
        bank: {
          ...bank,
          supply: [...bank.supply, { denom: 'ubad', amount: 'x' }],
          balances: [...bank.balances, { address: voterAddress, coins: [{ ...coin, amount: '-1' }, coin] }],
        },
        gov: {
          ...gov,
          deposits: [...gov.deposits, { proposal_id: '7', depositor: voterAddress, amount: 5 }],
          votes: [...gov.votes, { proposal_id: '7' }],
          proposals: [...gov.proposals, { ...gov.proposals[0], proposal_id: 'z' }],
        },
        staking: {
          ...staking,
          delegations: [...staking.delegations, { ...staking.delegations[0], shares: 'x' }],
          validators: [...staking.validators, { ...staking.validators[0], tokens: 'y' }],
          unbonding_delegations: [
            ...staking.unbonding_delegations,
            { entries: [{ balance: '1', creation_height: 'x' }] },
          ],
        },
      },
    };
  }

  it('leave out what cannot be read, count it, and name the first', async () => {
    const good = await exported(smallState());
    const manifest = await exported(faultyState(), { force: true });
    for (const name of tableNames) {
      const { rows: count, faults, first_fault } = manifest.tables[name] ?? { rows: 0, faults: 0 };
      const beside = { proposal_messages: firstFaults.proposals, supply_split: firstFaults.balances };
      const reason = { ...firstFaults, ...beside }[name];
      assert.equal(faults, reason ? 1 : 0, `${name}: ${first_fault}`);
      if (reason) assert.match(first_fault ?? '', reason);
      const more = name === 'balances' || name === 'supply' ? 1 : 0;
      assert.equal(count, (good.tables[name]?.rows ?? 0) + more, name);
      assert.equal((await rows(name)).length, count, name);
    }
  });

  it('take a folder that holds nothing, or replace what an export wrote there', async () => {
    await exported(smallState());
    writeFileSync(join(to(), 'note.txt'), 'mine');
    await assert.rejects(
      exported(smallState()),
      /is not empty\. Choose another folder, or use --force to replace its tables$/,
    );
    assert.equal((await rows('supply')).length, 8);
    await exported({ app_state: { bank: { supply: [] } } }, { force: true, format: 'ndjson', tables: ['supply'] });
    assert.deepEqual(readdirSync(to()).sort(), ['manifest.json', 'note.txt', 'supply.ndjson']);
  });

  it('are not written where the state cannot be read, and an export before stays', async () => {
    await exported(smallState());
    const before = readdirSync(to());
    await assert.rejects(
      exported('{"app_state":{"bank":{"supply":[', { force: true }),
      /^Error: Cannot read .*The JSON is cut off/,
    );
    await assert.rejects(exported({ app_state: 5 }, { force: true }), /Expected an object .* at app_state/);
    assert.deepEqual(readdirSync(to()), before);
  });

  it('are whole but for a module that cannot be read', async () => {
    const { app_state, ...header } = smallState();
    const good = await exported(smallState());
    const ofGov: readonly TableName[] = ['proposals', 'proposal_messages', 'deposits', 'votes'];
    const ofBank: readonly TableName[] = ['supply', 'supply_split', 'denom_metadata', 'balances'];
    for (const [modules, lost] of [
      [{ gov: { ...app_state.gov, votes: 5 } }, ofGov],
      [{ bank: { ...app_state.bank, supply: 'x' } }, ofBank],
      [{ staking: 7 }, ['delegations', 'unbonding_delegations', 'validators']],
    ] as const) {
      const manifest = await exported({ ...header, app_state: { ...app_state, ...modules } }, { force: true });
      const [module = ''] = Object.keys(modules);
      assert.match(manifest.notices[0] ?? '', new RegExp(`^Cannot read the ${module} module: Expected an? `));
      for (const name of tableNames) {
        const table = manifest.tables[name];
        const isLost = lost.some((one) => one === name);
        assert.equal(table?.faults, isLost ? 1 : 0, `${module}: ${name}`);
        if (isLost) assert.match(table?.first_fault ?? '', new RegExp(`at app_state\\.${module}`));
        else if (name !== 'params') assert.equal(table?.rows, good.tables[name]?.rows, `${module}: ${name}`);
      }
    }
  });

  it('have the durations of params as nodes write them', async () => {
    const { app_state, ...header } = smallState();
    const staking = { ...app_state.staking, params: { unbonding_time: '1814400000000000', bond_denom: 'stake' } };
    const slashing = { params: { downtime_jail_duration: '600000000000', signed_blocks_window: '10000000' } };
    const oracle = { params: { vote_period: '5000000' } };
    const evidence = { max_age_duration: '172800000000000', max_age_num_blocks: '100000' };
    const state = { ...app_state, staking, slashing, oracle };
    await exported({ ...header, consensus_params: { evidence }, app_state: state });
    const found = Object.fromEntries(
      (await rows('params')).map(({ module, name, value }) => [`${module}.${name}`, JSON.parse(String(value))]),
    );
    assert.equal(found['staking.unbonding_time'], '1814400s');
    assert.equal(found['slashing.downtime_jail_duration'], '600s');
    assert.equal(found['slashing.signed_blocks_window'], '10000000');
    assert.equal(found['oracle.vote_period'], '5000000');
    assert.deepEqual(found['gov.voting_params'], { voting_period: '1209600s' });
    assert.deepEqual(found['consensus.evidence'], { ...evidence, max_age_duration: '172800s' });
  });

  describe('of a large state', () => {
    let file: string;
    let large: Awaited<ReturnType<typeof temporaryFolder>>;
    let supply: ReadonlyMap<string, bigint>;
    before(async () => {
      large = await temporaryFolder();
      file = large.path('large.json');
      supply = await writeLargeState(file, 12);
    });
    after(() => large.remove());

    it('add up to its supply, over several row groups', async () => {
      const manifest = await writeStateTables({ file, folder: to(), format: 'parquet', tables: ['balances'] });
      assert.ok((manifest.tables.balances?.rows ?? 0) > 50_000);
      assert.deepEqual(sums(await rows('balances')), new Map([...supply].filter(([, sum]) => sum > 0n)));
    });

    it('leave nothing when the export is cancelled', async () => {
      const stopping = new AbortController();
      const running = writeStateTables(
        { file, folder: to(), format: 'parquet' },
        { signal: stopping.signal, onProgress: (bytes) => bytes > 5_000_000 && stopping.abort() },
      );
      await assert.rejects(running, { name: 'AbortError' });
      assert.equal(existsSync(to()), false);
    });

    for (const format of ['parquet', 'ndjson'] as const)
      it(`leave nothing when the disk is full (${format})`, async function () {
        if (process.platform === 'win32') this.skip();
        const script = 'ulimit -f 512; "$@" 2>&1; echo "code $?"';
        const printed = await runProcess('sh', [
          '-c',
          script,
          'sh',
          process.execPath,
          program,
          'export',
          file,
          '--to',
          to(),
          '--format',
          format,
        ]);
        assert.match(printed, /^Cannot write \S*balances\.\w+: the file is too large for this disk\ncode 1\n$/);
        assert.equal(existsSync(to()), false);
      });

    it('have no file that looks whole when the process is killed', async () => {
      const child = spawn(process.execPath, [program, 'export', file, '--to', to()], { stdio: 'ignore' });
      const exited = once(child, 'exit');
      while (!existsSync(join(to(), '.chain-inspector.tmp', 'balances.parquet')))
        await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await exited;
      assert.deepEqual(readdirSync(to()), ['.chain-inspector.tmp']);
      const manifest = await writeStateTables({ file, folder: to(), format: 'parquet' });
      assert.deepEqual(
        readdirSync(to()).sort(),
        ['manifest.json', ...Object.values(manifest.tables).map((table) => table.file)].sort(),
      );
    });
  });

  it('are written by the command line, with a line for each, or a sentence why not', async () => {
    const run = async (...args: readonly string[]) => {
      const child = spawn(process.execPath, [program, 'export', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      return { out, error, code };
    };
    const [done, help, ...refused] = await Promise.all([
      run(sampleFile, '--to', to(), '--tables', 'supply,votes'),
      run('--help'),
      run(sampleFile),
      run('--to', to('a')),
      run(sampleFile, '--to', to('b'), '--tables', 'supply,coins'),
      run(sampleFile, '--to', to('c'), '--format', 'csv'),
      run(folder.path('missing.json'), '--to', to('d')),
    ]);
    assert.deepEqual(done, { out: 'supply.parquet: 183 rows\nvotes.parquet: 162 rows\n', error: '', code: 0 });
    assert.equal(help?.code, 0);
    assert.match(help?.out ?? '', /^Usage: chain-inspector export STATE --to DIR /);
    for (const name of tableNames) assert.match(help?.out ?? '', new RegExp(` ${name}(,|$)`, 'm'));
    const usage =
      /\nUsage: chain-inspector export STATE --to DIR .*\nFor help, run "chain-inspector export --help"\.\n$/;
    const sentences = [
      /^Expected --to DIR\.$/,
      /^Expected one STATE\.$/,
      /no table "coins"\.$/,
      /expected one of parquet, ndjson\.$/,
      /the file does not exist\n$/,
    ];
    for (const [index, { out, error, code }] of refused.entries()) {
      assert.deepEqual([out, code, usage.test(error)], index < 4 ? ['', 64, true] : ['', 1, false], error);
      assert.match(error.replace(usage, ''), sentences[index] ?? /never/);
    }
  });

  it('are whole though what reads the lines of the command ends first', async () => {
    const args = [program, 'export', sampleFile, '--to', to(), '--tables', 'supply'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.deepEqual([error, code], ['', 0]);
    assert.deepEqual(readdirSync(to()).sort(), ['manifest.json', 'supply.parquet']);
  });
});

/** The manifest of the same export as NDJSON. */
function renamed(manifest: Manifest): Manifest {
  return JSON.parse(JSON.stringify(manifest).replaceAll('.parquet"', '.ndjson"'));
}

/** Timestamps as they are stored: the library makes milliseconds of them. */
const parsers = { timestampFromMicroseconds: (micros: bigint) => micros };

/** A row of Parquet as NDJSON has it. */
function asLine(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    if (typeof value !== 'bigint') return [name, value];
    if (!name.endsWith('_time')) return [name, Number(value)];
    const micros = String(value % 1000n).padStart(3, '0');
    return [name, new Date(Number(value / 1000n)).toISOString().replace('Z', `${micros}Z`)];
  });
  return Object.fromEntries(entries);
}

/** Amounts by denom, without those of zero. */
function sums(rows: readonly Row[]): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const { denom, amount } of rows) all.set(String(denom), (all.get(String(denom)) ?? 0n) + BigInt(String(amount)));
  return new Map([...all].filter(([, sum]) => sum > 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}
