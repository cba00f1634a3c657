import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { exportStateTables, startService } from '../../../src/service/service.ts';
import { type ReaderMessage, runReader } from '../../../src/service/stateFile.ts';
import { buffersOf } from '../../../src/service/table.ts';
import { slowness } from '../growth.ts';
import { type Served, serveText, temporaryFolder } from './serveText.ts';

const megabyte = 1024 * 1024;
const proposal = (id: number, size: number) => {
  const message = `{"@type":"/a.B","text":"${'x'.repeat(size)}"}`;
  return `{"id":"${id}","status":"PROPOSAL_STATUS_PASSED","messages":[${message}]}`;
};
/** Packed: a state of proposals of `size` bytes. */
const stateOf = (count: number, size: number) =>
  gzipSync(
    `{"app_state":{"gov":{"proposals":[${Array.from({ length: count }, (_, at) => proposal(at + 1, size)).join(',')}]}}}`,
    { level: 1 },
  );

describe('proposals of megabytes', () => {
  let served: Served;
  before(async () => {
    served = await serveText(stateOf(20, 7 * megabyte));
    // A request waits for half a minute only.
    await served.service.ready;
  });
  after(() => served.stop());

  it('are refused by the page and answered one by one', async () => {
    const { ask } = served;
    const page = await ask('gov/v1/proposals');
    assert.equal(page.status, 429);
    assert.equal(Object(page.body).code, 8);
    assert.match(Object(page.body).message, /^received message larger than max \(\d+ vs\. 31457280\)$/);
    assert.equal(Object((await ask('gov/v1/proposals?pagination.limit=4')).body).proposals.length, 4);
    assert.equal(Object((await ask('gov/v1/proposals/8')).body).proposal.id, '8');
  });

  it('are kept as far as 128 MiB, and the others are named', async () => {
    const { ask, service } = served;
    assert.match(
      service.notices.join('\n'),
      /Earlier proposals already take up 128 MiB \(.*gov\.proposals\[18\]\), and 1 more/,
    );
    assert.equal((await ask('gov/v1/proposals/18')).status, 200);
    assert.equal((await ask('gov/v1/proposals/19')).status, 404);
  });
});

describe('proposals of many values', () => {
  const stateWith = (proposals: readonly string[]) =>
    gzipSync(`{"app_state":{"gov":{"proposals":[${proposals.join(',')}]}}}`, { level: 1 });

  it('are not parsed once there is no place for them', async () => {
    // Broken JSON ends the reading as soon as it is parsed.
    const broken = `{"id":"20","status":1,"messages":[{"a":tru,"b":"${'x'.repeat(7 * megabyte)}"}]}`;
    const before = Array.from({ length: 19 }, (_, at) => proposal(at + 1, 7 * megabyte));
    const { ask, service, stop } = await serveText(stateWith([...before, broken, proposal(21, 10)]));
    await service.ready;
    assert.match(service.notices.join('\n'), /128 MiB \(.*gov\.proposals\[18\]\), and 1 more/);
    assert.equal((await ask('gov/v1/proposals/21')).status, 200);
    await stop();
  });

  it('lose the field that has more of them than a reply may have', async () => {
    const objects = (count: number) => `[${Array(count).fill('{}').join(',')}]`;
    const lists = `[${Array(101).fill(objects(10_000)).join(',')}]`;
    const texts = `[${Array(10_000).fill('"[,{\\"[,"').join(',')}]`;
    const rows = [objects(10_000), objects(10_001), lists, texts].map(
      (messages, at) => `{"id":"${at + 1}","messages":${messages}}`,
    );
    const { ask, service, stop } = await serveText(stateWith(rows));
    await service.ready;
    const read = async (id: number) => Object((await ask(`gov/v1/proposals/${id}`)).body).proposal.messages;
    assert.deepEqual([(await read(1)).length, (await read(4)).length], [10_000, 10_000]);
    assert.deepEqual([await read(2), await read(3)], ['More than 10000 members', 'More than 1000000 values']);
    assert.match(
      service.notices.join('\n'),
      /More than 10000 members \(byte .*gov\.proposals\[1\]\.messages\), and 1 more/,
    );
    await stop();
  });
});

