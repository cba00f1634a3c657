import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DenomModel } from '../../../src/page/denomModel.ts';
import type { Session } from '../../../src/session/session.ts';
import { sampleFile } from '../../support/folders.ts';
import { startToolHost } from '../tools/toolHost.ts';

describe('reading one denom', () => {
  const { supply } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state.bank;
  const [{ denom, amount }]: [{ denom: string; amount: string }] = supply;
  let session: Session;
  let model: DenomModel;
  let released: number;

  async function withModel(name: string, work: () => Promise<void>): Promise<void> {
    const { host, dispose } = startToolHost([pathToFileURL(sampleFile).href]);
    const [source] = host.sources;
    assert(source);
    released = 0;
    await host.sessions.use(source, async (opened) => {
      session = opened;
      const release = async () => void released++;
      model = new DenomModel({ sourceId: source.id, denom: name }, { session, release });
      await work();
    });
    await dispose();
  }

  it('has the supply and its split, whose rows add up to it', async () => {
    await withModel(denom, async () => {
      assert.equal(model.facts.isReading, true);
      await model.read(false);
      const { coin, split, isReading, failure } = model.facts;
      assert.deepEqual([coin?.amount, isReading, failure], [BigInt(amount), false, undefined]);
      assert.equal(
        split?.rows.reduce((sum, row) => sum + row.amount, 0n),
        BigInt(amount),
      );
      model.dispose();
    });
  });

  it('changes nothing after it was disposed, and releases its session once', async () => {
    await withModel(denom, async () => {
      const read = model.read(false);
      model.dispose();
      let changes = 0;
      model.onDidChange(() => changes++);
      await read;
      assert.deepEqual([released, changes, model.facts.coin], [1, 0, undefined]);
    });
  });
});
