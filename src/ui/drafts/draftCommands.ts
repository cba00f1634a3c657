import * as vscode from 'vscode';
import { InputError, isHttpError, isMissing, isUnsupported } from '../../api/errors.ts';
import { accountPrefix, readBech32 } from '../../chain/address.ts';
import { groupDigits } from '../../chain/coin.ts';
import { utcMinute } from '../../chain/text.ts';
import {
  type NewDraft,
  newDraftText,
  paramsModules,
  placeOfAnswer,
  submissionOf,
  upgradeHeightEdit,
} from '../../draft/draftHelp.ts';
import { readDraft } from '../../draft/draftText.ts';
import { type DraftNeeds, type KnownFacts, nothingKnown } from '../../draft/knownFacts.ts';
import { heightAt } from '../../draft/messageChecks.ts';
import { readHeightQuery } from '../../session/heights.ts';
import { type KeyValueStore, SourceMemory } from '../../session/memory.ts';
import type { Source } from '../../session/source.ts';
import { causeText } from '../../words/errorWords.ts';
import { askText, pickOne, withProgress } from '../ask.ts';
import { type Command, commandsOf } from '../commands/command.ts';
import { confirm, showError, showInfo } from '../report.ts';
import type { DraftEditor } from './draftEditor.ts';
import type { LazyDrafts } from './lazyDrafts.ts';

const day = 86_400_000;
const nothingNeeded: DraftNeeds = { packages: [], legacy: [], plans: [], pool: false, pace: false };

/** The commands of drafts; `globalState` keeps the proposer of each chain, and the endpoints that were agreed to. */
export function draftCommands(drafts: LazyDrafts, globalState: KeyValueStore): readonly Command[] {
  const inEditor = (
    work: (editor: DraftEditor, document: vscode.TextDocument) => Promise<void>,
  ): (() => Promise<void>) => {
    return async () => {
      const document = vscode.window.activeTextEditor?.document;
      if (document) await work(await drafts.load(), document);
    };
  };
  return [
    ...commandsOf(vscode.l10n.t('Could not check the draft'), {
      changeDraftChain: inEditor((editor, document) => editor.changeChain(document)),
      previewDraft: inEditor((editor, document) => editor.preview(document)),
      refreshDraft: inEditor((editor, document) => editor.refresh(document)),
    }),
    ...commandsOf(vscode.l10n.t('Could not ask the node'), {
      askNode: inEditor((editor, document) => askNode(editor, document, globalState)),
    }),
    ...commandsOf(vscode.l10n.t('Could not make a draft'), {
      _planUpgradeAt: inEditor(planUpgradeAt),
      newDraft: async () => newDraft(await drafts.load()),
    }),
  ];
}

/** Asks what is to be proposed, and opens a draft of it with all that the chain knows filled in. */
async function newDraft(editor: DraftEditor): Promise<void> {
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
  const proposed = utcMinute(new Date(Date.now() + 14 * day));
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
  return query?.kind === 'before' ? new Date(Number(query.nanoseconds / 1_000_000n)) : undefined;
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
  // All of it: a document that was just closed under this name may still have its text.
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  const gap = document.positionAt(document.getText().indexOf('""', document.getText().indexOf('"title"')) + 1);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(gap, gap) });
}

/** Asks for the time of an upgrade that a draft plans, and puts the block at that time into the plan. */
async function planUpgradeAt(editor: DraftEditor, document: vscode.TextDocument): Promise<void> {
  const facts = editor.draftIn(document)?.facts;
  if (facts?.time === undefined || facts.blockSeconds === undefined)
    throw new InputError(vscode.l10n.t('The time of a block of this chain is not known'));
  const time = await askUpgradeTime();
  const height = time && heightAt(facts, time);
  const draft = readDraft(document.getText());
  if (height === undefined || typeof draft !== 'object') return;
  const cursor = vscode.window.activeTextEditor?.selection.active ?? new vscode.Position(0, 0);
  const found = upgradeHeightEdit(draft, document.offsetAt(cursor), height);
  if (!found) throw new InputError(vscode.l10n.t('This draft plans no upgrade'));
  const { start, end } = found.range;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), found.newText);
  await vscode.workspace.applyEdit(edit);
}

/**
 * Has the node that a draft is checked against judge it as a submission. The only thing that is sent to a node beside
 * questions: for each endpoint the user agrees first.
 */