describe('a module account with a name of a megabyte', () => {
  const address = `cosmos1${'a'.repeat(38)}`;
  const account = {
    '@type': '/cosmos.auth.v1beta1.ModuleAccount',
    base_account: { address },
    name: 'n'.repeat(megabyte),
  };
  const coins = Array.from({ length: 6000 }, (_, at) => ({ denom: `u${at}`, amount: '1' }));
  const app_state = { auth: { accounts: [account] }, bank: { balances: [{ address, coins }] } };
  const cut = /^n{133}…n{66}$/;

  it('is shown with 200 characters in each denom', async () => {
    const { ask, service, stop } = await serveText({ app_state }, { maxHeap: 64 });
    await service.ready;
    const { body } = await ask('inspector/v1/supply_split?denom=u5999');
    assert.match(Object(body).split.classes[0].name, cut);
    const { body: largest } = await ask('inspector/v1/largest_holders?denom=u5999');
    assert.match(Object(largest).holders[0].name, cut);
    await stop();
  });

  it('is written with 200 characters for each denom', async () => {
    const folder = await temporaryFolder();
    const file = folder.path('state.json');
    await writeFile(file, JSON.stringify({ app_state }));
    const job = { file, folder: folder.path('out'), format: 'ndjson', tables: ['supply_split'] } as const;
    const { signal } = new AbortController();
    const { tables } = await exportStateTables({ ...job, signal, onProgress: () => undefined });
    const lines = (await readFile(folder.path('out/supply_split.ndjson'), 'utf8')).trim().split('\n');
    assert.equal(tables.supply_split?.rows, lines.length);
    const names = lines.map((line) => String(JSON.parse(line).name)).filter((name) => name !== '');
    assert.deepEqual([names.length, names.every((name) => cut.test(name))], [6000, true]);
    await folder.remove();
  });
});

describe('the rows of a split', () => {
  it('are not made where they have no place, and the other modules are read', async () => {
    const modules = Array.from({ length: 150 }, (_, at) => ({
      '@type': '/cosmos.auth.v1beta1.ModuleAccount',
      base_account: { address: `cosmos1${String(at).replaceAll('1', 'q')}`.padEnd(45, 'a') },
      name: `${at}`.padEnd(200, 'n'),
    }));
    const coins = Array.from({ length: 600 }, (_, at) => ({ denom: `u${at}`, amount: '1' }));
    const balances = modules.map(({ base_account: { address } }) => ({ address, coins }));
    const { ask, service, stop } = await serveText(
      { app_state: { auth: { accounts: modules }, bank: { balances } } },
      { maxHeap: 32 },
    );
    await service.ready;
    assert.match(
      service.notices.join('\n'),
      /Cannot read the split module .*Its rows and those of earlier modules need more memory than the limit allows/,
    );
    assert.equal((await ask('inspector/v1/supply_split')).status, 500);
    assert.equal((await ask('bank/v1beta1/supply')).status, 200);
    await stop();
  });
});

describe('the accounts of a split', () => {
  const address = (at: number) => `cosmos1${String(at).replaceAll('1', 'q')}`.padEnd(45, 'a');
  const uatom = (amount: string) => [{ denom: 'uatom', amount }];
  const vesting = (at: number, fields: object = {}) => ({
    '@type': '/cosmos.vesting.v1beta1.PeriodicVestingAccount',
    base_vesting_account: { base_account: { address: address(at) }, original_vesting: uatom('9'), end_time: '9' },
    ...fields,
  });
  const vesting_periods = Array.from({ length: 100 }, () => ({ length: '1', amount: uatom('1') }));
  const shapes = {
    'many that vest': [80_000, 1, vesting],
    'some that vest in many periods': [4000, 1, (at: number) => vesting(at, { vesting_periods })],
    'a few that hold many denoms': [600, 1000, vesting],
  } as const;
  // Half of the heap is left for the code and for what is parsed. With less, some runs end out of memory.
  const maxHeap = 48;

  for (const [name, [count, denoms, make]] of Object.entries(shapes))
    it(`cost the split alone where they are too much: ${name}`, async () => {
      const accounts = Array.from({ length: count }, (_, at) => make(at));
      const coins = Array.from({ length: denoms }, (_, at) => ({ denom: `u${at}`, amount: '3' }));
      const balances = accounts.map((_, at) => ({ address: address(at), coins }));
      const gov = { proposals: [{ id: '1', status: 3 }] };
      const { ask, service, stop } = await serveText(
        { app_state: { auth: { accounts }, bank: { balances }, gov } },
        { maxHeap },
      );
      await service.ready;
      assert.match(
        service.notices.join('\n'),
        /^Cannot read the split module of .*: Vesting accounts, .* need more than 24 MiB/m,
      );
      assert.equal((await ask('inspector/v1/supply_split')).status, 500);
      const { body } = await ask('bank/v1beta1/supply/by_denom?denom=u0');
      assert.equal(Object(body).amount.amount, String(3 * count));
      assert.equal((await ask('gov/v1/proposals/1')).status, 200);
      await stop();
    });
});

