import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Editor, startEditor } from '../support/editor.ts';
import { galleryCases, type NumberedCase, stateOf } from './gallery/galleryState.ts';
import { PanelScreen, type ThemeName, themes } from './gallery/panelScreen.ts';

const goldenFile = join(import.meta.dirname, 'golden/gallery.txt');
const full = process.env.TEST_FULL === '1';

/** Without TEST_FULL: these, one of each look. */
const sampled = new Set([
  'ParameterChangeProposal VOTING_PERIOD',
  'CommunityPoolSpendProposal REJECTED',
  'SoftwareUpgradeProposal PASSED',
  'TextProposal DEPOSIT_PERIOD',
  'null content',
  'broken bytes',
  '40-digit amounts',
  'hostile HTML',
  'bidi and invisible characters',
  'the whole of markdown',
  'a long description',
  'a tie at the threshold',
]);

describe('the gallery of proposals', function () {
  this.timeout(20 * 60_000);
  let editor: Editor;
  let screen: PanelScreen;
  const all = galleryCases();
  const cases = full ? all : all.filter(({ name }) => sampled.has(name));
  const texts = new Map<string, string>();

  before(async () => {
    editor = await startEditor();
    screen = new PanelScreen(editor);
    await editor.page.setViewportSize({ width: 1300, height: 1600 });
    await screen.showState('gallery.json', stateOf(cases));
    await screen.open(cases[0]?.id ?? 0);
    await editor.execute('workbench.action.closeSidebar');
  });

  after(() => editor?.dispose());

  it('holds at least 40 proposals, and every one of the sample', () => {
    assert(all.length >= 40, `only ${all.length}`);
    assert.equal(all.filter(({ name }) => sampled.has(name)).length, sampled.size);
  });

  for (const theme of Object.keys(themes).filter((name): name is ThemeName => name in themes)) {
    it(`shows each in ${theme}, and axe finds nothing`, async () => {
      await screen.wear(theme);
      const found: string[] = [];
      await eachCase(async ({ name }) => {
        if (!texts.has(name)) texts.set(name, await screen.text());
        await screen.screenshot(`gallery/${theme}/${name}`);
        for (const violation of await screen.axe()) found.push(`${name}: ${violation}`);
        if ((await screen.overflow()) > 0) found.push(`${name}: sticks out to the side`);
      });
      assert.deepEqual(found, []);
    });
  }

  it('says what it said before', () => {
    const golden = readGolden();
    for (const { name } of cases.filter((one) => one.golden)) {
      const text = texts.get(name);
      assert(text, `no text of ${name}`);
      if (process.env.UPDATE_GOLDEN === '1') golden.set(name, text);
      else assert.equal(text, golden.get(name), `The page of "${name}" differs; UPDATE_GOLDEN=1 takes it over.`);
    }
    if (process.env.UPDATE_GOLDEN === '1') writeGolden(golden);
  });

  it('drops nothing of what was recorded of real chains', () => {
    for (const { name, proposal } of cases.filter((one) => !one.golden)) {
      assert.match(texts.get(name) ?? '', /What is proposed/, `${name}: ${JSON.stringify(proposal).slice(0, 200)}`);
      assert.doesNotMatch(texts.get(name) ?? '', /cannot be read from byte/, name);
    }
  });

  /** Visits every proposal, first to last or back, by the buttons of the page. */
  async function eachCase(visit: (one: NumberedCase) => Promise<void>): Promise<void> {
    const first = (await screen.heading.innerText()).startsWith(`#${cases[0]?.id} `);
    for (const [step, one] of (first ? cases : cases.toReversed()).entries()) {
      if (step > 0) await screen.press(first ? 'Next' : 'Previous');
      await screen.shows(one.id);
      await visit(one);
    }
  }
});

function readGolden(): Map<string, string> {
  const parts = readFileSync(goldenFile, { encoding: 'utf8', flag: 'a+' }).split(/^=== (.*) ===$/m);
  const golden = new Map<string, string>();
  for (let at = 1; at < parts.length; at += 2) golden.set(parts[at] ?? '', (parts[at + 1] ?? '').trim());
  return golden;
}

function writeGolden(golden: ReadonlyMap<string, string>): void {
  writeFileSync(goldenFile, [...golden].map(([name, text]) => `=== ${name} ===\n${text}\n`).join('\n'));
}
