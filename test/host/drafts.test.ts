import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { type ServedState, serveFile } from '../../src/service/serve.ts';
import type { DraftEditor } from '../../src/ui/drafts/draftEditor.ts';
import type { CheckedDraft } from '../../src/ui/drafts/draftMarks.ts';
import { stateFileOf } from '../node/recording.ts';
import { activateExtension, askedSince, pollUntil, readUntil, showSource } from '../support/hostApi.ts';
import { coins, draft, ofMessages, spend, update, upgrade } from '../unit/draft/exampleDrafts.ts';

const withDeposit = (text: string) => text.replace('10000000stake', '10000stake,500uosmo');
const incomplete = withDeposit(ofMessages({ ...update('staking', {}), params: { max_validators: 120 } }));

describe('drafts in the editor', () => {
  let api: ExtensionApi;
  let served: ServedState;
  let editor: DraftEditor;

  before(async () => {
    api = await activateExtension();
    served = await serveFile({ file: stateFileOf('0.53.8') });
    await served.ready;
    await showSource(api, served.baseUrl);
    editor = await api.drafts.load();
  });
  // All stay open until the end: the editor gives the name of a closed document to the next one, sometimes with its text.
  after(async () => {
    // Documents that are not saved would be asked about.
    while (vscode.window.tabGroups.activeTabGroup.activeTab)
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await showSource(api, undefined);
    await served.dispose();
  });

  /** Resolves when the draft in a document was checked against what this finds. */
  async function checked(
    document: vscode.TextDocument,
    isWanted: (draft: CheckedDraft) => boolean,
  ): Promise<CheckedDraft> {
    const isCurrent = (draft: CheckedDraft | undefined): draft is CheckedDraft =>
      draft?.version === document.version && isWanted(draft);
    const found = await readUntil(editor.onDidCheck, () => editor.draftIn(document), isCurrent);
    return found ?? assert.fail();
  }

  const answered = ({ facts }: CheckedDraft) => facts.height !== undefined;

  async function open(content: string, isWanted = answered): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(document);
    await checked(document, isWanted);
    return document;
  }

  /** Our findings: the editor has others in JSON. */
  const oursIn = ({ uri }: vscode.TextDocument) =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source?.startsWith('Chain Inspector'));

  const shownIn = (document: vscode.TextDocument) =>
    oursIn(document).map(({ code, severity, source }) => `${severity} ${Object(code).value} ${source}`);

  /**
   * Our code actions at a place, by how their titles begin. Asked for until they come: the editor drops its answer when any extension
   * registers a provider of code actions meanwhile, as those of JSON do when they start.
   */
  async function actionsAt(
    document: vscode.TextDocument,
    range: vscode.Range,
    title: string,
    beforeEachTry?: () => Promise<void>,
  ): Promise<vscode.CodeAction[]> {
    const command = 'vscode.executeCodeActionProvider';
    const ask = async () => {
      await beforeEachTry?.();
      const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(command, document.uri, range);
      return all.filter((action) => action.title.startsWith(title));
    };
    return pollUntil('code actions', ask, ({ length }) => length > 0);
  }

  it('have findings at their places, with the chain, the height and the section of the page', async () => {
    const document = await open(incomplete);
    const { facts } = await checked(document, answered);
    assert.deepEqual(shownIn(document), [`0 params-incomplete Chain Inspector (chain-inspector-1 @ ${facts.height})`]);
    const [found] = oursIn(document);
    assert.equal(found && document.getText(found.range), '"params"');
    const { target } = Object(found?.code);
    const page = await vscode.workspace.openTextDocument(target.with({ fragment: '' }));
    const line = Number(/^L(\d+)$/.exec(target.fragment)?.[1]);
    assert.equal(page.lineAt(line - 1).text, '## params-incomplete');
  });

  it('are mended by each quick fix, and one undo takes it back', async () => {
    const document = await open(withDeposit(ofMessages(spend(coins('5')))).replace('10000stake,500uosmo', '5stake'));
    const [found] = oursIn(document);
    assert.ok(found);
    const ours = await actionsAt(document, found.range, 'Set to');
    assert.deepEqual(
      ours.map(({ title }) => title),
      ['Set to the minimum for voting (10000stake,500uosmo)', 'Set to the minimum to submit (100stake)'],
    );
    const before = document.getText();
    const [first] = ours;
    assert.ok(first?.edit && (await vscode.workspace.applyEdit(first.edit)));
    await checked(document, ({ version, report }) => version === document.version && report.findings.length === 0);
    assert.deepEqual(shownIn(document), []);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), before);
    await checked(document, answered);
  });

  it('are mended while they are typed, too', async () => {
    const document = await open(incomplete);
    const [found] = oursIn(document);
    assert.ok(found);
    const type = async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, document.positionAt(document.getText().length), '\n');
      await vscode.workspace.applyEdit(edit);
    };
    const [action] = await actionsAt(document, found.range, 'Add the other parameters from the chain', type);
    assert.ok(action?.edit && (await vscode.workspace.applyEdit(action.edit)));
    assert.match(document.getText(), /"unbonding_time"/);
    // This check asks for the supply of a denom, which the next test would count.
    await checked(document, answered);
  });

  it('say above the text against what they were checked, and what was not', async () => {
    const document = await open(withDeposit(ofMessages(upgrade({ height: '1' }), spend(coins('1')))));
    const ask = () =>
      vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 9);
    // The editor cannot complete a line of an answer when it has asked for itself meanwhile.
    const isWhole = (lenses: readonly vscode.CodeLens[]) => lenses.every(({ command }) => command !== undefined);
    const lenses = await pollUntil('the lines above the text', ask, isWhole);
    const titles = lenses.map(({ command }) => command?.title ?? '');
    // The chain has another open upgrade.
    assert.match(titles[0] ?? '', /^1 error, 1 warning · 127\.0\.0\.1:\d+/);
    assert.deepEqual(titles.slice(1, 5), ['Preview', 'Change Chain…', 'Simulate on Node…', 'Refresh']);
    assert.match(titles[5] ?? '', /^Not checked: upgrade names$/);
  });

  it('ask nothing while they are typed, and again when they touch another module or after Refresh', async () => {
    const document = await open(incomplete);
    let last = api.requests.lines.at(-1);
    // Nothing else asks while no view is on the screen.
    const asked = () => askedSince(api, last);
    const type = async (text: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, document.positionAt(document.getText().indexOf(' title"')), text);
      await vscode.workspace.applyEdit(edit);
    };
    for (const letter of 'typed') await type(letter);
    await editor.check(document);
    assert.deepEqual(asked(), []);
    const other = new vscode.WorkspaceEdit();
    const from = document.getText().indexOf('cosmos.staking');
    other.replace(
      document.uri,
      new vscode.Range(document.positionAt(from), document.positionAt(from + 14)),
      'cosmos.mint',
    );
    await vscode.workspace.applyEdit(other);
    await checked(
      document,
      ({ version, facts }) => version === document.version && facts.moduleParams.has('cosmos.mint.v1beta1'),
    );
    assert.equal(asked().length, 1, asked().join('\n'));
    last = api.requests.lines.at(-1);
    await editor.refresh(document);
    assert.ok(asked().length >= 4, asked().join('\n'));
  });

  it('ask at most 100 questions, and say from where on nothing was asked', async () => {
    const changes = Array.from({ length: 4000 }, (_, at) => ({ subspace: `s${at}`, key: 'K', value: '1' }));
    const text = JSON.stringify({ title: 'T', description: 'D', deposit: '10000stake,500uosmo', changes }, null, 1);
    const last = api.requests.lines.at(-1);
    const document = await open(text);
    assert.ok(askedSince(api, last).length <= 100, `${askedSince(api, last).length} requests`);
    const found = oursIn(document).find(({ code }) => Object(code).value === 'too-many-questions');
    assert.match(found?.message ?? '', /Not checked: .*3,960 legacy parameters\. A check sends/);
    assert.match(document.getText(found?.range), /^\{\s+"subspace": "s40"/);
  });

  it('are checked against the source that was chosen for the file, by their form where it does not answer', async () => {
    const document = await open(incomplete);
    const sample = api.active.session.source;
    const other = new (await import('../../src/ui/settings.ts')).Settings();
    try {
      const range = { start: 0, end: 1 };
      editor.showAnswer(document, document.version, { range, said: 'no' });
      assert.ok(oursIn(document).some(({ message }) => message.includes('would not accept')));
      await editor.checkAgainst(document, other.source(''));
      assert.ok(
        oursIn(document).every(({ message }) => !message.includes('would not accept')),
        'the answer of another node',
      );
      const found = await checked(document, ({ facts }) => facts.chainId === 'sample-1');
      assert.equal(found.source.id, '');
      assert.match(shownIn(document).join(), /authority-wrong Chain Inspector \(sample-1 @ \d+\)/);
      await editor.checkAgainst(document, sample);
      await checked(document, ({ facts }) => facts.chainId === 'chain-inspector-1');
    } finally {
      other.dispose();
    }
    await showSource(api, 'http://127.0.0.1:9');
    const unchecked = await checked(document, ({ failure }) => failure !== undefined);
    assert.deepEqual(
      unchecked.report.findings.map(({ code }) => code),
      [],
    );
    await showSource(api, served.baseUrl);
    await checked(document, answered);
  });

  it('are forgotten with their tab, although the editor keeps the document, and checked again with the next one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drafts-'));
    try {
      const path = join(folder, 'raise.json');
      writeFileSync(path, incomplete);
      // Whoever opens a document by the interface of the editor keeps it for three minutes.
      const document = await vscode.workspace.openTextDocument(path);
      await vscode.window.showTextDocument(document);
      await checked(document, answered);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await showSource(api, 'http://127.0.0.1:9');
      assert.deepEqual([document.isClosed, editor.draftIn(document)], [false, undefined]);
      await showSource(api, served.baseUrl);
      assert.equal(editor.draftIn(document), undefined);
      await vscode.window.showTextDocument(document);
      await checked(document, answered);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('leave other JSON alone', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'json',
      content: '{"deposit":"5","account":"x"}',
    });
    await editor.check(document);
    assert.equal(editor.draftIn(document), undefined);
    const text = await open(draft({ deposit: '10000stake,500uosmo' }));
    assert.deepEqual(shownIn(text), []);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(text.uri, new vscode.Range(0, 0, 99, 0), '{}');
    await vscode.workspace.applyEdit(edit);
    await editor.check(text);
    assert.equal(editor.draftIn(text), undefined);
  });

  // The last one, since it closes a document.
  it('let go of the session of their source with the last of them', async () => {
    const settings = new (await import('../../src/ui/settings.ts')).Settings();
    try {
      const document = await open(incomplete);
      const before = api.sessions.size;
      await editor.checkAgainst(document, settings.source(''));
      await checked(document, ({ facts }) => facts.chainId === 'sample-1');
      assert.equal(api.sessions.size, before + 1);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      const size = () => api.sessions.size;
      await pollUntil('the end of the session', size, (sessions) => sessions === before);
    } finally {
      settings.dispose();
    }
  });
});
