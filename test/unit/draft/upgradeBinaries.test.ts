import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createDownloader, type Downloader, downloaderOf } from '../../../src/api/download.ts';
import { isApiError, messageOf } from '../../../src/api/errors.ts';
import { binaryFindings, checkBinaries, filesIn, plansIn } from '../../../src/draft/checks/upgrades/upgradeBinaries.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { draft, upgrade } from '../../fixtures/seededDrafts/seed.ts';
import { caFile, certificate, type EchoServer, startEchoServer } from '../../support/servers.ts';

const binary = Buffer.alloc(300_000, 'an application');
const sha256 = createHash('sha256').update(binary).digest('hex');
const network = { caFile, proxySupport: 'off' } as const;

describe('the files that a plan names', () => {
  it('are none without a plan, or without an info', () => {
    for (const message of [{ ...upgrade({}), plan: undefined }, upgrade({ info: undefined })]) {
      const read = readDraft(draft([message]));
      assert.ok(typeof read === 'object');
      assert.deepEqual(plansIn(read), []);
    }
  });

  it('have addresses of at most 8,192 characters', () => {
    const named = (length: number) => {
      const any = 'https://example.org/'.padEnd(length, 'a');
      const { files, unchecked } = filesIn(JSON.stringify({ binaries: { any } }));
      return [files.length, unchecked.map(({ reason }) => reason)];
    };
    assert.deepEqual(named(8192), [1, []]);
    assert.deepEqual(named(8193), [0, ['address']]);
  });
});

describe('the binaries of an upgrade', () => {
  let server: EchoServer;
  let mirror: EchoServer;
  let downloads: Downloader;
  before(async () => {
    mirror = await startEchoServer((_, response) => response.end(binary), certificate('node'));
    server = await startEchoServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'https://server');
      const redirects: Readonly<Record<string, string>> = {
        '/moved': `${mirror.origin}/app`,
        '/plain': 'http://127.0.0.1:1/app',
        '/circle': '/circle',
      };
      const location = redirects[pathname];
      if (location !== undefined) response.writeHead(302, { location }).end();
      else if (pathname === '/none') response.writeHead(404).end('nothing here');
      else if (pathname === '/huge') response.writeHead(200, { 'content-length': String(2 ** 31) }).write('x');
      else if (pathname === '/slow') response.writeHead(200).write('x');
      else if (pathname === '/plan.json') response.end(JSON.stringify({ binaries: { any: `${mirror.origin}/app` } }));
      else response.end(binary);
    }, certificate('node'));
    downloads = downloaderOf(network, 'linkLocal');
  });
  after(async () => {
    await downloads.dispose();
    await Promise.all([server.dispose(), mirror.dispose()]);
  });

  async function said(info: string, by = downloads, mayAsk = async () => true) {
    const read = readDraft(draft([upgrade({ info })]));
    if (typeof read !== 'object') throw new Error('This is no draft');
    const { signal } = new AbortController();
    const checked = await checkBinaries(read, {
      read: (file, digest, keepsText) => by.read({ url: file.url, digest, keepsText }, signal),
      reasonOf: (error) => (isApiError(error) ? error.reason : messageOf(error)),
      mayAsk,
      signal,
    });
    return binaryFindings(checked).map((one) => `${one.severity}: ${findingText(one, plainEnglish)}`);
  }
  const named = (path: string): string => JSON.stringify({ binaries: { any: `${server.origin}${path}` } });
  const hostOf = ({ origin }: EchoServer): string => new URL(origin).host;

  it('match the checksums of the plan, which are no part of what the server is asked for', async () => {
    assert.deepEqual(await said(named(`/app?v=1&checksum=sha256:${sha256}`)), [
      `hint: any: the checksum matches (300 kB downloaded from ${hostOf(server)}).`,
    ]);
    assert.equal(server.seen.at(-1)?.url, '/app?v=1');
  });

  it('differ from them, which is an error', async () => {
    assert.deepEqual(await said(named(`/app?checksum=sha256:${'ab'.repeat(32)}`)), [
      `error: any: the file from ${hostOf(server)} has the checksum sha256:${sha256}, not the one in the plan. Cosmovisor would reject it.`,
    ]);
  });

  it('without a checksum are named with theirs', async () => {
    assert.deepEqual(await said(named('/app')), [
      `hint: any: the plan has no checksum. The file from ${hostOf(server)} has sha256:${sha256} (300 kB).`,
    ]);
  });

  it('come from where a redirect leads, whose host is named', async () => {
    assert.deepEqual(await said(named(`/moved?checksum=sha256:${sha256}`)), [
      `hint: any: the checksum matches (300 kB downloaded from ${hostOf(server)} → ${hostOf(mirror)}).`,
    ]);
  });

  it('are those that a plan at an address names', async () => {
    const [plan, own] = await said(`${server.origin}/plan.json`);
    assert.match(plan ?? '', /^hint: plan: the plan has no checksum/);
    assert.match(own ?? '', new RegExp(`^hint: any: .* ${hostOf(mirror)} has sha256:${sha256}`));
  });

  it('of a plan at an address are not asked for where another host is not agreed to', async () => {
    assert.equal((await said(`${server.origin}/plan.json`, downloads, async () => false)).length, 1);
  });

  for (const [path, reason] of [
    ['/none', /responded with HTTP 404/],
    ['/plain', /unencrypted address/],
    ['/circle', /in a loop/],
    ['/huge', /larger than|too large|1,?024|limit/i],
  ] as const) {
    it(`that cannot be had are a warning with the reason: ${path}`, async () => {
      const [first = ''] = await said(named(path));
      assert.match(first, /^warning: any: not checked\. /);
      assert.match(first, reason);
    });
  }

  for (const [url, reason] of [
    ['git::https://example.org/app.git', /uses another download method/],
    ['s3::https://s3.amazonaws.com/bucket/app', /uses another download method/],
    ['http://example.org/app', /Only https addresses are/],
    ['file:///bin/app', /Only https addresses are/],
    ['github.com/example/app', /This is not an address/],
    ['https://example.org/app?checksum=file:https://example.org/sums', /in another file/],
  ] as const) {
    it(`at other addresses are named as not checked: ${url}`, async () => {
      const before = server.seen.length;
      const [first = ''] = await said(JSON.stringify({ binaries: { any: url } }));
      assert.match(first, /^hint: any: not checked/);
      assert.match(first, reason);
      assert.equal(server.seen.length, before);
    });
  }

  it('are never asked for on this machine or its networks', async () => {
    const strict = createDownloader(network);
    const before = server.seen.length;
    try {
      const [first = ''] = await said(named('/app'), strict);
      assert.match(first, /^warning: any: not checked\. .*a private network address/);
      const byName = named('/app').replace('127.0.0.1', 'localhost');
      assert.match((await said(byName, strict))[0] ?? '', /a private network address/);
      assert.equal(server.seen.length, before);
    } finally {
      await strict.dispose();
    }
  });

  it('are given up when the user cancels, with the progress up to there', async () => {
    const abort = new AbortController();
    const progress: number[] = [];
    const onProgress = (bytes: number): void => {
      progress.push(bytes);
      abort.abort();
    };
    const reading = downloads.read({ url: `${server.origin}/slow`, digest: 'sha256', onProgress }, abort.signal);
    await assert.rejects(reading, { name: 'AbortError' });
    assert.deepEqual(progress, [1]);
  });
});
