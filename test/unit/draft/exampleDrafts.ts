import assert from 'node:assert/strict';
import { toGovParams } from '../../../src/api/decode/govParams.ts';
import { type Fields, isFields } from '../../../src/chain/fields.ts';
import type { GovParams } from '../../../src/chain/gov/params.ts';
import type { ChainFacts } from '../../../src/draft/chainFacts.ts';
import { checkDraft, type DraftReport } from '../../../src/draft/checkDraft.ts';
import type { TextEdit } from '../../../src/draft/draftEdits.ts';
import { findingText, repairText } from '../../../src/draft/draftWords.ts';
import type { Finding, FindingCode } from '../../../src/draft/finding.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { addresses, moduleAddresses } from '../../node/accounts.ts';
import { readRecording } from '../../node/recording.ts';

const recording = readRecording('0.53.8');

/** The answer of the recorded node of SDK 0.53.8 to a path at the recorded height. */
export function recorded(path: string): Fields {
  const answer = recording.answers.find((one) => one.path === path && one.status === 200);
  if (!isFields(answer?.body)) throw new Error(`${path} is not recorded`);
  return answer.body;
}

/** Today's parameters of a module. */
export function paramsOf(path: string): Fields {
  const { params } = recorded(path);
  if (!isFields(params)) throw new Error(`${path} has no params`);
  return params;
}

const govToday = paramsOf('/cosmos/gov/v1/params/tallying');

/** Deposits and periods are those of a public chain. */
export const govParams: GovParams = toGovParams({
  v1: {
    ...govToday,
    min_deposit: [{ denom: 'stake', amount: '10000000' }],
    expedited_min_deposit: [{ denom: 'stake', amount: '50000000' }],
    min_initial_deposit_ratio: '0.250000000000000000',
    min_deposit_ratio: '0.010000000000000000',
    voting_period: '1209600s',
    expedited_voting_period: '86400s',
  },
});

/** The facts of the recorded chain. */
export const facts: ChainFacts = {
  chainId: recording.chainId,
  height: BigInt(recording.height),
  time: new Date(recording.times.at(-1) ?? ''),
  blockSeconds: 6,
  sdkVersion: 'v0.53.8',
  hasGovV1: true,
  govParams,
  govAccount: moduleAddresses.gov,
  prefix: 'cosmos',
  moduleAccounts: new Map(Object.entries(moduleAddresses).map(([name, address]) => [address, name])),
  isProofOfAuthority: false,
  moduleParams: new Map([
    ...['auth', 'bank', 'distribution', 'mint', 'slashing', 'staking'].map(
      (module) => [`cosmos.${module}.v1beta1`, paramsOf(`/cosmos/${module}/v1beta1/params`)] as const,
    ),
    ['cosmos.gov.v1', govToday],
    ['cosmos.consensus.v1', paramsOf('/cosmos/consensus/v1/params')],
  ]),
  legacyParams: new Map<string, string | null>([
    ['nothing/X', null],
    ['ibctransfer/SendEnabled', 'true'],
    ['staking/MaxValidators', ''],
    ['baseapp/BlockParams', '{"max_bytes":"22020096","max_gas":"-1"}'],
    ['mint/InflationMax', '"0.200000000000000000"'],
    ['slashing/SignedBlocksWindow', '"10000"'],
    ['icahost/HostEnabled', 'true'],
  ]),
  communityPool: [{ denom: 'stake', amount: 5_000_000n }],
  appliedPlans: new Map([['v1.5', 80n]]),
  openPlans: [],
  openParams: [],
};

/** The facts with others in their place. */
export const known = (more: Partial<ChainFacts>): ChainFacts => ({ ...facts, ...more });

export const gov = moduleAddresses.gov;
export const someone = addresses.erin;

/** A draft that starts its vote at once, with these fields in place of its own; undefined takes a field out. */
export function draft(fields: object): string {
  const all = {
    messages: [],
    metadata: '{"title":"A title","summary":"A summary"}',
    deposit: '10000000stake',
    title: 'A title',
    summary: 'A summary',
    expedited: false,
  };
  return JSON.stringify({ ...all, ...fields }, null, 1);
}

/** A draft of these messages. */
export const ofMessages = (...messages: readonly object[]): string => draft({ messages, metadata: '' });

