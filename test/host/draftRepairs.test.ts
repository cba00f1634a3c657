import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { repairText } from '../../src/draft/draftWords.ts';
import type { RepairDetails } from '../../src/draft/finding.ts';
import type { ExtensionApi } from '../../src/extension.ts';
import { type ServedState, serveFile } from '../../src/service/serve.ts';
import type { DraftEditor } from '../../src/ui/drafts/draftEditor.ts';
import type { CheckedDraft } from '../../src/ui/drafts/draftMarks.ts';
import { plainEnglish } from '../../src/words/language.ts';
import { stateFileOf } from '../node/recording.ts';
import { activateExtension, pollUntil, showSource, workspaceFolder } from '../support/hostApi.ts';
import {
  applyEdits,
  change,
  coins,
  draft,
  gov,
  legacyChange,
  ofMessages,
  someone,
  spend,
  update,
  upgrade,
} from '../unit/draft/exampleDrafts.ts';

const another = JSON.stringify({ title: 'Another', summary: 'A summary' });
const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: gov, to_address: someone, amount: coins('5') };
const slashless = 'cosmos.distribution.v1beta1.MsgCommunityPoolSpend';

/** By each repair a draft that it mends. */
const mistakes: Readonly<Record<keyof RepairDetails, string>> = {
  'params-from-chain': ofMessages({ ...update('staking', {}), params: { max_validators: 120 } }),
  'authority-from-chain': ofMessages({ ...update('staking', { max_validators: 120 }), authority: someone }),
  'deposit-to-submit': draft({ deposit: '5stake' }),
  'deposit-to-vote': draft({ deposit: '5stake' }),
  quote: ofMessages(upgrade({ height: 9_000_000 })),
  'text-from-metadata': draft({ metadata: another }),
  'metadata-from-text': draft({ metadata: another }),
  'metadata-remove': draft({ metadata: 'ipfs://CID', messages: [spend(coins('5'))] }),
  'metadata-inline': draft({ metadata: 'ipfs://CID' }),
  'height-at-time': ofMessages(upgrade({ height: '1' })),
  unescape: draft({ metadata: 'x', summary: 'Two\\nlines' }),
  'wrap-legacy': ofMessages({ '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' }),
  'drop-unchanged': ofMessages(update('staking', {}), spend(coins('5'))),
  'key-rename': ofMessages(legacyChange(change('staking', 'maxValidators', '100'))),
  'slash-add': ofMessages({ ...spend(coins('5')), '@type': slashless }),
  'spend-from-pool': ofMessages(send),
  'expedited-remove': draft({ expedited: true }),
  'deposit-as-text': draft({ deposit: coins('5') }),
  'type-rename': ofMessages({ ...spend(coins('5')), '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSend' }),
  convert: ofMessages(update('distribution', { community_tax: '5%' })),
  unwrap: `{"proposal": ${draft({})}}`,
  'comma-remove': draft({}).replace(/\n\}$/, ',\n}'),
  'coins-sort': ofMessages(spend([...coins('5'), ...coins('5', 'atom')])),
};

/** Every second one in each of the two editors, as one or two show what a version decides; all of them in the full run. */
function ofThisEditor<T>(all: readonly T[]): readonly T[] {
  const { HOST_TURN: turn } = process.env;
  return turn === undefined ? all : all.filter((_, at) => at % 2 === Number(turn));
}

