// Makes the pictures of README.md and of the walkthrough anew from the real editor: `npm run pictures`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Editor, startEditor } from '../support/editor.ts';
import type { TreeRow } from '../support/editorTree.ts';
import { actUntil } from '../support/editorWait.ts';
import { projectFolder } from '../support/folders.ts';
import { writeState } from './compareStates.ts';
import { PanelScreen } from './gallery/panelScreen.ts';
import { toPalette } from './palettePng.ts';

const media = join(projectFolder, 'media');
const draft = {
  messages: [
    {
      '@type': '/cosmos.staking.v1beta1.MsgUpdateParams',
      authority: 'sample10d07y265gmmuvt4z0w9aw880jnsr700j29t3gj',
      params: { max_validators: 120 },
    },
  ],
  metadata: 'ipfs://CID',
  deposit: '500000000usample',
  title: 'Raise the set',
  summary: 'From 100 to 120.',
};

/** The views beside a proposal that would be rejected. */
async function writeScreenshot(editor: Editor): Promise<void> {
  await editor.page.setViewportSize({ width: 1280, height: 900 });
  await new PanelScreen(editor).open(724);
  await editor.tree('Proposals').waitForText(/^ {2}#1047 .*%$/m);
  await editor.tree('Proposals').click(/^#724/);
  await editor.page.mouse.move(640, 890);
  await scrollbarsFaded(editor);
  save('screenshot.png', await editor.page.screenshot());
}

/** Waits until no scrollbar is seen. They fade after the mouse has left. */
async function scrollbarsFaded(editor: Editor): Promise<void> {
  const bars = "[...document.querySelectorAll('.scrollbar')]";
  await editor.page.waitForFunction(`${bars}.every((bar) => getComputedStyle(bar).opacity === '0')`);
}

/** A draft with an error beside its preview, in the light theme. */
async function writeDraft(editor: Editor): Promise<void> {
  await editor.execute('editorDriver.closeEditors');
  await editor.setTheme('light');
  await editor.execute('workbench.action.closeSidebar');
  await editor.execute('workbench.action.toggleActivityBarVisibility');
  await editor.page.setViewportSize({ width: 924, height: 780 });
  const file = join(editor.workspace, 'raise.json');
  writeFileSync(file, JSON.stringify(draft, undefined, 1));
  await editor.setSettings({ 'editor.minimap.enabled': false, 'window.commandCenter': false });
  await editor.execute('vscode.open', { $uri: pathToFileURL(file).href });
  await editor.page.locator('.codelens-decoration', { hasText: '1 error' }).first().waitFor();
  await editor.page.locator('.squiggly-error').first().waitFor();
  const preview = () => editor.execute('chainInspector.previewDraft');
  const isShown = () => editor.webview().locator('.after.lost', { hasText: 'becomes 0' }).first().isVisible();
  await actUntil(editor.page, preview, 'the preview', isShown);
  await scrollbarsFaded(editor);
  // Without the title of the window and the status bar, which are the editor's.
  save('draft.png', await editor.page.screenshot({ clip: { x: 0, y: 30, width: 924, height: 718 } }));
}

/** The drawings of the steps, with the texts that the editor shows. */
async function writeWalkthrough(editor: Editor): Promise<void> {
  const proposals = await editor.tree('Proposals').rows();
  const supply = await editor.tree('Supply').rows();
  const [voting] = proposals.filter(({ level, expanded }) => level === 1 && expanded);
  const open = proposals.filter(({ level }) => level === 2).slice(0, 2);
  const ended = proposals.filter(({ level, label }) => level === 1 && /^(?:Passed|Rejected)$/.test(label));
  draw('sample', [
    title('Proposals', await description(editor, 'Proposals')),
    ...[voting, ...open, ...ended].flatMap((row) => (row ? [treeLine(row)] : [])),
    title('Supply', ''),
    ...supply.slice(0, 1).map(treeLine),
  ]);
  draw('proposal', await proposalLines(editor));
  draw('chain', await boxLines(editor));
  await editor.setSettings({
    'chainInspector.watch': [
      { source: '', proposal: '724' },
      { source: '', proposal: '992' },
      { source: '', proposal: '602' },
      { source: '', denom: 'usample' },
    ],
  });
  const list = editor.tree('Watch List');
  await list.open();
  await list.expand('No deadline');
  await list.waitForText(/#724[\s\S]*#992[\s\S]*SAMPLE/);
  draw('watch', [title('Watch List', ''), ...(await list.rows()).map(treeLine)]);
  await editor.setSettings({ 'chainInspector.watch': null });
  const proposal = [1, 'VOTING_PERIOD', 'Plant two oaks'] as const;
  const { url } = writeState(editor.workspace, 'genesis.json', {
    supply: { uoak: '1250000000000', upine: '770000' },
    proposals: [proposal],
    quorum: '0.334',
  });
  await editor.setSettings({ 'chainInspector.baseUrl': url });
  const ofFile = editor.tree('Supply');
  await ofFile.waitForText(/uoak/);
  await editor.tree('Proposals').waitForText(/#1 Plant/);
  draw('file', [
    title('Proposals', await description(editor, 'Proposals')),
    ...(await editor.tree('Proposals').rows()).slice(0, 4).map(treeLine),
    title('Supply', ''),
    ...(await ofFile.rows()).map(treeLine),
  ]);
  await editor.setSettings({ 'chainInspector.baseUrl': null });
  await editor.tree('Supply').waitForText(/^SAMPLE/m);
}

async function description(editor: Editor, view: string): Promise<string> {
  return (await editor.tree(view).header.locator('.description').textContent()) ?? '';
}

/** A line of a drawing: its text, and what stands beside or at the end of it. */
interface Line {
  readonly look: 'title' | 'row' | 'quiet' | 'typed' | 'selected' | 'bar';
  readonly text: string;
  readonly beside?: string;
  readonly end?: string;
  readonly indent?: number;
  /** The parts of a bar: how many of a hundred, with the colour of the theme. */
  readonly parts?: readonly (readonly [share: number, colour: string])[];
}

function title(text: string, beside: string): Line {
  return { look: 'title', text, beside };
}

function treeLine({ level, label, description: end, expanded }: TreeRow): Line {
  const mark = expanded === undefined ? '' : expanded ? '▾ ' : '▸ ';
  return { look: 'row', text: `${mark}${label}`, end, indent: level - 1 };
}

async function boxLines(editor: Editor): Promise<readonly Line[]> {
  const asked = editor.execute('chainInspector.addEndpoint');
  const { quickInput } = editor;
  await quickInput.waitFor(/^Add endpoint$/);
  await quickInput.type('osmo');
  const read = () =>
    quickInput.widget.locator('.quick-input-list .monaco-list-row').evaluateAll((all) =>
      all.map((row) => ({
        text: row.querySelector('.label-name')?.textContent?.replaceAll('\u00a0', ' ').trim() ?? '',
        beside: row.querySelector('.label-description')?.textContent ?? '',
      })),
    );
  const rows = await editor.until('Osmosis', read, ([first]) => first?.text === 'Osmosis');
  await quickInput.cancel();
  await asked;
  return [
    title('Add endpoint', ''),
    { look: 'typed', text: 'osmo' },
    ...rows
      .filter(({ text }, at) => at < 3 || text.startsWith('Type'))
      .map((row, at): Line => ({ look: at === 0 ? 'selected' : 'row', ...row })),
  ];
}

async function proposalLines(editor: Editor): Promise<readonly Line[]> {
  const page = editor.webview();
  const texts = async (selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const [name = ''] = await texts('h1');
  const [end = ''] = await texts('.answer .ends');
  const [verdict = ''] = await texts('.answer .verdict');
  const legend = (await texts('.overview .legend > *')).slice(0, 4);
  const colours = ['green', 'lines', 'red', 'purple'];
  const parts = legend.map((text, at) => [Number(/([\d.]+) %/.exec(text)?.[1] ?? 0), colours[at] ?? 'lines'] as const);
  const [heading = ''] = await texts('main section h2');
  const [label = ''] = await texts('main section .changes dt');
  const [values = ''] = await texts('main section .changes .values');
  return [
    title(name, ''),
    { look: 'row', text: end },
    ...wrapped(verdict).map((text): Line => ({ look: 'row', text })),
    { look: 'bar', text: '', parts },
    { look: 'quiet', text: legend.join(' · ') },
    title(heading, ''),
    { look: 'row', text: `${label} ${values}` },
  ];
}

/** Lines of at most 52 characters. */
function wrapped(text: string): readonly string[] {
  return text.match(/.{1,52}(?:\s|$)/g)?.map((line) => line.trim()) ?? [];
}

const colours = {
  text: 'var(--vscode-foreground)',
  quiet: 'var(--vscode-descriptionForeground)',
  selected: 'var(--vscode-list-activeSelectionForeground, var(--vscode-foreground))',
};

/** Writes a drawing in the colours of whatever theme shows it. */
function draw(name: string, lines: readonly Line[]): void {
  let y = 0;
  const drawn = lines.map((line) => {
    y += line.look === 'title' && y > 0 ? 32 : line.look === 'bar' ? 14 : 22;
    return lineOf(line, y + 4);
  });
  const frame =
    '<rect x="1" y="1" width="358" height="218" rx="6" fill="var(--vscode-editorWidget-background)" stroke="var(--vscode-editorWidget-border, var(--vscode-contrastBorder, #8884))"/>';
  const open =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 220" font-family="system-ui, sans-serif" font-size="12">';
  writeFileSync(
    join(media, `walkthrough/${name}.svg`),
    `${[open, `  ${frame}`, ...drawn.filter((_, at) => at < 10), '</svg>'].join('\n')}\n`,
  );
}

interface Behind {
  readonly words: string;
  readonly fill: string;
}

/** As much of a text as has room beside another one. */
function fitting(words: string, text: string, x: number): string {
  const room = Math.max(1, Math.floor((328 - x - text.length * 7) / 6.7));
  return words.length <= room ? words : `${words.slice(0, room - 1).trimEnd()}…`;
}

function lineOf({ look, text, beside = '', end = '', indent = 0, parts }: Line, y: number): string {
  const x = 16 + 16 * indent;
  const say = (at: number, words: string, colour: string, more = '', behind?: Behind): string => {
    if (words === '') return '';
    const rest = behind ? `<tspan dx="8" fill="${behind.fill}" font-weight="400">${escaped(behind.words)}</tspan>` : '';
    return `  <text x="${at}" y="${y}" fill="${colour}"${more}>${escaped(words)}${rest}</text>`;
  };
  const box = (fill: string, stroke: string): string =>
    `  <rect x="8" y="${y - 15}" width="344" height="22" rx="3" fill="${fill}" stroke="${stroke}"/>`;
  if (parts) {
    let from = 16;
    const bars = parts.map(([share, colour]) => {
      const width = Math.round(share * 3.28);
      const bar = `  <rect x="${from}" y="${y - 8}" width="${width}" height="10" fill="var(--vscode-charts-${colour})"/>`;
      from += width;
      return bar;
    });
    return bars.join('\n');
  }
  const fill = look === 'selected' ? colours.selected : look === 'quiet' ? colours.quiet : colours.text;
  const back = {
    selected: box(
      'var(--vscode-list-activeSelectionBackground, transparent)',
      'var(--vscode-contrastActiveBorder, transparent)',
    ),
    typed: box('var(--vscode-input-background)', 'var(--vscode-focusBorder)'),
  };
  const size = look === 'title' ? ' font-weight="600"' : look === 'quiet' ? ' font-size="10"' : '';
  return [
    look === 'selected' || look === 'typed' ? back[look] : '',
    say(
      x,
      text,
      fill,
      size,
      beside === '' ? undefined : { words: fitting(beside, text, x), fill: look === 'selected' ? fill : colours.quiet },
    ),
    say(344, fitting(end, text, x), colours.quiet, ' text-anchor="end"'),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function save(name: string, picture: Buffer): void {
  const small = toPalette(picture);
  writeFileSync(join(media, name), small);
  console.log(`media/${name}: ${small.length} B`);
}

const editor = await startEditor();
try {
  await editor.setTheme('dark');
  await editor.openContainer('Chain Inspector');
  await writeScreenshot(editor);
  await writeWalkthrough(editor);
  await writeDraft(editor);
} finally {
  await editor.close();
}
process.exit(0);
