import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toGovParams } from '../../../src/api/decode/govParams.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import type { GovParams } from '../../../src/chain/gov/params.ts';
import type { Proposal } from '../../../src/chain/gov/proposal.ts';
import { type Tally, totalVotes, voteOptions } from '../../../src/chain/gov/tally.ts';
import { toVerdict, type Verdict } from '../../../src/chain/gov/verdict.ts';
import { basisPoints, quotient } from '../../../src/chain/ratio.ts';
import { runs } from '../../support/random.ts';

/** LegacyDec of cosmossdk.io/math v1.3, decimal.go: an integer in units of 10^-18. */
const one = 10n ** 18n;

/** chopPrecisionAndRound: 18 digits are cut off, a half goes to the even neighbour. */
function chop(value: bigint): bigint {
  const [cut, rest] = [value / one, value % one];
  const half = one / 2n;
  return rest > half || (rest === half && cut % 2n !== 0n) ? cut + 1n : cut;
}

const mul = (a: bigint, b: bigint) => chop(a * b);
const quo = (a: bigint, b: bigint) => chop((a * one * one) / b);

type Exact = Readonly<Record<(typeof voteOptions)[number], bigint>>;
interface Limits {
  readonly quorum: bigint;
  readonly veto: bigint;
  readonly threshold: bigint;
}

/** x/gov/keeper/tally.go of SDK 0.50.13, from "If there is no staked coins, the proposal fails" on; counts as LegacyDec. */
function decide(results: Exact, total: bigint, bonded: bigint, { quorum, veto, threshold }: Limits): string {
  if (bonded === 0n) return 'bonded';
  if (quo(total, bonded * one) < quorum) return 'quorum';
  if (total - results.abstain === 0n) return 'notAllAbstain';
  if (quo(results.noWithVeto, total) > veto) return 'veto';
  if (quo(results.yes, total - results.abstain) > threshold) return 'passes';
  return 'threshold';
}

const wholeCount = (exact: bigint) => exact / one;
const cut = (exact: Exact): Tally => ({
  yes: wholeCount(exact.yes),
  abstain: wholeCount(exact.abstain),
  no: wholeCount(exact.no),
  noWithVeto: wholeCount(exact.noWithVeto),
});
const paramsOf = ({ quorum, veto, threshold }: Limits): GovParams => ({
  ...toGovParams({}),
  quorum,
  vetoThreshold: veto,
  threshold,
});
const verdictOf = (tally: Tally, bonded: bigint, limits: Limits): Verdict =>
  toVerdict(proposal, { liveTally: tally, votingPower: bonded, params: paramsOf(limits) });

/** A vote by one account: its voting power and its weights in percent, which are exact, so that the sum of options is the total. */
const ballot = fc.record({
  power: fc.oneof(
    fc.bigInt({ min: 100n * one, max: 2_000n * one }),
    // Less than one unit for some options, which is stated as zero.
    fc.bigInt({ min: 100n, max: 3n * one }),
    fc.bigInt({ min: 100n, max: 2_000n }).map((tokens) => tokens * one),
    fc.bigInt({ min: 10n ** 26n, max: 10n ** 40n }),
  ),
  options: fc.oneof(
    fc.constantFrom(...voteOptions).map((option) => [[option, 100n] as const]),
    fc
      .tuple(fc.uniqueArray(fc.constantFrom(...voteOptions), { minLength: 2, maxLength: 2 }), fc.bigInt(1n, 99n))
      .map(([[a, b], weight]) => [[a ?? 'yes', weight] as const, [b ?? 'no', 100n - weight] as const]),
  ),
});
const hundredth = one / 100n;
const limit = fc.oneof(
  fc.constantFrom(0n, one / 3n, 334n * (one / 1000n), one / 2n, 667n * (one / 1000n), one),
  fc.bigInt({ min: 0n, max: one }),
);
const limits = fc.record({ quorum: limit, veto: limit, threshold: limit });

/** Counts as the chain does: keeper.Tally, with `votingPower.Mul(weight)` for each option. */
function count(ballots: readonly { power: bigint; options: readonly (readonly [keyof Exact, bigint])[] }[]) {
  const results = { yes: 0n, abstain: 0n, no: 0n, noWithVeto: 0n };
  let total = 0n;
  for (const { power, options } of ballots) {
    const exact = power - (power % 100n);
    for (const [option, percentage] of options) results[option] += mul(exact, percentage * hundredth);
    total += exact;
  }
  return { results, total };
}

