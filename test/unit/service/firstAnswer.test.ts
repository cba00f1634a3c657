import assert from 'node:assert/strict';
import { startService } from '../../../src/service/start.ts';
import { sampleFile } from '../../support/sampleFile.ts';

describe('the first answers over a file that is still being read', () => {
  it('carry the height that the file states above its modules', async () => {
    for (let round = 0; round < 5; round += 1) {
      const service = await startService({ file: sampleFile, rebase: new Date() });
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
});
