import assert from 'node:assert/strict';
import { toGovParams } from '../../../src/api/decode/govParams.ts';
import { type Fields, isFields } from '../../../src/chain/fields.ts';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { moduleAddresses } from '../../node/accounts.ts';
import { versions } from '../../node/build.ts';
import { readRecording } from '../../node/recording.ts';
import { reportOf } from './exampleDrafts.ts';

/** A proposal that a chain took, as REST shows it, turned back into the draft that it may have come from. */
function draftOf(proposal: Fields): string {
  const coins = Array.isArray(proposal.total_deposit) ? proposal.total_deposit.filter(isFields) : [];
  const deposit = coins.map(({ amount, denom }) => `${amount}${denom}`).join(',');
  const { messages, content } = proposal;
  const write = (value: object) => JSON.stringify(value, null, 2);
  if (Array.isArray(messages)) {
    const { title, summary, metadata = '', expedited } = proposal;
    return write({ messages, metadata, deposit, title, summary, expedited });
  }
  const known = isFields(content) ? content : {};
  const { title, description, changes, recipient, amount } = known;
  const type = String(known['@type']);
  const own = { title, description, deposit };
  if (type.endsWith('.TextProposal')) return write({ ...own, type: 'Text' });
  if (Array.isArray(changes)) {
    const files = changes.filter(isFields).map((change) => ({ ...change, value: JSON.parse(String(change.value)) }));
    return write({ ...own, changes: files });
  }
  if (Array.isArray(amount) && type.includes('CommunityPoolSpend')) {
    const spent = amount.filter(isFields).map((coin) => `${coin.amount}${coin.denom}`);
    return write({ ...own, recipient, amount: spent.join(',') });
  }
  // Some nodes show a message in place of a content.
  const isMessage = /\.Msg\w+$/.test(type);
  const wrapped = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority: moduleAddresses.gov };
  if (isMessage) return write({ messages: [content], metadata: '', deposit });
  return write({ messages: [wrapped], metadata: '', deposit, title, summary: description });
}

function rowsOf(body: unknown): readonly Fields[] {
  const rows = isFields(body) ? (body.proposals ?? [body.proposal]) : undefined;
  return Array.isArray(rows) ? rows.filter(isFields) : [];
}

/** Warnings on proposals that were accepted, each read; why it is right all the same. */
const justified: Readonly<Record<string, string>> = {
  'sends-off': 'A proposal of the scenario turns sends off.',
  'upgrade-height-far': 'The plans of our own nodes are at heights that they never reach.',
  'upgrade-height-soon': 'Votes of our own nodes last seconds, and their plans are a few blocks away.',
  'message-undone': 'Proposals of the scenario have the same message twice.',
  'value-jump':
    'Our own nodes have deposits and periods of a test; the parameters that they are held to are those of the end.',
  'period-cut': 'As for value-jump.',
  'coins-form': "A proposal of the SDK's own example spends nothing; its version is not known.",
  'metadata-placeholder': 'The node takes any text; the placeholder leads nowhere all the same.',
  'upgrade-info': 'The plans of our own nodes have "checksum=sha256:00", which cosmovisor refuses.',
  'escaped-twice': 'The texts do show backslashes: BitSong 6 and 12, Quicksilver 37.',
  'title-missing': 'Where no version is known it is a warning; the chain of this row had SDK 0.46.',
  'summary-missing': 'Where no version is known it is a warning; the chain of this row had SDK 0.46.',
  'legacy-param-unknown': 'Chains that were made with SDK 0.39 wrote "sendenabled"; no chain of today does.',
  'text-long': 'The limits are those of the SDK; chains with longer texts have raised theirs.',
};

interface Outcome {
  readonly errors: readonly string[];
  readonly warnings: ReadonlySet<string>;
  readonly count: number;
}

function check(proposals: readonly Fields[], factsOf: (proposal: Fields) => ChainFacts): Outcome {
  const errors: string[] = [];
  const warnings = new Set<string>();
  for (const proposal of proposals) {
    const text = draftOf(proposal);
    for (const { severity, code, range } of reportOf(text, factsOf(proposal)).findings) {
      const place = text.slice(range.start, range.end).slice(0, 100);
      if (severity === 'error') errors.push(`#${proposal.id ?? proposal.proposal_id} ${code}: ${place}`);
      if (severity === 'warning') warnings.add(code);
    }
  }
  return { errors, warnings, count: proposals.length };
}

