import assert from 'node:assert/strict';
import { toGovParams } from '../../../src/chain/params.ts';
import { toProposalView } from '../../../src/ui/panel/proposalView.ts';
import { type FactChanges, factsOf } from './factsOf.ts';
import { plainWords } from './plainWords.ts';
import { sectionText, viewText } from './viewText.ts';

const section = (id: string, changes: object, more: FactChanges = {}) =>
  sectionText(toProposalView(factsOf(changes, more), plainWords), id);

const tally = (yes: string, abstain: string, no: string, veto: string) => ({
  final_tally_result: { yes, abstain, no, no_with_veto: veto },
});
const votes = (yes: bigint, abstain: bigint, no: bigint, noWithVeto: bigint) => ({ yes, abstain, no, noWithVeto });
const passed = { status: 'PROPOSAL_STATUS_PASSED' };
const rejected = { status: 'PROPOSAL_STATUS_REJECTED' };

describe('where a proposal stands', () => {
  it('is told with its working while it is voted on', () => {
    const liveTally = votes(62_317_480_551_209n, 12_012_993_100_000n, 21_254_668_004_417n, 4_107_377_900_001n);
    assert.equal(
      section('stands', {}, { inputs: { liveTally } }),
      `(good) Would pass if voting ended now. Quorum is reached: turnout 41.27 % of 33.40 % needed. Veto is at 4.12 %, its limit is 33.40 %. Yes has 71.07 % of the votes that count, more than 50.00 % is needed.
  ▸ Working
    Rule | Inputs | Value | Needed | Result | Margin
    Quorum | all votes / bonded tokens (99,692,519.555627 ATOM / 241,560,000 ATOM) | 41.27 % | ≥ 33.40 % | ✓ met | 19,011,479.555627 ATOM more than needed
    Not all abstain | Abstain / all votes (12,012,993.1 ATOM / 99,692,519.555627 ATOM) | – | less than all | ✓ met | 
    Veto | No with veto / all votes (4,107,377.900001 ATOM / 99,692,519.555627 ATOM) | 4.12 % | ≤ 33.40 % | ✓ met | 29,189,923.631578 ATOM below its limit (29.27 points)
    Threshold | Yes / (all votes − Abstain) (62,317,480.551209 ATOM / 87,679,526.455627 ATOM) | 71.07 % | > 50.00 % | ✓ met | 18,477,717.323395 ATOM of Yes to spare
    Votes: running count, from Test chain
    Stake: 241,560,000 ATOM, from Test chain
    Parameters: Quorum 33.40 %, Veto 33.40 %, Threshold 50.00 %, from Test chain
[Yes 62.50 %, Abstain 12.05 %, No 21.32 %, No with veto 4.12 %]
  ^ 43.97 % threshold: 50.00 % of all but Abstain
  ^ 66.6 % veto limit: 33.40 % from this end
[Turnout: 41.27 % of bonded tokens] ^ 33.4 % quorum: 33.40 %
Option | Share of votes | ATOM | Base units (uatom)
Yes | 62.50 % | 62,317,480.551209 | 62317480551209
Abstain | 12.05 % | 12,012,993.100000 | 12012993100000
No | 21.32 % | 21,254,668.004417 | 21254668004417
No with veto | 4.12 % | 4,107,377.900001 | 4107377900001
All votes | 100.00 % | 99,692,519.555627 | 99692519555627`,
    );
  });

  it('names what it does not know, and guesses nothing', () => {
    const inputs = { liveTally: votes(10n, 0n, 0n, 0n), bonded: undefined, params: toGovParams(undefined) };
    const text = section('stands', {}, { inputs });
    assert.match(text, /^\(plain\) Cannot be told from this source\. /);
    assert.match(text, /Turnout unknown: this source has no staking data\./);
    assert.match(text, /Quorum unknown: this source does not tell its gov parameters\./);
    assert.doesNotMatch(text, /Would/);
    assert.match(text, /Stake: turnout unknown: this source has no staking data/);
  });

  it('says what is missing to pass', () => {
    const text = section('stands', {}, { inputs: { liveTally: votes(1_000_000n, 0n, 0n, 0n) } });
    assert.match(
      text,
      /^\(bad\) Would be rejected if voting ended now\. Quorum is not reached: turnout 0\.00 % of 33\.40 % needed, 80,681,039 ATOM more votes\./,
    );
    assert.match(text, /It passes with 80,681,039 ATOM more Yes\./);
  });

  it('is the plain sentence without a running count', () => {
    assert.match(section('stands', {}), /The final tally is not known until voting ends\.$/);
  });

  it('waits for the rules instead of taking back what it said', () => {
    const text = section('stands', passed, { inputs: null });
    assert.match(text, /^Reading the rules of the vote…/);
    assert.doesNotMatch(text, /Passed\./);
  });

  it('never uses the stake of today for a vote that has ended', () => {
    const text = section('stands', { ...passed, ...tally('800', '100', '90', '10') });
    assert.match(text, /^\(good\) Passed\./);
    assert.match(text, /Quorum .* not known for an ended vote\) \| – \| ≥ 33\.40 % \| not known/);
    assert.doesNotMatch(text, /Turnout|241,560,000/);
  });

  it('explains a tie: more than half is needed', () => {
    const text = section('stands', { ...rejected, ...tally('50', '1', '53', '0') });
    assert.match(text, /^\(bad\) Rejected\. Yes has 48\.54 % of the votes that count and needs more than 50\.00 %\./);
    assert.match(text, /needs 0\.000005 ATOM more Yes/);
  });

  it('says that decimals decide where whole units tie', () => {
    const text = section('stands', { ...rejected, ...tally('50', '1', '50', '0') });
    assert.match(text, /^\(bad\) Rejected\. One of these rules decided: Quorum, Threshold\./);
    assert.match(text, /Yes is at 50\.00 %, at the limit of 50\.00 %: decimals that are not shown decide\./);
    assert.match(text, /> 50\.00 % \| too close to tell/);
  });

  it('shows every digit where two would look equal', () => {
    const text = section('stands', { ...passed, ...tally('50000002', '0', '50000000', '0') });
    assert.match(text, /Yes has 50\.00000099999998\d* % of the votes that count, more than 50\.00 % is needed/);
  });

  it('tells by elimination that quorum was missed', () => {
    const text = section('stands', { ...rejected, ...tally('999', '1', '0', '0') });
    assert.match(text, /^\(bad\) Rejected\. The quorum was not reached: every other rule is met\./);
  });

  it('trusts the status of the chain over the parameters of today', () => {
    const text = section('stands', { ...passed, ...tally('400', '0', '600', '0') });
    assert.match(text, /^\(good\) Passed\. Veto is at 0\.00 %, its limit is 33\.40 %\.\n/);
    assert.match(text, /\(warning\) By the parameters of today this would not be met: Threshold\./);
  });

  it('tells no votes from nothing but abstentions', () => {
    const none = section(
      'stands',
      {},
      { inputs: { liveTally: votes(0n, 0n, 0n, 0n), bonded: undefined, params: toGovParams(undefined) } },
    );
    assert.match(none, /Would be rejected if voting ended now\. There are no votes\./);
    const abstain = section('stands', {}, { inputs: { liveTally: votes(0n, 5n, 0n, 0n), bonded: 5n } });
    assert.match(abstain, /There is no vote but Abstain\./);
  });

  it('says that a failed proposal had passed', () => {
    assert.match(
      section('stands', { status: 'PROPOSAL_STATUS_FAILED', ...tally('9', '0', '0', '0') }),
      /^\(bad\) Passed, and then could not be executed\. The chain states no reason\./,
    );
  });
});

