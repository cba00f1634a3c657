import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { serveText } from './serveText.ts';

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

describe('proposals of megabytes', function () {
  this.timeout(120_000);

  it('are refused by the page and answered one by one', async () => {
    const { ask, stop } = await serveText(stateOf(8, 5 * megabyte));
    const page = await ask('gov/v1/proposals');
    assert.equal(page.status, 429);
    assert.equal(Object(page.body).code, 8);
    assert.match(Object(page.body).message, /^received message larger than max \(\d+ vs\. 31457280\)$/);
    assert.equal(Object((await ask('gov/v1/proposals?pagination.limit=4')).body).proposals.length, 4);
    assert.equal(Object((await ask('gov/v1/proposals/8')).body).proposal.id, '8');
    await stop();
  });

  it('are kept as far as 128 MiB, and the others are named', async () => {
    const { ask, service, stop } = await serveText(stateOf(20, 7 * megabyte));
    await service.ready;
    assert.match(
      service.notices.join('\n'),
      /The proposals before have 128 MiB \(.*gov\.proposals\[18\]\), and 1 more/,
    );
    assert.equal((await ask('gov/v1/proposals/18')).status, 200);
    assert.equal((await ask('gov/v1/proposals/19')).status, 404);
    await stop();
  });
});

describe('the thread that reads a state', function () {
  this.timeout(120_000);

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
});