describe('help in the editor while a draft is written', function () {
  this.timeout(120_000);
  let api: ExtensionApi;
  let served: ServedState;
  let old: ServedState;
  let editor: DraftEditor;

  before(async () => {
    api = await activateExtension();
    served = await serveFile({ file: stateFileOf('0.53.8') });
    old = await serveFile({ file: stateFileOf('0.46.16') });
    // Blocks, which a state file does not have: one each six seconds.
    const answer = served.answer.bind(served);
    const now = Date.now();
    served.answer = async (request) => {
      const [, height] = /\/blocks\/(\w+)$/.exec(request.path) ?? [];
      if (height === undefined) return answer(request);
      const number = height === 'latest' ? 100_000 : Number(height);
      const time = new Date(now - (100_000 - number) * 6000).toISOString();
      const header = { chain_id: 'chain-inspector-1', height: `${number}`, time };
      const body = Buffer.from(JSON.stringify({ block: { header } }));
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    };
    await Promise.all([served.ready, old.ready]);
    await showSource(api, served.baseUrl);
    editor = await api.drafts.load();
  });
  // All stay open until the end: the editor gives the name of a closed document to the next one, sometimes with its text.
  after(async () => {
    // Documents that are not saved would be asked about.
    while (vscode.window.tabGroups.activeTabGroup.activeTab)
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await showSource(api, undefined);
    await Promise.all([served.dispose(), old.dispose()]);
  });

  /** The check of a document as it is now. */
  async function checkOf(document: vscode.TextDocument): Promise<CheckedDraft> {
    await editor.check(document);
    const found = editor.draftIn(document);
    assert.ok(found?.version === document.version && found.failure === undefined, found?.failure);
    return found;
  }

  async function open(content: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(document);
    return document;
  }

  /** The result of a provider at a place. Asks until it is there, since the editor drops answers while extensions register others. */
  const untilGiven = <T>(ask: () => Thenable<T>, isThere: (given: T) => boolean) =>
    pollUntil('what a provider gives', ask, isThere);

  for (const [code, mistake] of ofThisEditor(Object.entries(mistakes)))
    it(`mends by the quick fix ${code}, and one undo takes it back`, async () => {
      await showSource(api, code === 'expedited-remove' ? old.baseUrl : served.baseUrl);
      const document = await open(mistake);
      const { report } = await checkOf(document);
      const found = report.findings.find(({ repairs }) => repairs.some((one) => one.code === code));
      const repair = found?.repairs.find((one) => one.code === code);
      assert.ok(found && repair, report.findings.map((one) => one.code).join());
      const range = new vscode.Range(document.positionAt(found.range.start), document.positionAt(found.range.end));
      const title = repairText(repair, plainEnglish);
      const ask = (): Thenable<vscode.CodeAction[]> =>
        vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, range);
      const actions = await untilGiven(ask, (given) => given.some((one) => one.title === title));
      const action = actions.find((one) => one.title === title);
      assert.ok(action?.edit && (await vscode.workspace.applyEdit(action.edit)));
      assert.equal(document.getText(), applyEdits(mistake, repair.edits));
      const mended = await checkOf(document);
      assert.ok(
        mended.report.findings.every((one) => one.code !== found.code || one.range.start !== found.range.start),
      );
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), mistake);
    });

  it('completes types, and the fields that a message does not have yet', async () => {
    const labelsAt = async (content: string, wanted: string): Promise<readonly string[]> => {
      const document = await open(content.replace('|', ''));
      await checkOf(document);
      const position = document.positionAt(content.indexOf('|'));
      const ask = (): Thenable<vscode.CompletionList> =>
        vscode.commands.executeCommand('vscode.executeCompletionItemProvider', document.uri, position);
      const labels = ({ items }: vscode.CompletionList) => items.map(({ label }) => `${Object(label).label ?? label}`);
      return labels(await untilGiven(ask, (list) => labels(list).includes(wanted)));
    };
    const types = await labelsAt(
      '{"deposit":"","title":"","messages":[{"@type":"|"}]}',
      '"/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade"',
    );
    assert.ok(types.includes('"/cosmos.staking.v1beta1.MsgUpdateParams"'), types.join());
    const message = '{"@type":"/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade","authority":"x","|"}';
    const fields = await labelsAt(`{"deposit":"","title":"","messages":[${message}]}`, '"plan"');
    assert.ok(!fields.includes('"authority"'), fields.join());
  });

  it("says today's value of a parameter in its hover", async () => {
    const document = await open(mistakes['params-from-chain']);
    const { facts } = await checkOf(document);
    const position = document.positionAt(document.getText().indexOf('max_validators') + 3);
    const ask = (): Thenable<vscode.Hover[]> =>
      vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, position);
    const texts = (hovers: readonly vscode.Hover[]) =>
      hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)));
    const today = JSON.stringify(facts.moduleParams.get('cosmos.staking.v1beta1')?.max_validators);
    const said = texts(
      await untilGiven(ask, (hovers) => texts(hovers).some((one) => one.includes('Current value of '))),
    );
    assert.ok(
      said.some((one) => one.includes(`Current value of max_validators: ${today}`)),
      said.join(),
    );
  });

  it('holds a draft against the draft_metadata.json beside it, as that is in the editor', async () => {
    const folder = vscode.Uri.file(join(workspaceFolder(), 'beside'));
    const [draftUri, metadataUri] = ['draft_proposal.json', 'draft_metadata.json'].map((name) =>
      vscode.Uri.joinPath(folder, name),
    );
    assert.ok(draftUri && metadataUri);
    const write = (uri: vscode.Uri, text: string) => vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.workspace.fs.createDirectory(folder);
    await write(metadataUri, '{"title":"Another"}');
    await write(draftUri, ofMessages(spend(coins('5'))));
    try {
      const document = await vscode.workspace.openTextDocument(draftUri);
      await vscode.window.showTextDocument(document, { preview: false });
      const codes = ({ report }: CheckedDraft) => report.findings.map(({ code }) => code);
      assert.ok(codes(await checkOf(document)).includes('metadata-file'));
      const rechecked = new Promise<CheckedDraft>((resolve) => {
        const listener = editor.onDidCheck((found) => {
          if (found.document !== document || codes(found).includes('metadata-file')) return;
          listener.dispose();
          resolve(found);
        });
      });
      const metadata = await vscode.workspace.openTextDocument(metadataUri);
      await vscode.window.showTextDocument(metadata);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(metadataUri, new vscode.Range(0, 0, 9, 0), '{"title":"A title"}');
      await vscode.workspace.applyEdit(edit);
      assert.equal((await rechecked).document, document);
    } finally {
      for (let tab = 0; tab < 2; tab++)
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
  });

  const newDrafts = [
    { answers: ['Text'], codes: [] },
    // Three open proposals of the recorded chain set other values.
    {
      answers: ['Parameters of a module', 'cosmos.staking.v1beta1'],
      codes: ['unchanged', 'params-open', 'params-open', 'params-open'],
    },
    { answers: ['Software upgrade', undefined], codes: ['upgrade-plan', 'upgrade-open'] },
    { answers: ['Community pool spend'], codes: ['address-invalid', 'field-type'] },
  ] as const;
  for (const { answers, codes } of ofThisEditor(newDrafts))
    it(`makes a new draft: ${answers[0]}`, async () => {
      await showSource(api, served.baseUrl);
      const left: (string | undefined)[] = [...answers];
      const { showQuickPick, showInputBox } = vscode.window;
      // The user's answers: the item with this label, and the text that is offered.
      Object.assign(vscode.window, {
        showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
          const label = left.shift();
          return items.find((item) => item.label === label);
        },
        showInputBox: async ({ value }: vscode.InputBoxOptions) => left.shift() ?? value,
      });
      try {
        await vscode.commands.executeCommand('chainInspector.newDraft');
      } finally {
        Object.assign(vscode.window, { showQuickPick, showInputBox });
      }
      assert.deepEqual(left, []);
      const active = vscode.window.activeTextEditor;
      assert.ok(active?.document.isUntitled);
      const { document, selection } = active;
      assert.match(document.uri.path, /draft_proposal(_\d+)?\.json$/);
      assert.equal(document.lineAt(selection.active.line).text.trim(), '"title": "",');
      const { report } = await checkOf(document);
      assert.deepEqual(
        report.findings.map((one) => one.code),
        [...codes, 'title-missing', 'summary-missing'],
      );
    });
});
