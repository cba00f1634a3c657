import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { noNeeds } from '../../../src/draft/draftNeeds.ts';
import { SourceFacts } from '../../../src/ui/drafts/sourceFacts.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { startToolHost } from '../tools/toolHost.ts';

function writeState(file: string, chainId: string, quorum: string): void {
  const state = JSON.parse(readFileSync(sampleFile, 'utf8'));
  state.chain_id = chainId;
  state.app_state.gov.params.quorum = quorum;
  writeFileSync(file, JSON.stringify(state));
}

describe('what is known of a state file for the checks of drafts', () => {
  it('is that of the new file once the file was opened anew, and whoever checks drafts learns it', async () => {
    const folder = startFolder('facts');
    const file = join(folder.path, 'state.json');
    writeState(file, 'old-1', '0.200000000000000000');
    const { host, dispose } = startToolHost([pathToFileURL(file).href]);
    const [source] = host.sources;
    assert(source);
    await host.sessions.use(source, async (session) => {
      let told = 0;
      const facts = new SourceFacts({ session, release: async () => undefined }, () => told++);
      const known = async () => {
        const { chainId, votes } = await facts.read(noNeeds);
        return [chainId, votes?.params?.quorum];
      };
      const before = await known();
      writeState(file, 'new-1', '0.400000000000000000');
      assert.deepEqual(await known(), before);
      await session.reopen();
      const after = await known();
      const tenth = 10n ** 17n;
      assert.deepEqual([before, after, told], [['old-1', 2n * tenth], ['new-1', 4n * tenth], 1]);
      facts.dispose();
    });
    await dispose();
    folder.dispose();
  });
});
