import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WriteError, writeWhole } from '../../../../src/wholeFile.ts';

const module = join(import.meta.dirname, '../../../../src/wholeFile.ts');

describe('writing a file whole', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function* parts(...texts: readonly string[]) {
    yield* texts;
  }

  it('has nothing under its name before the last part, and nothing beside it afterwards', async () => {
    const path = join(folder, 'rows.csv');
    const during: string[][] = [];
    async function* watched() {
      yield 'é🚀,';
      during.push(readdirSync(folder));
      yield 'two';
    }
    await writeWhole(path, watched());
    assert.equal(during[0]?.includes('rows.csv'), false);
    assert.equal(during[0]?.length, 1);
    assert.deepEqual(readdirSync(folder), ['rows.csv']);
    assert.equal(readFileSync(path, 'utf8'), 'é🚀,two');
  });

  it('leaves the old file as it was, and no half one, when its parts end early', async () => {
    const path = join(folder, 'rows.csv');
    writeFileSync(path, 'old');
    async function* broken() {
      yield 'new';
      throw new DOMException('cancelled', 'AbortError');
    }
    await assert.rejects(writeWhole(path, broken()), { name: 'AbortError' });
    assert.deepEqual(readdirSync(folder), ['rows.csv']);
    assert.equal(readFileSync(path, 'utf8'), 'old');
  });

  it('writes through a link', async () => {
    const path = join(folder, 'link.csv');
    writeFileSync(join(folder, 'real.csv'), 'old');
    symlinkSync(join(folder, 'real.csv'), path);
    await writeWhole(path, parts('new'));
    assert.ok(lstatSync(path).isSymbolicLink());
    assert.equal(readFileSync(join(folder, 'real.csv'), 'utf8'), 'new');
  });

  it('says in one sentence where it cannot write', async () => {
    await assert.rejects(writeWhole(join(folder, 'no', 'rows.csv'), parts('x')), (error) => {
      assert.ok(error instanceof WriteError);
      assert.match(error.message, /rows\.csv was not written: the folder does not exist\. Choose another one$/);
      return true;
    });
    await assert.rejects(writeWhole(folder, parts('x')), WriteError);
  });

  it('leaves no half file when the disk takes no more', function () {
    if (process.platform === 'win32') return this.skip();
    const path = join(folder, 'rows.csv');
    writeFileSync(path, 'old');
    const script = `
      const { writeWhole } = await import(${JSON.stringify(module)});
      async function* parts() { for (let part = 0; part < 100; part++) yield 'x'.repeat(10000); }
      await writeWhole(${JSON.stringify(path)}, parts()).catch((error) => console.log(error.name, error.code));`;
    const command = 'ulimit -f 100 && exec "$0" --input-type=module -e "$1"';
    const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8' });
    assert.equal(stdout, 'WriteError EFBIG\n', stderr);
    assert.deepEqual(readdirSync(folder), ['rows.csv']);
    assert.equal(readFileSync(path, 'utf8'), 'old');
  });
});