/** The facts of a recorded node: its parameters in the form of gov that it offers. */
function factsOfNode(version: string, recording: ReturnType<typeof readRecording>): ChainFacts {
  const bodyOf = (path: string) => recording.answers.find((one) => one.path === path && one.status === 200)?.body;
  const form = version === '0.45.16' ? 'v1beta1' : 'v1';
  const group = (kind: string, name: string) => {
    const body = bodyOf(`/cosmos/gov/${form}/params/${kind}`);
    const found = isFields(body) ? body[name] : undefined;
    return isFields(found) ? found : undefined;
  };
  const govParams = toGovParams({
    v1: group('tallying', 'params'),
    voting: group('voting', 'voting_params'),
    deposit: group('deposit', 'deposit_params'),
    tally: group('tallying', 'tally_params'),
  });
  const modules = ['auth', 'bank', 'distribution', 'mint', 'slashing', 'staking'].map((module) => {
    const body = bodyOf(`/cosmos/${module}/v1beta1/params`);
    return [`cosmos.${module}.v1beta1`, isFields(body) && isFields(body.params) ? body.params : {}] as const;
  });
  return {
    ...nothingKnown,
    hasGovV1: form === 'v1',
    sdkVersion: `v${version}`,
    govParams,
    govAccount: moduleAddresses.gov,
    prefix: 'cosmos',
    moduleParams: new Map(modules),
  };
}

describe('proposals that chains took, as drafts', () => {
  for (const version of versions) {
    it(`have no error on the node of SDK ${version}, with its parameters of their time`, () => {
      const recording = readRecording(version);
      const facts = factsOfNode(version, recording);
      const heightAt = (time: unknown) => recording.times.findIndex((one) => one >= String(time)) + 1;
      const factsOf = ({ submit_time: time }: Fields): ChainFacts => {
        return { ...facts, height: BigInt(heightAt(time)), time: new Date(String(time)), blockSeconds: 0.4 };
      };
      const all = new Map<string, Fields>();
      for (const { path, body, status } of recording.answers) {
        if (status !== 200 || !path.startsWith(`/cosmos/gov/${facts.hasGovV1 ? 'v1' : 'v1beta1'}/proposals`)) continue;
        for (const row of rowsOf(body)) all.set(String(row.id ?? row.proposal_id), row);
      }
      // Upgrades had no file on the command line of SDK 0.45, but flags.
      const hasFile = ({ content }: Fields) => !isFields(content) || content.plan === undefined;
      // Those without any deposit were dropped, or never started; their deposit of the submission is not recorded.
      const taken = [...all.values()]
        .filter(({ total_deposit: coins }) => Array.isArray(coins) && coins.length > 0)
        .filter(
          (one) =>
            one.messages !== undefined || (hasFile(one) && !String(Object(one.content)['@type']).includes('Cancel')),
        );
      const { errors, warnings, count } = check(taken, factsOf);
      assert.ok(count >= 20, `${count} proposals`);
      assert.deepEqual(errors, []);
      assert.deepEqual(
        [...warnings].filter((code) => justified[code] === undefined),
        [],
      );
    });
  }

  it('have no error where they were recorded on public chains, of which no parameters are known', function () {
    const data = chainData();
    if (!data) return this.skip();
    const proposals = data.list('responses').flatMap((name) => {
      try {
        return rowsOf(JSON.parse(data.text(`responses/${name}`)));
      } catch {
        return [];
      }
    });
    for (const name of data.list('states')) {
      const state = JSON.parse(data.text(`states/${name}`));
      const { app_state: app } = state.result?.genesis ?? state;
      // The amino form of old states has no drafts.
      for (const row of app?.gov?.proposals ?? []) if (row.proposal_status === undefined) proposals.push(row);
    }
    const { errors, warnings, count } = check(
      proposals.filter(({ status }) => status !== undefined),
      () => nothingKnown,
    );
    console.log(`      ${count} proposals; warnings: ${[...warnings].join(', ')}`);
    assert.ok(count >= 50, `${count} proposals`);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      [...warnings].filter((code) => justified[code] === undefined),
      [],
    );
  });
});