describe('the unit of votes', () => {
  const liveTally = votes(10n, 0n, 0n, 0n);

  it('is said to be base units where nobody names the denom', () => {
    const text = section('stands', {}, { inputs: { liveTally }, bondDenom: undefined });
    assert.match(text, /It passes with 80,681,039,999,990 base units more Yes\./);
    assert.match(text, /Unit: base units: this source does not name the denom of its stake/);
    assert.match(text, /Option \| Share of votes \| Base units\n/);
  });

  it('names the registry where only that says so, and nobody where the chain does', () => {
    const text = section('stands', {}, { inputs: { liveTally }, isRegistryDenom: true });
    assert.match(text, /Unit: uatom: the staking token of this chain by the chain registry/);
    assert.doesNotMatch(section('stands', {}, { inputs: { liveTally } }), /Unit:/);
  });
});

describe('an expedited vote that goes on as a regular one', () => {
  it('shows the count of its first round beside the running one', () => {
    const liveTally = votes(10n, 0n, 0n, 0n);
    const text = section('stands', tally('600000000', '0', '400000000', '0'), { inputs: { liveTally } });
    assert.match(text, /Yes \| 100\.00 % \| 0\.000010 \| 10\n/);
    assert.match(
      text,
      /▸ First round\n {2}It was put to an expedited vote first and did not pass\. It goes on as a regular proposal/,
    );
    assert.match(text, /Yes \| 60\.00 % \| 600\.000000 \| 600000000\n/);
    const unknown = section('stands', tally('600000000', '0', '400000000', '0'));
    assert.match(unknown, /The final tally is not known until voting ends\.\n▸ First round/);
  });

  it('shows none where there was none, nor for a vote that has ended', () => {
    assert.doesNotMatch(section('stands', {}), /First round/);
    assert.doesNotMatch(section('stands', { ...passed, ...tally('6', '0', '4', '0') }), /First round/);
  });
});

