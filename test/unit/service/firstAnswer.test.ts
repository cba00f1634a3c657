import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { serveFile } from '../../../src/service/serve.ts';
import { startService } from '../../../src/service/service.ts';
import { sampleFile } from '../../support/folders.ts';
import { temporaryFolder } from './serveText.ts';
import { smallState, textProposal } from './smallState.ts';

describe('the first answers over a file that is still being read', () => {
  it('carry the height that the file states above its modules', async () => {
    for (let round = 0; round < 5; round += 1) {
      const service = await serveFile({ file: sampleFile, rebase: new Date() });
      try {
        const paths = ['bank/v1beta1/supply', 'gov/v1beta1/proposals'];
        const answers = await Promise.all(paths.map((path) => fetch(`${service.baseUrl}/chain/${path}`)));
        const heights = answers.map(({ headers }) => headers.get('grpc-metadata-x-cosmos-block-height'));
        assert.deepEqual(heights, ['4821338', '4821338']);
      } finally {
        await service.dispose();
      }
    }
  });

  it('go out as soon as the bank module of a small file is read, before its proposals are', async () => {
    const folder = await temporaryFolder();
    const file = folder.path('state.json');
    const { bank, gov } = smallState().app_state;
    const proposals = Array.from({ length: 1000 }, (_, index) => textProposal(index + 1, 'PASSED'));
    await writeFile(file, JSON.stringify({ app_state: { bank, gov: { ...gov, proposals } } }));
    const service = startService({ file });
    let isRead = false;
    void service.ready.then(() => {
      isRead = true;
    });
    const { status } = await service.answer({ path: '/chain/bank/v1beta1/supply' });
    assert.deepEqual({ status, isRead }, { status: 200, isRead: false });
    const { body } = await service.answer({ path: '/chain/gov/v1beta1/proposals' });
    assert.equal(JSON.parse(body.toString()).pagination.total, '1000');
    await service.dispose();
    await folder.remove();
  });
});
