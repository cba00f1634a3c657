import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { featuresOf, type Version, versions } from '../../node/build.ts';
import { readRecording, stateFileOf } from '../../node/recording.ts';
import { type Served, serveFile } from './serveText.ts';

interface Difference {
  readonly why: string;
  readonly paths: RegExp;
  readonly only?: (version: Version) => boolean;
}

const isOld = (version: Version) => !featuresOf(version).titles;
const isNew = (version: Version) => featuresOf(version).expedited;

/** Where the service answers otherwise than the node of its state did (docs/nodes.md#service); everything else is answered alike. */
const differences: readonly Difference[] = [
  // On purpose.
  { why: 'up to SDK 0.47 rows go up within reversed pages', paths: /\/supply\?.*reverse=true/, only: isOld },
  { why: 'an empty limit is the default', paths: /limit=$/ },
  { why: 'key with offset is 400, as every bad question', paths: /key=.*offset=/ },
  {
    why: 'both forms of a denom are served',
    paths: /\/supply\/(by_denom|.*%2F)/,
    only: (version) => version === '0.45.16',
  },
  {
    why: 'an invalid denom is 400',
    paths: /\/supply\/(by_denom\?denom=)?(ab|a%20b|%C3%BCn%C3%AF|)$/,
    only: isOld,
  },
  { why: 'gov v1 is served for every state', paths: /\/gov\/v1\//, only: (version) => !featuresOf(version).govV1 },
  { why: 'statuses are taken by name', paths: /\/proposals\?proposal_status=PROPOSAL_STATUS_(?!CANCELED)/ },
  { why: 'unknown statuses are refused', paths: /\/proposals\?proposal_status=(6|99)$/ },
  { why: 'a bad address is 400', paths: /(voter|depositor)=(x|cosmos12.*x|osmo.*)$/ },
  {
    why: 'a bad address is 400',
    paths: /(votes|deposits)\/(x|cosmosvaloper.*)$/,
    only: (version) => version !== '0.45.16',
  },
  { why: 'numbers are decimal', paths: /(\/proposals\/0x2|limit=0x10)$/ },
  {
    why: 'SDK 0.45 and 0.46 count the votes of failed proposals again, which are gone',
    paths: /\/tally$/,
    only: isOld,
  },
  { why: 'nodes of SDK 0.50 do not count beyond the end', paths: /offset=500/, only: isNew },
  {
    why: 'filtered pages are full, and next_key is that of the next match',
    paths: /proposal_status=\d&.*(limit=[145]\b)/,
  },
  {
    why: 'next_key is a denom, not a denom twice',
    paths: /denoms_metadata\?.*limit=2/,
    only: (version) => version === '0.45.16',
  },
  { why: 'params of modules are answered where nodes of SDK 0.50 have ""', paths: /params\?subspace=/ },
  { why: 'params of the consensus are answered for every state', paths: /\/consensus\/v1(beta1)?\/params$/ },
  { why: 'SDK 0.46 has no `params` in gov v1', paths: /\/gov\/v1\/params\//, only: (version) => version === '0.46.16' },
  {
    why: 'reversed pages of denoms end at their key',
    paths: /supply\?.*key=Z2FtbS9wb29sLzI%3D&.*reverse/,
    only: isNew,
  },
  // Answers in which the service differs from a node.
  { why: 'metadata of one denom is not served', paths: /\/denoms_metadata(_by_query_string\?|\/)/ },
];

for (const version of versions) {
  describe(`state exported by a node of SDK ${version}`, () => {
    const recording = readRecording(version);
    let served: Served;
    before(async () => {
      served = await serveFile(stateFileOf(version));
      await served.service.ready;
    });
    after(() => served.stop());

    it('is answered as the node answered', async () => {
      const found = new Map<Difference, boolean>();
      for (const difference of differences) if (difference.only?.(version) ?? true) found.set(difference, false);
      const wrong: string[] = [];
      const asked = recording.answers.filter(
        ({ path, at }) =>
          at === String(recording.height) &&
          /^\/cosmos\/(bank|gov|staking\/v1beta1\/(pool|validators(\?|$))|\w+\/\w+\/params)/.test(path),
      );
      for (const { path, status, body } of asked) {
        const response = await fetch(served.service.baseUrl + path);
        const answer: { readonly status: number; readonly body: unknown } = {
          status: response.status,
          body: await response.json(),
        };
        const isError = status !== 200 && answer.status === status && Object(answer.body).code === Object(body).code;
        if (isError || (answer.status === status && isDeepStrictEqual(answer.body, body))) continue;
        const known = [...found.keys()].find(({ paths }) => paths.test(path));
        if (known) found.set(known, true);
        else
          wrong.push(
            `${path}: ${status} ${JSON.stringify(body).slice(0, 200)} became ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`,
          );
      }
      assert.deepEqual(wrong, []);
      const stale = [...found].filter(([, isFound]) => !isFound).map(([{ why }]) => why);
      assert.deepEqual(stale, [], 'no longer different');
    });

    it('has validators whose tokens add up to the pool', async () => {
      const { validators } = Object(await served.get('staking/v1beta1/validators?status=BOND_STATUS_BONDED'));
      const { pool } = Object(await served.get('staking/v1beta1/pool'));
      const sum = validators.reduce((total: bigint, { tokens }: { tokens: string }) => total + BigInt(tokens), 0n);
      assert.ok(sum > 0n);
      assert.equal(String(sum), pool.bonded_tokens);
    });

    it('is at the height that it was exported at', async () => {
      const { headers } = await served.ask('bank/v1beta1/supply?pagination.limit=1');
      const stated = Number(headers.get('grpc-metadata-x-cosmos-block-height'));
      assert.equal(stated, recording.height);
    });
  });
}
