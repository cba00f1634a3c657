import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess } from '../../support/processes.ts';
import { writeLargeState } from './largeState.ts';
import { temporaryFolder } from './serveText.ts';

const openOnce = join(import.meta.dirname, 'openOnce.ts');

describe('a disk that is full', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  let cacheDir: string;
  let coins: number;
  beforeEach(async function () {
    if (process.platform === 'win32') {
      console.log('skipped: no shell to limit the disk with');
      this.skip();
    }
    folder = await temporaryFolder();
    file = folder.path('large.json');
    cacheDir = folder.path('cache');
    await mkdir(cacheDir);
    coins = (await writeLargeState(file, 4)).size;
  });
  afterEach(() => folder?.remove());

  /** Opens the file in a process of its own, which `script`, run by the shell, starts as `"$@"`. */
  async function openUnder(script: string) {
    const printed = await runProcess('sh', ['-c', script, 'sh', process.execPath, openOnce, file, cacheDir]);
    return JSON.parse(printed.slice(printed.indexOf('{')));
  }

  /** Gives the served answer and the sentence. Nothing may be left that could be taken for an index. */
  function check(opened: Awaited<ReturnType<typeof openUnder>>, reason: string) {
    assert.deepEqual(opened, {
      status: 200,
      total: String(coins),
      notices: [`The index of ${file} could not be saved: ${reason}`],
      kept: [],
      isFromIndex: false,
    });
  }

  it('ends in one sentence, with the state served whole, when the file of the index is cut short', async () => {
    check(await openUnder('ulimit -f 64; exec "$@"'), 'the file is too large for this disk');
    const kept = ['large.json.state'];
    const again = await openUnder('exec "$@"');
    assert.equal(again.isFromIndex, false);
    assert.deepEqual(
      again.kept.map((name: string) => name.slice(-16)),
      kept,
    );
    const third = await openUnder('exec "$@"');
    assert.deepEqual([third.isFromIndex, third.total, third.notices], [true, String(coins), []]);
  });

  it('ends in one sentence, with the state served whole, when there is no room left', async function () {
    const mounted = `mount -t tmpfs -o size=64k tmpfs '${cacheDir}'`;
    const isolated = (script: string) =>
      `unshare --user --map-root-user --mount sh -c '${script.replaceAll("'", "'\\''")}' sh "$@"`;
    const works = await runProcess('sh', ['-c', isolated(mounted)]).catch(() => undefined);
    if (works === undefined) {
      console.log('skipped: no small disk can be mounted here');
      this.skip();
    }
    check(await openUnder(isolated(`${mounted} && exec "$@"`)), 'the disk is full');
  });

  it('of which a writer that was stopped left half an index is not read, and is tidied up', async () => {
    await writeFile(join(cacheDir, 'half.part'), 'half an index');
    const opened = await openUnder('touch -t 202001010000 "$4/half.part"; exec "$@"');
    assert.equal(opened.isFromIndex, false);
    assert.equal(opened.kept.length, 1);
    assert.match(opened.kept[0], /large\.json\.state$/);
  });
});
