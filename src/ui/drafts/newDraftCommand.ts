import * as vscode from 'vscode';
import type { DraftNeeds } from '../../draft/checkDraft.ts';
import { type NewDraft, newDraftText, paramsModules } from '../../draft/draftHelp.ts';
import type { KnownFacts } from '../../draft/knownFacts.ts';
import { heightAt } from '../../draft/messageChecks.ts';
import { readHeightQuery } from '../../session/heights.ts';
import { askText, pickOne, withProgress } from '../ask.ts';
import type { DraftEditor } from './draftEditor.ts';

const day = 86_400_000;
const nothingNeeded: DraftNeeds = { packages: [], legacy: [], plans: [], pool: false, pace: false };

/** Asks what is to be proposed, and opens a draft of it with all that the chain knows filled in. */
export async function newDraft(editor: DraftEditor): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('New proposal draft');
  const kinds = [
    { label: t('Parameters of a module'), wanted: 'params' },
    { label: t('Software upgrade'), wanted: 'upgrade' },
    { label: t('Community pool spend'), wanted: 'spend' },
    { label: t('Text'), wanted: 'text' },
  ] as const;
  const picked = await pickOne(kinds, { title });
  if (!picked) return;
  const { wanted: kind } = picked;
  const module = kind === 'params' ? await pickModule(title) : undefined;
  if (kind === 'params' && module === undefined) return;
  const needs = {
    ...nothingNeeded,
    packages: module === undefined ? [] : [module],
    pool: kind === 'spend',
    pace: kind === 'upgrade',
  };
  const uri = freeName();
  const facts = await withProgress(t('Reading the chain'), () => editor.factsOf(editor.sourceOf(uri)).read(needs));
  const wish = await toNewDraft(kind, module, facts);
  if (wish) await open(uri, newDraftText(wish, facts));
}

async function pickModule(title: string): Promise<string | undefined> {
  const items = paramsModules.map((label) => ({ label }));
  return (await pickOne(items, { title, placeHolder: vscode.l10n.t('Module whose parameters are to change') }))?.label;
}

async function toNewDraft(
  kind: NewDraft['kind'],
  module: string | undefined,
  facts: KnownFacts,
): Promise<NewDraft | undefined> {
  if (kind === 'params') {
    const params = module === undefined ? undefined : facts.moduleParams.get(module);
    if (module === undefined || !params)
      throw new Error(vscode.l10n.t('This source does not state the parameters of {0}', module ?? ''));
    return { kind, module, params };
  }
  if (kind !== 'upgrade') return { kind };
  if (facts.time === undefined || facts.blockSeconds === undefined) return { kind, height: undefined };
  const period = (facts.govParams?.votingPeriod ?? 0) * 1000;
  const proposed = new Date(facts.time.getTime() + period + day).toISOString().slice(0, 16).replace('T', ' ');
  const typed = await askText({
    title: vscode.l10n.t('Time of the upgrade'),
    prompt: vscode.l10n.t('UTC; the height is worked out from blocks of {0} s', facts.blockSeconds.toFixed(2)),
    value: proposed,
    fault: (text) => (timeOf(text) ? undefined : vscode.l10n.t('Expected a time such as {0}', proposed)),
  });
  const time = typed === undefined ? undefined : timeOf(typed);
  return time && { kind, height: heightAt(facts, time) };
}

function timeOf(text: string): Date | undefined {
  const query = readHeightQuery(text);
  return query?.kind === 'before' ? query.time : undefined;
}

/** `draft_proposal.json` in the first folder, with a number where such a one is open. */
function freeName(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'draft_proposal.json' : `draft_proposal_${count}.json`;
    const path = folder ? vscode.Uri.joinPath(folder.uri, name).path : name;
    if (!open.has(path)) return vscode.Uri.from({ scheme: 'untitled', path });
  }
}

/** Opens the text as a document that is not saved yet, with the cursor where the first thing has to be filled in. */
async function open(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  const gap = document.positionAt(document.getText().indexOf('""', document.getText().indexOf('"title"')) + 1);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(gap, gap) });
}
