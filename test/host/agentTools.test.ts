import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { serveFile } from '../../src/service/serve.ts';
import { tools } from '../../src/tools/toolTable.ts';
import { startQuestions, valueAt } from '../fixtures/questions.ts';
import { sampleFile } from '../support/folders.ts';
import { activateExtension, pollUntil, workspaceFolder } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

const config = () => vscode.workspace.getConfiguration('chainInspector');
const write = (name: string, value: unknown) => config().update(name, value, vscode.ConfigurationTarget.Global);

/** Asks until the tools are there, which the editor loads after the setting is written, or gone. */
async function untilOffered(isOffered: boolean): Promise<void> {
  // The list of tools follows a moment after the tool.
  const isListed = () => tools.every(({ name }) => vscode.lm.tools.some((one) => one.name === name));
  await pollUntil(
    `the tools to be ${isOffered ? 'offered' : 'gone'}`,
    () => invoke('check_draft', { text: 'no draft' }).then(String, String),
    (refusal) => /"text" is not a proposal draft/.test(refusal) === isOffered && (isListed() || !isOffered),
  );
}

/**
 * Without the token of a chat the editor asks in a dialog of its own, which it answers itself with yes in a test host
 * (`DialogService.confirm`); the texts of the question are tested in test/unit.
 */
async function invoke(name: string, input: object): Promise<unknown> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const [part] = content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return JSON.parse(part.value);
}

describe('the tools of agents in the editor', () => {
  before(activateExtension);

  afterEach(() => write('endpoints', undefined));
  after(async () => {
    await write('agentTools', undefined);
    await untilOffered(false);
  });

  it('are off until the setting is on', async () => {
    await assert.rejects(invoke('list_proposals', {}), /does not have an implementation/);
    await write('agentTools', true);
    await untilOffered(true);
  });

  it('answer questions exactly, each in one of the two editors and all in the full run', async () => {
    const { HOST_TURN: turn } = process.env;
    const { addresses, questions, dispose } = await startQuestions();
    try {
      const endpoints = addresses.filter((url) => url !== '').map((url) => ({ name: url.split('/').at(-1), url }));
      await write('endpoints', endpoints);
      assert.equal(questions.length, 44);
      const own = questions.filter((_, at) => turn === undefined || at % 2 === Number(turn));
      for (const { text, tool, input, path, expected } of own)
        assert.deepEqual(valueAt(await invoke(tool, input), path), expected, text);
    } finally {
      await dispose();
    }
  });

  it('ask the next question of an endpoint that is not shown in the same session', async () => {
    const served = await serveFile({ file: sampleFile });
    const requests: string[] = [];
    const answer = served.answer.bind(served);
    served.answer = (request) => {
      requests.push(request.path);
      return answer(request);
    };
    try {
      const { sessions } = await activateExtension();
      await write('endpoints', [{ name: 'Kept', url: `${served.baseUrl}/chain` }]);
      const before = sessions.size;
      await invoke('get_supply', { source: 'Kept', limit: 1 });
      await invoke('get_supply', { source: 'Kept', limit: 2 });
      // Once for each session.
      assert.equal(requests.filter((path) => path.endsWith('/denoms_metadata')).length, 1);
      assert.equal(sessions.size, before + 1);
      await write('endpoints', undefined);
      assert.equal(sessions.size, before);
    } finally {
      await served.dispose();
    }
  });

  it('check a draft of the workspace by its name, as it is being edited', async () => {
    const path = join(workspaceFolder(), 'agents_draft.json');
    writeFileSync(path, '{}');
    // The editor saves a second after an edit by default. A busy machine may take longer to answer.
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
    try {
      const document = await vscode.workspace.openTextDocument(path);
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 1), '"messages": [], "deposit": "1x"'));
      const found = await invoke('check_draft', { file: 'agents_draft.json' });
      const ofText = await invoke('check_draft', { text: document.getText() });
      assert.ok(document.isDirty);
      assert.deepEqual(valueAt(found, 'findings'), valueAt(ofText, 'findings'));
      await assert.rejects(invoke('check_draft', { file: sampleFile }), /is outside the folders/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await files.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
      rmSync(path);
    }
  });

  it('ask for each host that is none of the endpoints, and say what is wrong with a question', async () => {
    const asked: string[] = [];
    const node = await startReplies(({ pathname }) => ({ status: 501, body: `${asked.push(pathname)}` }));
    try {
      // A test host refuses modal dialogs, with their text.
      const dialog = `refused to show dialog.*${node.url.replace('http://', '')}\\? It is not one of your endpoints`;
      await assert.rejects(invoke('list_proposals', { source: node.url }), new RegExp(dialog));
      assert.deepEqual(asked, []);
      await assert.rejects(
        invoke('list_proposals', { source: 'nowhere' }),
        /"nowhere" is not a source that can be queried/,
      );
      await assert.rejects(invoke('get_proposal', {}), /get_proposal needs "id"/);
    } finally {
      await node.stop();
    }
  });
});