/** A message that sets the parameters of a module: today's with some of them changed, undefined leaves one out. */
export function update(module: string, change: object): object {
  const type = module.includes('.') ? module : `cosmos.${module}.v1beta1`;
  return {
    '@type': `/${type}.MsgUpdateParams`,
    authority: gov,
    params: { ...facts.moduleParams.get(type), ...change },
  };
}

export const spend = (amount: unknown, recipient: string = someone): object => ({
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  authority: gov,
  recipient,
  amount,
});

/** An IBC transfer of the gov account, without a timeout. */
export const transfer = (more: object = {}): object => ({
  '@type': '/ibc.applications.transfer.v1.MsgTransfer',
  source_port: 'transfer',
  source_channel: 'channel-0',
  token: { denom: 'stake', amount: '5' },
  sender: gov,
  receiver: 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp',
  ...more,
});

export const coins = (amount: unknown, denom = 'stake'): readonly object[] => [{ denom, amount }];

export const upgrade = (plan: object, type = 'cosmos.upgrade.v1beta1.MsgSoftwareUpgrade'): object => ({
  '@type': `/${type}`,
  authority: gov,
  plan: { name: 'v2', time: '0001-01-01T00:00:00Z', height: '9000000', info: '', upgraded_client_state: null, ...plan },
});

export const legacy = (content: object): object => ({
  '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
  content,
  authority: gov,
});

export const legacyChange = (...changes: readonly object[]): object =>
  legacy({
    '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
    title: 'Old',
    description: 'Old form',
    changes,
  });

export const change = (subspace: string, key: string, value: unknown): object => ({ subspace, key, value });

/** The report on a text that has to be a draft. */
export function reportOf(text: string, about: ChainFacts = facts): DraftReport {
  const report = checkDraft(text, about);
  if (!report) throw new Error(`This is no draft: ${text.slice(0, 200)}`);
  for (const finding of report.findings) assertWhole(text, finding);
  return report;
}

/** Checks what holds for any finding: it has a place in the text and whole sentences, and its repairs change the text. */
export function assertWhole(text: string, finding: Finding): void {
  const { code, range, repairs } = finding;
  assert.ok(range.start >= 0 && range.start < range.end && range.end <= text.length, `${code}: ${text}`);
  const said = [findingText(finding, plainEnglish), ...repairs.map((one) => repairText(one, plainEnglish))];
  for (const sentence of said) assert.doesNotMatch(sentence, /undefined|NaN|\[object|\{\d\}|^$/, `${code}: ${text}`);
  for (const { edits } of repairs) assert.notEqual(applyEdits(text, edits), text);
}

/** `error title-missing`, in the order of the text. */
export function codesOf(text: string, about: ChainFacts = facts): readonly string[] {
  return reportOf(text, about).findings.map(({ severity, code }) => `${severity} ${code}`);
}

/** The first finding of a code. */
export function findingOf(text: string, code: FindingCode, about: ChainFacts = facts): Finding {
  const { findings } = reportOf(text, about);
  const found = findings.find((one) => one.code === code);
  if (!found) throw new Error(`No ${code}, but ${findings.map((one) => one.code).join() || 'nothing'}: ${text}`);
  return found;
}

/** The text after edits, which do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits.toSorted((a, b) => b.range.start - a.range.start);
  return ordered.reduce(
    (done, { range, newText }) => done.slice(0, range.start) + newText + done.slice(range.end),
    text,
  );
}

/** The text after each of the repairs of a finding, by its code. */
export function repaired(text: string, { repairs }: Finding): ReadonlyMap<string, string> {
  return new Map(repairs.map(({ code, edits }) => [code, applyEdits(text, edits)]));
}

/** Drafts of about 100 kB: misspelt messages, parameters that change again and again, and many spends. */
export function largeDrafts(): Readonly<Record<string, string>> {
  const many = (length: number, make: (at: number) => object): readonly object[] =>
    Array.from({ length }, (_, at) => make(at));
  const misspelt = (name: string) => ({ '@type': `/cosmos.slashing.v1.${name}`, validator_addr: gov });
  return {
    'misspelt messages': ofMessages(...many(780, () => misspelt('MsgUnjail'))),
    'misspelt packages': ofMessages(...many(760, () => misspelt('MsgUpdateParams'))),
    parameters: ofMessages(...many(90, (at) => update('cosmos.gov.v1', { quorum: `0.${at + 10}` }))),
    spends: ofMessages(...many(420, () => spend(coins('5'))), { ...update('staking', {}), params: {} }),
  };
}