async function askNode(editor: DraftEditor, document: vscode.TextDocument, globalState: KeyValueStore): Promise<void> {
  const { t } = vscode.l10n;
  const source = editor.sourceOf(document.uri);
  if (!editor.canAsk(source))
    throw new InputError(t('Only an endpoint as it is now can be asked, in a trusted workspace'));
  const { version } = document;
  const draft = readDraft(document.getText());
  if (typeof draft !== 'object' || draft.kind === 'metadata' || draft.syntax.length > 0)
    throw new InputError(t('This file holds no draft of a proposal that can be read'));
  const facts = editor.draftIn(document)?.facts ?? nothingKnown;
  const proposer = await askProposer(new SourceMemory(globalState, 'proposers'), facts, source);
  if (proposer === undefined || !(await agrees(new SourceMemory(globalState, 'askedNodes'), source, proposer))) return;
  const { session } = editor.factsOf(source);
  try {
    const node = await session.node();
    const message = submissionOf(draft, proposer, facts);
    const title = t('Asking {0}', source.name);
    const { gasUsed } = await withProgress(title, (signal) => node.simulate(proposer, message, signal));
    editor.showAnswer(document, version, undefined);
    const taken = t('{0} would take this proposal, for {1} gas.', source.name, groupDigits(gasUsed));
    const later = t('It does not execute messages now: what is wrong in them shows when the proposal has passed.');
    // Nothing waits for the message to be closed.
    void showInfo(draft.actions.length > 0 ? `${taken} ${later}` : taken);
  } catch (error) {
    const said = refusalOf(error);
    if (said === undefined) throw new InputError(explained(error, source, proposer), { cause: error });
    editor.showAnswer(document, version, { range: placeOfAnswer(draft, said), said });
    void showError(t('{0} would refuse this proposal: {1}', source.name, said));
  }
}

async function askProposer(
  proposers: SourceMemory,
  { chainId, prefix }: KnownFacts,
  source: Source,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const kept = proposers.get(chainId ?? source.id);
  const fault = (text: string): string | undefined => {
    const read = readBech32(text.trim());
    if (!('prefix' in read)) return t('This is not an address, or it has a typing error');
    const isOther = prefix !== undefined && accountPrefix(read.prefix) !== prefix;
    return isOther ? t('Addresses of this chain begin with {0}', prefix) : undefined;
  };
  const typed = await askText({
    title: t('Ask the node'),
    prompt: t('Address of the proposer: an account of the chain that holds the deposit'),
    value: typeof kept === 'string' ? kept : '',
    fault,
  });
  const proposer = typed?.trim();
  if (proposer !== undefined) await proposers.set(chainId ?? source.id, proposer);
  return proposer;
}

/** Whether the text may leave the machine for this endpoint; asked once for each. */
async function agrees(agreed: SourceMemory, source: Source, proposer: string): Promise<boolean> {
  if (agreed.get(source.id) === true) return true;
  const { t } = vscode.l10n;
  const details = [
    t('The whole text of the draft and the address {0} leave this machine and go to {1}.', proposer, source.id),
    t('The node tries the submission. Nothing is signed, kept on the chain or sent on.'),
  ];
  const isAgreed = await confirm(t('Send this draft to {0}?', source.name), details, t('Send'));
  if (isAgreed) await agreed.set(source.id, true);
  return isAgreed;
}

/** What the node said of the submission itself, without the places in its own source; undefined for any other failure. */
function refusalOf(error: unknown): string | undefined {
  if (!isHttpError(error) || error.nodeMessage === undefined || isUnsupported(error) || isMissing(error))
    return undefined;
  if (error.status !== 400 && error.status !== 500) return undefined;
  const said = error.nodeMessage.replace(/^failed to execute message; message index: \d+: /, '');
  return said.replace(/ \[[^\][ ]{0,300}:\d{1,9}\].*$/s, '').trim() || undefined;
}

function explained(error: unknown, source: Source, proposer: string): string {
  const { t } = vscode.l10n;
  if (isMissing(error))
    return t('{0} does not know the account {1}: it has to exist and hold the deposit', source.name, proposer);
  const isClosed = isUnsupported(error) || (isHttpError(error) && error.status === 403);
  const reason = causeText(error, t);
  return isClosed ? t('{0} takes no simulated submissions: choose another endpoint. {1}', source.name, reason) : reason;
}