describe('the thread that reads a state', () => {
  it('ends with a sentence where it runs out of memory, and no request waits', async () => {
    const votes = Array.from({ length: 150_000 }, (_, at) => `{"proposal_id":"1","voter":"a${at}","option":1}`);
    const text = `{"app_state":{"gov":{"proposals":[],"votes":[${votes.join(',')}]},"staking":{}}}`;
    const { ask, service, stop } = await serveText(text, { maxHeap: 16 });
    await assert.rejects(service.ready, /Cannot read .*the reader failed \(.*memory/);
    const { status, body } = await ask('gov/v1/proposals');
    assert.equal(status, 500);
    assert.match(Object(body).message, /memory/);
    await stop();
  });

  for (const [tables, advice] of [
    [undefined, '. Choose fewer tables'],
    [['votes'], ''],
  ] as const)
    it(`ends an export of ${tables ?? 'all tables'} with a sentence, and leaves nothing of it`, async () => {
      const folder = await temporaryFolder();
      const file = folder.path('state.json');
      const votes = Array.from({ length: 150_000 }, (_, at) => `{"proposal_id":"1","voter":"a${at}","option":1}`);
      await writeFile(file, `{"app_state":{"gov":{"proposals":[],"votes":[${votes.join(',')}]}}}`);
      const job = { file, folder: folder.path('new/out'), format: 'ndjson', tables, maxHeap: 16 } as const;
      const { signal } = new AbortController();
      await assert.rejects(exportStateTables({ ...job, signal, onProgress: () => undefined }), (error: Error) =>
        error.message.endsWith(`: it needs more than the 16 MiB of memory that an export can use${advice}`),
      );
      assert.deepEqual(await readdir(folder.path('.')), ['state.json']);
      await folder.remove();
    });

  it('hands its tables over in a few buffers, however many there are', async () => {
    const each = (make: (id: number) => object) => Array.from({ length: 3000 }, (_, at) => make(at + 1));
    const gov = {
      proposals: each((id) => ({ id: `${id}`, status: 2 })),
      votes: each((id) => ({ proposal_id: `${id}`, voter: `a${id}`, option: 1 })),
      deposits: each((id) => ({ proposal_id: `${id}`, depositor: 'a', amount: [] })),
    };
    const { buffers, stop } = await readAll({ app_state: { gov } });
    assert.ok(buffers.length > 0 && buffers.length < 20, `${buffers.length} buffers`);
    await stop();
  });

  it('counts the bytes of its tables, which its memory does not hold, and leaves out what is too much', async () => {
    const voter = (at: number) => `${at}`.padEnd(1000, 'a');
    const votes = Array.from({ length: 15_000 }, (_, at) => ({ proposal_id: '1', voter: voter(at), option: 1 }));
    const supply = [{ denom: 'ufine', amount: '1' }];
    const text = JSON.stringify({ app_state: { gov: { votes }, bank: { supply } } });
    const { ask, service, stop } = await serveText(text, { maxHeap: 48 });
    await service.ready;
    assert.match(
      service.notices.join('\n'),
      /Cannot read the gov module .*The rows up to this point take up \d+ MiB, more than the limit of 24 MiB/,
    );
    assert.equal((await ask('gov/v1/proposals')).status, 500);
    assert.equal((await ask('bank/v1beta1/supply')).status, 200);
    await stop();
  });
});

describe('a file that is read without a thread', () => {
  const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
  const voting = many(285, (at) => ({ id: `${at + 1}`, status: 2 }));
  const staking = {
    exported: true,
    validators: [{ operator_address: 'v', tokens: '9'.repeat(30), delegator_shares: '9'.repeat(30), status: 3 }],
    delegations: many(420, () => ({ delegator_address: 'a', validator_address: 'v', shares: '1.0' })),
  };
  const shapes: Readonly<Record<string, object>> = {
    'faulty rows': { bank: { supply: many(20_000, () => ({})) } },
    'votes of one voter with many delegations': {
      gov: { proposals: voting, votes: voting.map(({ id }) => ({ proposal_id: id, voter: 'a', option: 1 })) },
      staking,
    },
    balances: {
      bank: { balances: many(900, (at) => ({ address: `a${at}`, coins: [{ denom: `u${at}`, amount: '1' }] })) },
    },
  };

  for (const [name, app_state] of Object.entries(shapes))
    it(`never keeps the other work waiting: ${name}`, async () => {
      const text = JSON.stringify({ app_state });
      assert.ok(text.length < 64 * 1024, `${text.length}`);
      const start = process.threadCpuUsage();
      for (let time = 0; time < 100; time++) JSON.parse(text);
      const parsed = microseconds(start);
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3 && least >= parsed * slowness; round++)
        least = Math.min(least, await longestTurn(text));
      assert.ok(least < parsed * slowness, `busy for ${least} µs, parsed 100 times in ${parsed} µs`);
    });
});

function microseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since);
  return user + system;
}

/** The longest time for which reading a file keeps this thread from its other work, in microseconds. */
async function longestTurn(text: string): Promise<number> {
  const folder = await temporaryFolder();
  const file = folder.path('state.json');
  await writeFile(file, text);
  const service = startService({ file });
  let isRead = false;
  void service.ready.finally(() => {
    isRead = true;
  });
  let longest = 0;
  while (!isRead) {
    const start = process.threadCpuUsage();
    await setImmediate();
    longest = Math.max(longest, microseconds(start));
  }
  await service.dispose();
  await folder.remove();
  return longest;
}

/** Reads a state with the thread's own function; the buffers of all its modules. */
async function readAll(state: object) {
  const folder = await temporaryFolder();
  const path = folder.path('state.json');
  await writeFile(path, JSON.stringify(state));
  const messages: ReaderMessage[] = [];
  await runReader({ path }, (message) => messages.push(message));
  const modules = messages.flatMap((message) => (message.type === 'modules' ? [message.modules] : []));
  return { buffers: modules.flatMap(buffersOf), stop: folder.remove };
}
