import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toWaitingView } from '../../src/page/proposalView.ts';
import { runs } from '../support/random.ts';
import type { FactChanges } from '../unit/page/factsOf.ts';
import { plainWords } from '../unit/page/plainWords.ts';
import { BarePage } from './gallery/barePage.ts';
import { galleryCases, messageCases, type NumberedCase } from './gallery/galleryState.ts';
import { hostileCases, problemsOf } from './gallery/hostilePage.ts';
import { hostilePayloads } from './gallery/hostilePayloads.ts';

const cases = [...galleryCases(), ...messageCases()];

function caseOf(name: string): NumberedCase {
  const found = cases.find((one) => one.name === name);
  assert(found, name);
  return found;
}

/** Votes and present values that the chain of a case has beside it. */
const live: FactChanges = {
  inputs: {
    liveTally: {
      yes: 90_000_000_000_000n,
      abstain: 5_000_000_000_000n,
      no: 4_000_000_000_000n,
      noWithVeto: 1_000_000_000_000n,
    },
    currentParams: new Map([
      ['cosmos.staking.v1beta1/unbonding_time', '"1814400s"'],
      ['cosmos.staking.v1beta1/max_validators', '100'],
    ]),
  },
};

/** Votes of whole millions, whose sum has nine digits. */
const wholeTally = {
  yes_count: '43575000000000',
  abstain_count: '11212500000000',
  no_count: '24975000000000',
  no_with_veto_count: '23687500000000',
};

/** A spend whose amount leaves no room for an address beside it in a narrow page. */
const longSpend = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  recipient: 'sample1cwjsz349mhhlnernv4hxu3w0kxhgy9hzvgkrp2',
  amount: [{ denom: 'usample', amount: '123456789012' }],
};

/** The whole page of these, as a person would read it aloud. */
const golden = {
  voting: ['MsgUpdateParams VOTING_PERIOD', live],
  deposit: ['TextProposal DEPOSIT_PERIOD', {}],
  messages: ['v1: many messages', {}],
} as const;