/** A tally of zeros alone is that of no votes; where there are some, none of one unit, single votes show it. */
function statedOf(tally: Tally, ballots: readonly unknown[]): Tally {
  const hidesVotes = totalVotes(tally) === 0n && ballots.length > 0;
  return hidesVotes ? { ...tally, voted: voteOptions } : tally;
}

/** The share that the limit of a rule is compared with, for the stated tally. */
function ratioOf(rule: string, tally: Tally, bonded: bigint): bigint {
  const total = totalVotes(tally);
  const share = (part: bigint, of: bigint) => (of === 0n ? 0n : quo(part * one, of * one));
  if (rule === 'quorum') return share(total, bonded);
  return rule === 'veto' ? share(tally.noWithVeto, total) : share(tally.yes, total - tally.abstain);
}

const sample = { numRuns: runs(1_500, 200_000), seed: 20261121 };

describe('a verdict, against the SDK in its own arithmetic', () => {
  it('is what the chain decides, or too close to tell', () => {
    const seen = new Set<string>();
    const property = fc.property(
      fc.array(ballot, { maxLength: 6 }),
      fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 20_000n }), fc.bigInt({ min: 10n ** 8n, max: 10n ** 23n })),
      limits,
      fc.constantFrom('', 'quorum', 'veto', 'threshold'),
      (ballots, bonded, given, near) => {
        const { results, total } = count(ballots);
        const rules = near === '' ? given : { ...given, [near]: ratioOf(near, cut(results), bonded) };
        const chain = decide(results, total, bonded, rules);
        const stated = statedOf(cut(results), ballots);
        const { outcome } = verdictOf(stated, bonded, rules);
        seen.add(outcome.kind === 'wouldFail' ? outcome.rule : outcome.kind);
        if (outcome.kind === 'tooClose') return;
        assert.equal(outcome.kind === 'wouldPass', chain === 'passes');
        // A rule that is too close may come before the one that surely fails.
        if (outcome.kind === 'wouldFail' && chain !== outcome.rule) {
          const { rules: worked } = verdictOf(stated, bonded, rules);
          assert.equal(worked.find(({ name }) => name === chain)?.result, 'close');
        }
      },
    );
    fc.assert(property, sample);
    assert.deepEqual([...seen].sort(), [
      'bonded',
      'notAllAbstain',
      'quorum',
      'threshold',
      'tooClose',
      'veto',
      'wouldPass',
    ]);
  });

  it('is too close only where decimals that whole units hide decide', () => {
    const whole = fc.record({
      yes: fc.bigInt(0n, 40n),
      abstain: fc.bigInt(0n, 40n),
      no: fc.bigInt(0n, 40n),
      noWithVeto: fc.bigInt(0n, 40n),
    });
    const property = fc.property(whole, fc.bigInt(0n, 200n), limits, (tally, bonded, rules) => {
      const { outcome } = verdictOf(tally, bonded, rules);
      const most = (n: bigint) => (totalVotes(tally) === 0n ? 0n : n * one + one - 1n);
      const least = (n: bigint) => n * one;
      const decisions = new Set<string>();
      // The ends of the ranges: each option at its least or at its most.
      for (let bits = 0; bits < 16; bits++) {
        const at = (bit: number, n: bigint) => ((bits >> bit) & 1 ? most(n) : least(n));
        const exact = {
          yes: at(0, tally.yes),
          abstain: at(1, tally.abstain),
          no: at(2, tally.no),
          noWithVeto: at(3, tally.noWithVeto),
        };
        const total = exact.yes + exact.abstain + exact.no + exact.noWithVeto;
        decisions.add(decide(exact, total, bonded, rules));
      }
      if (outcome.kind === 'tooClose') assert.ok(decisions.size > 1, [...decisions].join());
      else
        assert.equal(
          [...decisions].some((decision) => decision === 'passes'),
          outcome.kind === 'wouldPass',
        );
    });
    fc.assert(property, sample);
  });

  it('counts the Yes votes with which a proposal surely passes', () => {
    const small = fc.record({
      yes: fc.bigInt(0n, 12n),
      abstain: fc.bigInt(0n, 12n),
      no: fc.bigInt(0n, 12n),
      noWithVeto: fc.bigInt(0n, 8n),
    });
    const property = fc.property(small, fc.bigInt(1n, 90n), limits, (tally, bonded, rules) => {
      const passes = (extra: bigint) => {
        // Where nobody has voted yet, further votes for Yes are all that there are.
        const voted = totalVotes(tally) === 0n ? (['yes'] as const) : undefined;
        const kind = verdictOf({ ...tally, yes: tally.yes + extra, voted }, bonded, rules).outcome.kind;
        return kind === 'wouldPass';
      };
      const { moreYes } = toVerdict(proposal, { liveTally: tally, votingPower: bonded, params: paramsOf(rules) });
      if (moreYes === undefined) assert.ok(!passes(10_000n));
      else if (moreYes < 10n ** 9n) {
        assert.ok(passes(moreYes) || moreYes === 0n);
        // One less may pass by chance, never surely, except that the first Yes vote itself brings decimals.
        if (moreYes > 1n) assert.ok(!passes(moreYes - 2n));
      }
    });
    fc.assert(property, sample);
  });

  it('takes a zero for exact where single votes show it, and then says what the chain decides or that it is too close', () => {
    const property = fc.property(
      fc.array(ballot, { maxLength: 6 }),
      fc.bigInt(0n, 20_000n),
      limits,
      (ballots, bonded, rules) => {
        const { results, total } = count(ballots);
        const voted = voteOptions.filter((option) =>
          ballots.some(({ options }) => options.some(([one]) => one === option)),
        );
        const tally = cut(results);
        const { outcome } = verdictOf({ ...tally, voted }, bonded, rules);
        if (outcome.kind !== 'tooClose') {
          assert.equal(outcome.kind === 'wouldPass', decide(results, total, bonded, rules) === 'passes');
          return;
        }
        assert.equal(verdictOf(tally, bonded, rules).outcome.kind === 'wouldPass', false, 'knows less and says more');
      },
    );
    fc.assert(property, sample);
  });

  it('tells to the unit how far each rule is from its limit', () => {
    const small = fc.record({
      yes: fc.bigInt(0n, 30n),
      abstain: fc.bigInt(0n, 30n),
      no: fc.bigInt(0n, 30n),
      noWithVeto: fc.bigInt(0n, 30n),
    });
    const property = fc.property(small, fc.bigInt(1n, 200n), limits, (tally, bonded, rules) => {
      for (const { name, part, of, margin, result, limit: needed } of verdictOf(tally, bonded, rules).rules) {
        if (part === undefined || !of || needed === undefined) continue;
        assert.equal(margin === undefined, result === 'close' || (name === 'threshold' && needed >= one), name);
        if (margin === undefined) continue;
        const holds = (value: bigint) => {
          const ratio = quo(value * one, of * one);
          return name === 'quorum' ? ratio >= needed : name === 'veto' ? ratio <= needed : ratio > needed;
        };
        assert.equal(holds(part), result === 'met');
        const inward = name === 'veto' ? 1n : -1n;
        const edge = result === 'met' ? part + inward * margin : part - inward * margin;
        assert.ok(holds(edge), `${name} holds at its edge`);
        const beyond = edge + inward;
        if (beyond >= 0n && beyond <= of) assert.ok(!holds(beyond), `${name} ends at its edge`);
      }
    });
    fc.assert(property, sample);
  });
});

describe('shares', () => {
  it('are cut to hundredths of a percent, in the bar as in the rules', () => {
    const count = fc.bigInt(0n, 10n ** 40n);
    const tallies = fc.record({ yes: count, abstain: count, no: count, noWithVeto: count });
    const property = fc.property(tallies, (tally) => {
      const total = totalVotes(tally);
      if (total === 0n) return assert.equal(quotient(tally.yes, total), undefined);
      const parts = voteOptions.map((option) => quotient(tally[option], total) ?? -1n);
      const expected = voteOptions.map((option) => quo(tally[option] * one, total * one));
      assert.deepEqual(parts, expected);
      const sum = parts.reduce((all, part) => all + basisPoints(part), 0);
      assert.ok(sum <= 10_000 && sum > 9_996);
    });
    fc.assert(property, sample);
  });
});

const proposal: Proposal = (() => {
  const row = toProposalRow(readProposalRow('v1beta1', { proposal_id: '1', content: null, status: 2 }));
  assert.ok(row.kind === 'proposal');
  return row;
})();
