import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Editor, startEditor } from '../support/editor.ts';
import { galleryCases, messageCases, type NumberedCase, stateOf, stateOfMessages } from './gallery/galleryState.ts';
import { hostileCases, problemsOf } from './gallery/hostilePage.ts';
import { hostilePayloads } from './gallery/hostilePayloads.ts';
import { PanelScreen, type ThemeName, themes } from './gallery/panelScreen.ts';

const goldenFile = join(import.meta.dirname, 'golden/gallery.txt');
const full = process.env.TEST_FULL === '1';

/** Without TEST_FULL: these, one of each look. */
const sampled = new Set([
  'ParameterChangeProposal VOTING_PERIOD',
  'SoftwareUpgradeProposal PASSED',
  'TextProposal DEPOSIT_PERIOD',
  'broken bytes',
  'bidi and invisible characters',
  'the whole of markdown',
  'a tie at the threshold',
  'v1: many messages',
]);

/** A state file and the proposals in it that are looked at. */
interface Group {
  readonly file: string;
  readonly json: string;
  readonly cases: readonly NumberedCase[];
}

describe('the gallery of proposals', function () {
  this.timeout(20 * 60_000);
  let editor: Editor;
  let screen: PanelScreen;
  const all = [...galleryCases(), ...messageCases()];
  const taken = (cases: readonly NumberedCase[]) => (full ? cases : cases.filter(({ name }) => sampled.has(name)));
  const groups: readonly Group[] = [
    { file: 'gallery.json', json: stateOf(taken(galleryCases())), cases: taken(galleryCases()) },
    { file: 'messages.json', json: stateOfMessages(taken(messageCases())), cases: taken(messageCases()) },
  ];
  const cases = groups.flatMap((group) => group.cases);
  const texts = new Map<string, string>();

  before(async () => {
    editor = await startEditor();
    screen = new PanelScreen(editor);
    await editor.page.setViewportSize({ width: 1300, height: 1600 });
    for (const { file, json } of groups) await writeFile(join(editor.workspace, file), json);
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
      for (const group of groups) {
        await eachCase(group, async ({ name }) => {
          await screen.wears(theme);
          if (!texts.has(name)) texts.set(name, await screen.text());
          await screen.screenshot(`gallery/${theme}/${name}`);
          for (const violation of await screen.axe()) found.push(`${name}: ${violation}`);
          if ((await screen.overflow()) > 0) found.push(`${name}: sticks out to the side`);
        });
      }
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

  describe('hostile texts in a proposal', () => {
    const hostile = hostileCases();
    const happened: string[] = [];

    before(async () => {
      await editor.execute('workbench.action.closeAllEditors');
      const { page } = editor;
      page.on('request', (request) => {
        if (/evil\.invalid|google\.com/.test(request.url())) happened.push(`request ${request.url()}`);
      });
      page.on('dialog', (dialog) => {
        happened.push(`dialog ${dialog.message()}`);
        dialog.dismiss().catch(() => undefined);
      });
      // The editor's sandbox swallows dialogs and its policy stops requests before they are made: both leave a line.
      page.on('console', (message) => {
        const text = message.text();
        if (/evil\.invalid|Ignored call to 'alert|inline event handler|JavaScript URL/i.test(text)) happened.push(text);
      });
      page.context().on('page', (opened) => happened.push(`page ${opened.url()}`));
      await screen.showState('hostile.json', stateOf(hostile));
      await screen.open(1);
      page.on('framenavigated', (frame) => happened.push(`navigation ${frame.url()}`));
    });

    it('are at least 60', () => {
      assert(new Set(hostilePayloads).size >= 60, String(hostilePayloads.length));
    });

    it('never run, load, navigate or become anything but text', async () => {
      for (const { id, name } of hostile) {
        if (id > 1) await screen.press('Next');
        await screen.shows(id);
        const problems = await problemsOf(await screen.frame());
        assert.deepEqual([...problems, ...happened], [], `payload ${JSON.stringify(name)}`);
      }
    });

    it('are watched by a test that sees what happens', async () => {
      const frame = await screen.frame();
      await frame.evaluate('setTimeout(() => alert("seen"), 0); fetch("https://evil.invalid/seen").catch(() => {}); 0');
      await editor.until(
        'the traces of both',
        async () => happened,
        (all) => all.some((one) => /alert|dialog/.test(one)) && all.some((one) => /evil\.invalid/.test(one)),
      );
    });
  });

  /** Visits the proposals of a state one after the other; neighbours by the button of the page. */
  async function eachCase({ file, cases: shown }: Group, visit: (one: NumberedCase) => Promise<void>): Promise<void> {
    await editor.setSettings({ 'chainInspector.baseUrl': pathToFileURL(join(editor.workspace, file)).href });
    for (const [at, one] of shown.entries()) {
      if (at === 0) await screen.open(one.id);
      else await screen.press('Next');
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