/** The texts that matter on the page of a case, in this order. */
const texts: Readonly<Record<string, readonly RegExp[]>> = {
  'TextProposal PASSED': [
    /✓ Passed|Passed Text/,
    /Passed: .* Yes/,
    /Proposal content/,
    /Nothing executes/,
    /Charter of the Lantern community/,
  ],
  'SoftwareUpgradeProposal PASSED': [/term: Name/, /v2-lantern/, /term: Height/, /table "Binaries"/],
  'CommunityPoolSpendProposal PASSED': [/table "Spends"/, /row ".*sample1\w+ .*[\d,.]+ SAMPLE/],
  'StoreCodeProposal PASSED': [/Bytecode/, /SHA-256/],
  'null content': [/No content/],
  'no title': [/heading "#\d+ Text" \[level=1\]/],
  'no times': [/Submitted.*|time unknown/],
  '40-digit amounts': [/9,999,999,999,999,999,999,999,999,999,999,999,999,999/],
  'an unknown type': [/"?#3/, /Number of fields without a known name: \d+/],
  'broken bytes': [/cannot be read beyond byte \d+/],
  'no base64': [/not base64/],
  'hostile HTML': [/<script>alert\(3\)<\/script>/],
  'hostile markdown': [/javascript:alert\(1\)/],
  'bidi and invisible characters': [/⟦U\+202E⟧/],
  'airdrop phishing': [/Possible airdrop phishing: the proposal points to atom-airdrop\.example\.com/],
  'quoted line breaks': [/heading "Why" \[level=3\]/, /listitem: one/],
  'the whole of markdown': [
    /row "Yes 1,200"/,
    /link "https:\/\/google\.com"/,
    /text shows a different host/,
    /Image: an image/,
  ],
  'a long description': [/button "Show all \([\d,]+ characters\)"/],
  'an empty tally': [/No votes\./],
  'a tie at the threshold': [/decided by one of these rules/],
  'passed against the parameters of today': [
    /With the current parameters, these rules would not have been met: Threshold/,
  ],
  'a status that nobody knows': [/No status/],
  'a deposit in other denoms': [/5 uother/],
  'a tally while voting, from a first round': [/First round, expedited/],
  'a mebibyte of byte code': [/1,048,576 bytes/],
  'v1: no messages': [/Text only. Nothing executes if it passes/],
  'v1: a legacy content in a message': [/heading "#\d+ A legacy title"/, /Technical \/cosmos\S+/],
  'v1: many messages': [
    /different title or description than the proposal/,
    /term: Title in the content/,
    /A legacy description\./,
  ],
  'v1: metadata that is JSON': [/term: Authors/, /definition: a/],
  'v1: metadata that is an address': [/link "ipfs:\/\/bafy/],
  'v1: failed, with its reason': [/execution failed: insufficient funds/],
  'v1: expedited, and rejected by its own threshold': [/Expedited/],
  'v1: params of modules, most as they are': [/1\. Update params/, /3\. Update params/],
};

describe('the gallery of proposals', () => {
  let bare: BarePage;

  before(async () => {
    bare = await BarePage.start();
  });

  after(() => bare?.close());

  it('shows each with all it says, and nothing sticks out at 320 pixels, as at 400 % zoom', async () => {
    await bare.page.setViewportSize({ width: 320, height: 800 });
    const found: string[] = [];
    for (const one of cases) {
      await bare.show(one);
      const expected = texts[one.name];
      const text = expected ? await bare.text() : '';
      const [missing] = missingIn(text, expected ?? []);
      if (missing) found.push(`${one.name}: ${missing} is not in\n${text.slice(0, 3_000)}`);
      const overflow = await bare.overflow();
      if (overflow > 0) found.push(`${one.name} sticks out by ${overflow} pixels`);
    }
    assert.deepEqual([...found, ...bare.incidents], []);
    for (const name of Object.keys(texts)) caseOf(name);
  });

  it('cuts no label of a bar at 260 pixels', async () => {
    await bare.page.setViewportSize({ width: 260, height: 800 });
    await bare.show(caseOf('TextProposal PASSED'));
    const labels = await bare.page.locator('.words > :last-child').evaluateAll((all) =>
      all.map((one) => {
        const { left, right } = one.getBoundingClientRect();
        return `${one.textContent}: ${one.scrollWidth <= one.clientWidth && left >= 0 && right <= 260}`;
      }),
    );
    assert.deepEqual(labels, ['needs 50.00 % excluding Abstain: true', 'veto limit 33.40 %: true']);
  });

  it('has each label of a bar beside its line at 900 pixels', async () => {
    await bare.page.setViewportSize({ width: 900, height: 800 });
    await bare.show(caseOf('a tie at the threshold'));
    const gaps = await bare.page.locator('.words > :last-child').evaluateAll((all) =>
      all.map((one) => {
        const [label, line] = [one, one.parentElement?.previousElementSibling].map((each) =>
          each?.getBoundingClientRect(),
        );
        return Math.max((label?.left ?? 0) - (line?.right ?? 0), (line?.left ?? 0) - (label?.right ?? 0));
      }),
    );
    assert.ok(gaps.length === 2 && gaps.every((gap) => gap >= 4 && gap <= 8), gaps.join());
  });

  it('has the two times of a step beside each other at 340 pixels', async () => {
    await bare.page.setViewportSize({ width: 340, height: 800 });
    await bare.show(caseOf('TextProposal DEPOSIT_PERIOD'), { now: new Date('2026-01-01T00:00:00Z') });
    const distances = await bare.page.locator('.timeline time').evaluateAll((all) =>
      all.map((one) => {
        const [own, next] = [one, one.nextElementSibling].map((each) => each?.getBoundingClientRect());
        return Math.abs((own?.bottom ?? 0) - (next?.bottom ?? 99)) < 5;
      }),
    );
    assert.ok(distances.length >= 2 && distances.every(Boolean), distances.join());
  });

  it('has each step in one line at 900 pixels, and its times and note in one below it at 640', async () => {
    await bare.page.setViewportSize({ width: 900, height: 800 });
    await bare.show(caseOf('a tally while voting, from a first round'));
    // A font as wide as any.
    await bare.page.evaluate('document.body.style.fontFamily = "monospace"');
    await bare.page.locator('.timeline time').evaluateAll((all) => {
      for (const one of all) one.replaceChildren('23 hours 59 minutes ago');
    });
    const heights = (selector: string) =>
      bare.page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    const lines = await heights('.timeline li');
    assert.ok(lines.length === 4 && lines.every((height) => height < 30), lines.join());
    await bare.page.setViewportSize({ width: 640, height: 800 });
    const narrow = await heights('.timeline li');
    assert.ok(
      narrow.every((height) => height > 30 && height < 50),
      narrow.join(),
    );
    await bare.page.evaluate('document.body.style.fontFamily = ""');
  });

  it('has addresses below what they belong to at 250 pixels, and no word alone below its swatch', async () => {
    await bare.page.setViewportSize({ width: 250, height: 800 });
    const spend = caseOf('v1: one message');
    for (const [table, shown] of [
      ['Binaries', caseOf('SoftwareUpgradeProposal PASSED')],
      ['Spends', { ...spend, proposal: { ...spend.proposal, messages: [longSpend] } }],
    ] as const) {
      await bare.show(shown);
      const cells = bare.page.getByRole('table', { name: table }).locator('td code');
      const widths = await cells.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
      assert.ok(widths.length > 0 && Math.max(...widths) > 180, `${table}: ${widths.join()}`);
    }
    const passed = caseOf('TextProposal PASSED');
    await bare.show({ ...passed, id: 990, proposal: { ...passed.proposal, final_tally_result: wholeTally } });
    const heights = await bare.page
      .locator('td', { has: bare.page.locator('.swatch.abstain') })
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.ok(heights.length === 1 && Number(heights[0]) < 35, heights.join());
  });

  it('has a border around each status in high contrast, where not all colors of charts exist', async () => {
    const colors = ['green', 'red', 'yellow', 'blue', 'purple'];
    const root = 'document.documentElement.style';
    for (const color of colors) await bare.page.evaluate(`${root}.setProperty('--vscode-charts-${color}', '#ffd370')`);
    for (const name of ['TextProposal DEPOSIT_PERIOD', 'TextProposal PASSED', 'MsgUpdateParams VOTING_PERIOD']) {
      await bare.show(caseOf(name));
      const width = await bare.page.evaluate('getComputedStyle(document.querySelector(".pill")).borderTopWidth');
      assert.equal(width, '1px', name);
    }
    for (const color of colors) await bare.page.evaluate(`${root}.removeProperty('--vscode-charts-${color}')`);
  });

  it('leaves out what is empty where a table stands as a list', async () => {
    await bare.page.setViewportSize({ width: 340, height: 800 });
    await bare.show(caseOf('TextProposal PASSED'));
    const cells = bare.page.locator('[data-fold=calculation] td');
    await bare.page.locator('details[data-fold=calculation] > summary').click();
    const shown = await cells.evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height > 0).map((one) => one.textContent),
    );
    assert.ok(shown.length > 4 && !shown.includes(''), shown.join('|'));
  });

  it('has order and roles that a person can check', async () => {
    await bare.page.setViewportSize({ width: 900, height: 800 });
    for (const [name, [of, more]] of Object.entries(golden)) {
      await bare.show(caseOf(of), more);
      const file = join(import.meta.dirname, 'golden', `${name}.txt`);
      const text = `${maskTimes(await bare.text())}\n`;
      if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
      assert.equal(text, readFileSync(file, 'utf8'), `The page of "${of}" differs; UPDATE_GOLDEN=1 accepts it.`);
    }
  });

  it('announces that a proposal could not be read', async () => {
    await bare.showView('0', toWaitingView(0n, 'No answer', plainWords));
    assert.match(await bare.text(), /^\s*- alert: .*No answer$/m);
  });

  it('fits with text of twice the size', async () => {
    await bare.page.setViewportSize({ width: 640, height: 800 });
    await bare.page.evaluate('document.documentElement.style.fontSize = document.body.style.fontSize = "26px"');
    const found: string[] = [];
    for (const one of cases.filter((_, at) => at % runs(3, 1) === 0)) {
      await bare.show(one);
      const overflow = await bare.overflow();
      if (overflow > 0) found.push(`${one.name} sticks out by ${overflow} pixels`);
    }
    await bare.page.evaluate('document.documentElement.style.fontSize = document.body.style.fontSize = ""');
    assert.deepEqual(found, []);
  });

  it('moves nothing where motion is reduced', async () => {
    const moving = await bare.page.evaluate(
      '[...document.querySelectorAll("*")].filter((one) => { const { transitionDuration, animationName } = getComputedStyle(one); return transitionDuration !== "0s" || animationName !== "none"; }).length',
    );
    assert.equal(moving, 0);
  });

  it('opens the calculation with one key', async () => {
    await bare.show(caseOf('TextProposal PASSED'));
    const calculation = bare.page.locator('details[data-fold=calculation]');
    assert.equal(await calculation.getAttribute('open'), null);
    await bare.page.keyboard.press('c');
    assert.equal(await calculation.getAttribute('open'), '');
    assert.match(String(await bare.page.evaluate('document.activeElement.textContent')), /^Calculation /);
    await bare.page.keyboard.press('c');
    assert.equal(await calculation.getAttribute('open'), null);
  });

  it('writes times by how far away they are, and keeps that true', async () => {
    await bare.show(caseOf('TextProposal DEPOSIT_PERIOD'), { now: new Date('2026-01-01T00:00:00Z') });
    const ends = bare.page.locator('.ends time');
    const before = await ends.textContent();
    assert.match(before ?? '', /^Deposit period ends in \d+ (?:days|h)/);
    assert.match((await ends.getAttribute('title')) ?? '', /UTC$/);
    await bare.page.evaluate(
      '{ const now = performance.now.bind(performance); performance.now = () => now() + 86_400_000 * 40; }',
    );
    await bare.page.waitForFunction(
      '/^Deposit period ended \\d+ days ago$/.test(document.querySelector(".ends time").textContent)',
    );
  });

  it('stays smooth with 200,000 characters and with a mebibyte', async () => {
    await bare.page.evaluate(
      'window.long = []; new PerformanceObserver((list) => window.long.push(...list.getEntries().map((one) => one.duration))).observe({ type: "longtask" }); 0',
    );
    for (const description of [
      'word '.repeat(40_000),
      '# a\n\nb [c](https://d.example) '.repeat(6_500),
      'x\n'.repeat(500_000),
    ]) {
      const content = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'Long', description };
      const proposal = { status: 'PROPOSAL_STATUS_PASSED', content };
      await bare.show({ id: 900 + description.length, name: 'long', form: 'v1beta1', proposal });
    }
    await bare.page.waitForFunction('document.querySelectorAll(".markdown > .piece").length > 50');
    const longest = Number(await bare.page.evaluate('Math.max(0, ...window.long)'));
    // A tenth of a second is what a person notices. Measured against a fixed piece of work: the machine may be busy.
    const unit = Number(
      await bare.page.evaluate(
        '(() => { const start = performance.now(); let sum = 0; for (let at = 0; at < 2e7; at++) sum += at % 7; return performance.now() - start + sum * 0; })()',
      ),
    );
    assert(longest < Math.max(1_000, 30 * unit), `the page was blocked for ${longest} ms; the unit took ${unit} ms`);
  });

  it('never runs, loads or opens anything that a proposal holds, and its links only ask', async () => {
    assert(new Set(hostilePayloads).size >= 60, String(hostilePayloads.length));
    for (const one of hostileCases()) {
      await bare.show(one);
      await bare.page.evaluate('for (const link of document.querySelectorAll("a, [role=link]")) link.click()');
      const others = await bare.page.evaluate(
        'window.sent.filter(({ type }) => type !== "painted" && type !== "openLink")',
      );
      const problems = await problemsOf(bare.page.mainFrame());
      assert.deepEqual([problems, bare.incidents, others], [[], [], []], `payload ${JSON.stringify(one.name)}`);
    }
  });

  it('would notice what it must not do', async () => {
    const dialog = bare.page.waitForEvent('dialog');
    const request = bare.page.waitForEvent('request');
    await bare.page.evaluate(
      'setTimeout(() => alert("seen"), 0); fetch("https://evil.invalid/seen").catch(() => {}); 0',
    );
    await Promise.all([dialog, request]);
    assert.deepEqual(bare.incidents.toSorted(), ['dialog seen', 'request https://evil.invalid/seen']);
  });
});

/** The first text that does not come after those before it. */
function missingIn(text: string, expected: readonly RegExp[]): readonly RegExp[] {
  let from = 0;
  for (const pattern of expected) {
    const found = new RegExp(pattern.source, 'g');
    found.lastIndex = from;
    const match = found.exec(text);
    if (!match) return [pattern];
    from = match.index + match[0].length;
  }
  return [];
}

/** Times in the reader's zone are left out. */
function maskTimes(text: string): string {
  return text.replace(/\w{3} \d{1,2}, \d{4}, \d{2}:\d{2}/gu, '(local time)');
}
