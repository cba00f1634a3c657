import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { checkDraft, createReviewer } from '../../../src/draft/checkDraft.ts';
import { needsOf } from '../../../src/draft/draftNeeds.ts';
import { placesIn, readDraft } from '../../../src/draft/draftText.ts';
import { type ServedState, serveFile } from '../../../src/service/serve.ts';
import { stateFileOf } from '../../node/recording.ts';
import { growth } from '../growth.ts';
import { change, draft, facts, findingOf, ofMessages } from './exampleDrafts.ts';

const times = (count: number, one: (at: number) => object) => Array.from({ length: count }, (_, at) => one(at));

const legacyDraft = (changes: readonly object[]) =>
  JSON.stringify({ title: 'T', description: 'D', deposit: '10000000stake', changes });
const update = (at: number) => ({ '@type': `/a.b${at}.MsgUpdateParams`, params: {} });
const plan = (at: number) => ({
  '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  plan: { name: `n${at}`, height: '9' },
});

describe('the questions that are left', () => {
  it('are counted by what they ask for', () => {
    const changes = times(4000, (at) => change(`s${at}`, 'K', '1'));
    const { details } = findingOf(legacyDraft(changes), 'too-many-questions');
    const none = { plans: 0, denoms: 0, clients: 0, proposals: 0, accounts: 0 };
    assert.deepEqual(details, { limit: 100, params: 3960, legacy: 3960, ...none });
  });

  it('are none of a change without a subspace', () => {
    const read = readDraft(legacyDraft([change('', 'K', '1'), change('s', 'K', '1')]));
    assert.ok(typeof read === 'object');
    const { legacy, packages } = needsOf(read);
    assert.deepEqual([legacy, packages], [[{ subspace: 's', key: 'K' }], ['cosmos.s.v1beta1']]);
  });
});

describe('a draft that raises thousands of questions', () => {
  let served: ServedState;
  before(async () => {
    served = await serveFile({ file: stateFileOf('0.53.8') });
    await served.ready;
  });
  after(() => served.dispose());

  async function review(text: string) {
    let requests = 0;
    const node = openNode({ baseUrl: parseBaseUrl(served.baseUrl), onRequest: () => requests++ });
    try {
      const { rows = [] } = (await createReviewer(async () => node, new AbortController().signal)(text)) ?? {};
      return { rows, requests };
    } finally {
      await node.dispose();
    }
  }

  const drafts: readonly (readonly [name: string, text: string, first: string, left: string])[] = [
    [
      '4,000 changes',
      legacyDraft(times(4000, (at) => change(`s${at}`, 'K', '1'))),
      '{"subspace":"s40"',
      'the parameters of 3,960 modules, 3,960 legacy parameters',
    ],
    [
      '40,000 changes of one module',
      legacyDraft(times(40_000, (at) => change('s', `K${at}`, ''))),
      '{"subspace":"s","key":"K79"',
      '39,921 legacy parameters',
    ],
    [
      '20,000 MsgUpdateParams',
      JSON.stringify(JSON.parse(ofMessages(...times(20_000, update)))),
      '"/a.b80.',
      'the parameters of 19,920 modules',
    ],
    ['10,000 upgrades', ofMessages(...times(10_000, plan)), '"n80"', 'the names of 9,920 upgrades'],
  ];
  for (const [name, text, first, left] of drafts)
    it(`is asked at most 100 for, and the rest is named: ${name}`, async () => {
      const { rows, requests } = await review(text);
      assert.ok(requests >= 10 && requests <= 100, `${requests} requests`);
      const found = rows.filter(({ code }) => code === 'too-many-questions');
      const said = `Not checked: ${left}. A check sends at most 100 requests to the chain.`;
      const place = placesIn(text)(text.indexOf(first));
      const brief = found.map(({ end: _end, ...row }) => row);
      assert.deepEqual(brief, [
        { ...place, severity: 'warning', code: 'too-many-questions', message: said, repairs: [] },
      ]);
    });

  it('is not cut where the questions are the same ones', async () => {
    const { rows, requests } = await review(legacyDraft(times(4000, () => change('staking', 'MaxValidators', '5'))));
    assert.ok(requests < 20, `${requests} requests`);
    assert.ok(!rows.some(({ code }) => code === 'too-many-questions'));
  });

  for (const [form, indent] of [
    ['on one line', 0],
    ['on many lines', 1],
  ] as const)
    it(`is checked in a time that grows with its length, ${form}`, () => {
      const one = { '@type': '/cosmos.mint.v1beta1.MsgUpdateParams', params: {} };
      const factor = growth((size) => {
        const text = JSON.stringify(
          JSON.parse(draft({ messages: times(Math.ceil(size / 60), () => one) })),
          null,
          indent,
        );
        const placeOf = placesIn(text);
        for (const { range } of checkDraft(text, facts)?.findings ?? []) placeOf(range.start);
      }, 1_000_000);
      assert.ok(factor < 4, `${factor}`);
    });
});