describe('a vote whose time is over while its status is still voting', () => {
  const over = { voting_end_time: '2026-11-26T02:07:59Z' };

  it('says that the chain has not said the result yet', () => {
    const [lead] = section('stands', over, { inputs: { liveTally: votes(200_000_000_000_000n, 0n, 0n, 0n) } }).split(
      '\n',
    );
    assert.match(
      lead ?? '',
      /^\(good\) Voting is over, and by this count it passes\. .* The chain has not said the result yet\.$/,
    );
    const [rejected] = section('stands', over, { inputs: { liveTally: votes(1n, 0n, 0n, 0n) } }).split('\n');
    assert.match(rejected ?? '', /^\(bad\) Voting is over, and by this count it is rejected\. Quorum is not reached/);
    assert.doesNotMatch(rejected ?? '', /more Yes/);
    assert.match(
      section('stands', over),
      /^\(plain\) Voting is over\. The chain has not said the result yet\. Votes unknown/,
    );
  });
});

describe('the deposit of a proposal', () => {
  const inDeposit = { status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD' };

  it('stands against the minimum', () => {
    const total_deposit = [{ denom: 'uatom', amount: '312000000' }];
    assert.equal(
      section('deposit', { ...inDeposit, total_deposit }),
      'Deposited: 312 of 512 ATOM; 200 missing (312000000 / 512000000 uatom)\n[60.93 % of the minimum deposit in ATOM]',
    );
  });

  it('says so where the minimum is not known', () => {
    assert.equal(
      section('deposit', { ...inDeposit, total_deposit: [] }, { inputs: { params: toGovParams(undefined) } }),
      'Deposited: nothing\nMinimum: not known: this source does not tell its gov parameters',
    );
  });
});

describe('what is proposed', () => {
  it('is a table of parameters, beside what they are now', () => {
    const changes = [
      { subspace: 'staking', key: 'MaxValidators', value: '200' },
      { subspace: 'gov', key: 'a', value: '{"a":1}' },
      { subspace: 'gov', key: 'b', value: 'no JSON' },
    ];
    const content = {
      '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
      title: 'T',
      description: 'D',
      changes,
    };
    const currentParams = new Map([
      ['staking/MaxValidators', '180'],
      ['gov/a', '{ "a": 1 }'],
    ]);
    assert.equal(
      section('proposed', { content }, { inputs: { currentParams } }),
      `## Parameter change /cosmos.params.v1beta1.ParameterChangeProposal
Subspace | Key | Now | Proposed
staking | MaxValidators | -180 | +200
gov | a | {
  "a": 1
} | {
  "a": 1
} (the same)
gov | b | not known | no JSON (not JSON)`,
    );
  });

  it('is the parameters of a module that change, beside what they are now, and those that stay', () => {
    const params = {
      max_validators: 200,
      bond_denom: 'uatom',
      min_commission_rate: '0.050000000000000000',
      new_one: { a: true },
    };
    const content = { '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority: 'gov', params };
    const currentParams = new Map([
      ['cosmos.staking.v1beta1/max_validators', '180'],
      ['cosmos.staking.v1beta1/bond_denom', '"uatom"'],
      ['cosmos.staking.v1beta1/min_commission_rate', '"0.05"'],
    ]);
    assert.equal(
      section('proposed', { content }, { inputs: { currentParams } }),
      `## Update params /cosmos.staking.v1beta1.MsgUpdateParams
Parameter | Now | Proposed
max_validators | -180 | +200
new_one | not known | {
  "a": true
}
▸ Same as now: 2 parameters
  Parameter | Now and proposed
  bond_denom | uatom
  min_commission_rate | 0.050000000000000000
- authority: gov`,
    );
  });

  it('is every parameter of a module where nobody tells what they are now, and says so', () => {
    const params = { max_validators: 200, bond_denom: 'uatom' };
    const content = { '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority: 'gov', params };
    const text = section('proposed', { content });
    assert.match(text, /Parameter \| Proposed\nmax_validators \| 200\nbond_denom \| uatom\n/);
    assert.match(text, /What is set now is not known: this source does not tell these parameters\./);
    assert.doesNotMatch(section('proposed', { content }, { inputs: null }), /not known/);
  });

  it('is a table of spends, in display units and raw', () => {
    const amount = [
      { denom: 'uatom', amount: '123456789' },
      { denom: 'ibc/AB', amount: '7' },
    ];
    const content = {
      '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
      title: 'T',
      description: 'D',
      recipient: 'a1',
      amount,
    };
    assert.equal(
      section('proposed', { content }),
      `## Community pool spend /cosmos.distribution.v1beta1.CommunityPoolSpendProposal
Recipient | Amount
a1 | 123.456789 ATOM (123456789 uatom)
a1 | 7 ibc/AB`,
    );
  });

  it('is byte code by size and digest', () => {
    const content = {
      '@type': '/cosmwasm.wasm.v1.StoreCodeProposal',
      title: 'T',
      description: 'D',
      wasm_byte_code: 'AGFzbQ==',
    };
    assert.match(
      section('proposed', { content }),
      /Byte code: 4 bytes\nSHA-256 of these bytes: cd5d4935a48c0672cb06407bb443bc0087aff947c6b864bac886982c73b3027f/,
    );
  });

  it('is every field of an unknown type, by number, up to where the bytes broke', () => {
    const value = Buffer.from('0a0154120144', 'hex').toString('base64');
    const unknown = Buffer.from('0a01541201441a0331323308', 'hex').toString('base64');
    assert.match(
      section('proposed', { content: { type_url: '/a.v1.B', value } }),
      /## B \/a\.v1\.B\nIt has no fields of its own\./,
    );
    assert.equal(
      section('proposed', { content: { type_url: '/a.v1.BProposal', value: unknown } })
        .split('\n')
        .slice(1, 3)
        .join('\n'),
      '- #3 text: 123\n- #rest: CA==',
    );
    assert.match(
      section('proposed', { content: { type_url: '/a.v1.BProposal', value: unknown } }),
      /cannot be read from byte 11 on/,
    );
  });

  it('is nothing where there is no content', () => {
    assert.match(section('proposed', { content: null }), /^The source states no content/);
  });
});

describe('the text of a view', () => {
  it('shows what cannot be seen, everywhere', () => {
    const content = {
      '@type': '/a.v1.\u202eProposal',
      title: 'a\u202eb',
      description: '# \u2066c\n\u200bd',
      field: '\u200fe',
    };
    const text = viewText(toProposalView(factsOf({ content }), plainWords));
    assert.doesNotMatch(text, /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
    for (const shown of ['a⟦U+202E⟧b', '# ⟦U+2066⟧c', '⟦U+200B⟧d', '⟦U+200F⟧e']) assert(text.includes(shown), shown);
  });

  it('marks airdrop phishing and hides nothing', () => {
    const description = 'Claim your airdrop: connect your wallet at https://atom-airdrop.example.com';
    const content = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'Airdrop', description };
    const view = toProposalView(factsOf({ content }), plainWords);
    assert.match(view.notices[0]?.text ?? '', /reads like airdrop phishing: it lures to atom-airdrop\.example\.com/);
    assert.match(sectionText(view, 'description'), /Claim your airdrop/);
  });

  it('keeps the JSON as it came, long strings by their beginning', () => {
    const content = { '@type': '/a.v1.B', title: 'T', description: 'x'.repeat(10_000) };
    const text = section('raw', { content });
    assert.match(text, /x{4000}… \(10000 characters; Open JSON shows all\)/);
    assert.match(text, /"proposal_id": "848"/);
  });
});
