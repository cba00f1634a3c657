import * as vscode from 'vscode';
import { type NewDraft, newDraftText, paramsModules } from '../../draft/draftHelp.ts';
import type { DraftNeeds, KnownFacts } from '../../draft/knownFacts.ts';
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
  const time = kind === 'upgrade' ? await askUpgradeTime() : undefined;
  if (kind === 'upgrade' && time === undefined) return;
  const needs = {
    ...nothingNeeded,
    packages: module === undefined ? [] : [module],
    pool: kind === 'spend',
    pace: kind === 'upgrade',
  };
  const uri = freeName();
  const facts = await withProgress(t('Reading the chain'), () => editor.factsOf(editor.sourceOf(uri)).read(needs));
  await open(uri, newDraftText(toNewDraft(kind, { module, time }, facts), facts));
}

async function pickModule(title: string): Promise<string | undefined> {
  const items = paramsModules.map((label) => ({ label }));
  return (await pickOne(items, { title, placeHolder: vscode.l10n.t('Module whose parameters are to change') }))?.label;
}

/** The time at which an upgrade is wanted; two weeks from now is offered. Undefined when the user leaves. */
async function askUpgradeTime(): Promise<Date | undefined> {
  const proposed = new Date(Date.now() + 14 * day).toISOString().slice(0, 16).replace('T', ' ');
  const typed = await askText({
    title: vscode.l10n.t('Time of the upgrade'),
    prompt: vscode.l10n.t('UTC; the height is worked out from the pace of the chain'),
    value: proposed,
    fault: (text) => (timeOf(text) ? undefined : vscode.l10n.t('Expected a time such as {0}', proposed)),
  });
  return typed === undefined ? undefined : timeOf(typed);
}

/** What was asked for with what is known of the chain; without its pace an upgrade has no height. */
function toNewDraft(
  kind: NewDraft['kind'],
  { module, time }: { readonly module: string | undefined; readonly time: Date | undefined },
  facts: KnownFacts,
): NewDraft {
  if (kind === 'upgrade') {
    const isPaced = facts.time !== undefined && facts.blockSeconds !== undefined;
    return { kind, height: time && isPaced ? heightAt(facts, time) : undefined };
  }
  if (kind !== 'params') return { kind };
  const params = module === undefined ? undefined : facts.moduleParams.get(module);
  if (module === undefined || !params)
    throw new Error(vscode.l10n.t('This source does not state the parameters of {0}', module ?? ''));
  return { kind, module, params };
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
