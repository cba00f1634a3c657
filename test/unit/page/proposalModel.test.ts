import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { HttpError } from '../../../src/api/errors.ts';
import { openNodeOver } from '../../../src/api/open.ts';
import { toVerdict } from '../../../src/chain/gov/verdict.ts';
import { ProposalModel } from '../../../src/page/proposalModel.ts';
import { Session } from '../../../src/session/session.ts';
import { toSource } from '../../../src/session/source.ts';
import { chainReplies } from '../../support/chainReplies.ts';
import type { FixedReply } from '../../support/servers.ts';
import { type FakeClock, World } from '../watch/fakeClock.ts';

const baseUrl = 'http://node.invalid';
const start = Date.parse('2026-01-01T00:00:00Z');
const end = start + 3_600_000;
const zeros = { yes_count: '0', abstain_count: '0', no_count: '0', no_with_veto_count: '0' };
const votes = { yes_count: '700', abstain_count: '100', no_count: '150', no_with_veto_count: '50' };

describe('reading one proposal', () => {
  let world: World;
  let clock: FakeClock;
  let status: string;
  let down: boolean;
  let asked: string[];
  let session: Session;
  let model: ProposalModel;
  const startModel = () => {
    const hold = { session, release: async () => {} };
    return new ProposalModel({ sourceId: baseUrl, id: 7n }, hold, { clock, registryChain: async () => undefined });
  };
  const ofProposal = () => asked.filter((path) => /proposals\/7$/.test(path)).length;
  const runTo = (until: number) => world.run(until, settle);

  beforeEach(async () => {
    world = new World(start);
    clock = world.clock();
    [status, down, asked] = ['VOTING', false, []];
    session = new Session(toSource(baseUrl, new Map(), 'Sample chain'), {
      open: async () => {
        const node = openNodeOver(
          { get: async (path) => answer(path), post: () => assert.fail(), dispose: async () => {} },
          { baseUrl: parseBaseUrl(baseUrl), segment: 'cosmos' },
        );
        return { node, notices: [], dispose: () => node.dispose() };
      },
      pageSize: () => 10,
      knownUnits: async () => new Map(),
    });
    model = startModel();
    await model.start();
  });

  afterEach(async () => {
    model.dispose();
    await session.dispose();
  });

  /** The node: one proposal, the running count while it is voted on, and the rules. */
  async function answer(url: string) {
    const path = url.slice('/cosmos/'.length);
    asked.push(path);
    if (down) throw new HttpError(url, 503, undefined, undefined);
    const { status: refused, body } = replyTo(url);
    if (refused !== undefined) throw new HttpError(url, refused, JSON.parse(body).code, JSON.parse(body).message);
    return { status: 200, text: body, headers: { 'grpc-metadata-x-cosmos-block-height': '41' } };
  }

  const proposal = () => ({
    id: '7',
    messages: [],
    title: 'T',
    status: `PROPOSAL_STATUS_${status}_PERIOD`.replace(/(PASSED|REJECTED)_PERIOD/, '$1'),
    final_tally_result: status === 'PASSED' ? votes : zeros,
    voting_end_time: new Date(end).toISOString(),
  });

  const replyTo = (path: string): FixedReply =>
    chainReplies({
      supply: [{ denom: 'u', amount: '1' }],
      metadatas: [],
      proposals: [proposal()],
      tally: { ...votes, yes_count: '600' },
      govParams: { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' },
      pool: { bonded_tokens: '2000', not_bonded_tokens: '0' },
    })(new URL(path, 'http://service'));

  const verdict = () => {
    const { row, inputs } = model.facts ?? {};
    assert(row?.kind === 'proposal' && inputs);
    return toVerdict(row, inputs);
  };

  it('asks once, and not again before the vote is over', async () => {
    assert.equal(verdict().outcome.kind, 'wouldPass');
    assert.equal(verdict().tally?.yes, 600n);
    assert.equal(model.facts?.row.height, 41n);
    await runTo(end + 1_000);
    assert.equal(ofProposal(), 1);
  });

  it('asks again when the time is over until the status is another, and has the final count then', async () => {
    await runTo(end + 2_000);
    assert.equal(ofProposal(), 2);
    await runTo(end + 9_000);
    assert.equal(ofProposal(), 4);
    assert.equal(verdict().outcome.kind, 'wouldPass');
    let told = 0;
    model.onDidChange(() => told++);
    status = 'PASSED';
    await runTo(end + 12_000);
    assert(told > 0);
    assert.deepEqual([verdict().outcome.kind, verdict().tally?.yes], ['passed', 700n]);
    const sofar = asked.length;
    await runTo(end + 864_000_000);
    assert.equal(asked.length, sofar, 'nothing ends after the end');
    assert.equal(
      asked.filter((path) => path.endsWith('/tally')).length,
      ofProposal() - 1,
      'no running count of an ended vote',
    );
  });

  it('keeps what it knew while nobody answers, and goes on asking', async () => {
    down = true;
    await runTo(end + 2_000);
    assert.match(model.failure ?? '', /HTTP 503/);
    assert.equal(verdict().outcome.kind, 'wouldPass');
    [down, status] = [false, 'REJECTED'];
    await runTo(end + 10_000);
    assert.deepEqual([model.failure, verdict().outcome.kind], [undefined, 'rejected']);
  });

  it('leaves a page alone that nobody sees', async () => {
    model.setVisible(false);
    status = 'PASSED';
    await runTo(end + 600_000);
    assert.equal(ofProposal(), 1);
    model.setVisible(true);
    await settle();
    assert.equal(verdict().outcome.kind, 'passed');
    assert.equal(ofProposal(), 2);
  });

  it('takes over what somebody else learned, and asks for no parameters that were read in the last ten minutes', async () => {
    status = 'PASSED';
    const before = asked.filter((path) => path.startsWith('gov/v1/params')).length;
    await session.lists.proposals.load(7n);
    await settle();
    assert.equal(verdict().outcome.kind, 'passed');
    assert.equal(asked.filter((path) => path.startsWith('gov/v1/params')).length, before);
  });

  it('tells once when the units are known, and nothing of pages of the supply', async () => {
    await settle();
    let told = 0;
    model.onDidChange(() => told++);
    const other = startModel();
    other.onDidChange(() => told++);
    await other.start();
    await settle();
    assert.equal(told, 2, 'its inputs and the units');
    await session.lists.supply.pager.loadMore();
    await settle();
    assert(asked.some((path) => path.startsWith('bank/v1beta1/supply?')));
    assert.equal(told, 2);
    other.dispose();
  });

  it('asks nothing any more once it is disposed', async () => {
    model.dispose();
    const sofar = asked.length;
    await runTo(end + 600_000);
    assert.equal(asked.length, sofar);
  });
});

/** Lets all that is under way come to its end: nothing here waits for anything but turns of the loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
