import * as vscode from 'vscode';
import type { Downloader } from '../../api/download.ts';
import { InputError, isHttpError, isMissing, isUnsupported } from '../../api/errors.ts';
import { basePrefix, readBech32 } from '../../chain/address.ts';
import { groupDigits } from '../../chain/coin.ts';
import { type ChainFacts, nothingKnown } from '../../draft/chainFacts.ts';
import { binaryFindings, checkBinaries, plansIn } from '../../draft/checks/upgrades/upgradeBinaries.ts';
import { heightAt } from '../../draft/checks/upgrades/upgradeChecks.ts';
import { upgradeHeightEdit } from '../../draft/draftEdits.ts';
import { noNeeds } from '../../draft/draftNeeds.ts';
import { readDraft } from '../../draft/draftText.ts';
import { findingText } from '../../draft/draftWords.ts';
import { placeOfAnswer, submissionOf } from '../../draft/proposed/submission.ts';
import { type NewDraft, newDraftText, paramsModules } from '../../draft/writing/newDraft.ts';
import { readHeightQuery } from '../../reads/heights.ts';
import { type KeyValueStore, SourceMemory } from '../../session/memory.ts';
import type { Source } from '../../session/source.ts';
import { causeText } from '../../words/errorWords.ts';
import { listText, sentencesText } from '../../words/language.ts';
import { utcMinute } from '../../words/time.ts';
import { askInSteps, askText, pickOne, withProgress } from '../ask.ts';
import { type Command, commandsOf } from '../commands/command.ts';
import { confirm, showError, showInfo } from '../report.ts';
import { networkOptions } from '../settings.ts';
import type { DraftEditor } from './draftEditor.ts';
import type { LazyDrafts } from './lazyDrafts.ts';

const day = 86_400_000;

/**
 * The commands of drafts. `globalState` stores the proposer of each chain, and the endpoints that the user agreed to
 * ask.
 */
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
    ...commandsOf(vscode.l10n.t('Could not simulate the draft'), {
      askNode: inEditor((editor, document) => askNode(editor, document, globalState)),
    }),
    ...commandsOf(vscode.l10n.t('Could not check the binaries'), {
      checkBinaries: inEditor(checkUpgradeBinaries),
    }),
    ...commandsOf(vscode.l10n.t('Could not create the draft'), {
      _planUpgradeAt: inEditor(planUpgradeAt),
      newDraft: async () => newDraft(await drafts.load()),
    }),
  ];
}

/** Asks for the kind of proposal, and opens a draft. Facts of the chain are filled in. */
async function newDraft(editor: DraftEditor): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('New proposal draft');
  const kinds = [
    { label: t('Parameters of a module'), wanted: 'params' },
    { label: t('Software upgrade'), wanted: 'upgrade' },
    { label: t('Community pool spend'), wanted: 'spend' },
    { label: t('Text'), wanted: 'text' },
  ] as const;
  const asked = await askInSteps(
    () => pickOne(kinds, { title }),
    async ({ wanted: kind }) => {
      const module = kind === 'params' ? await pickModule(title) : undefined;
      const time = kind === 'upgrade' ? await askUpgradeTime() : undefined;
      const isLeft = (kind === 'params' && module === undefined) || (kind === 'upgrade' && time === undefined);
      return isLeft ? undefined : { kind, module, time };
    },
  );
  if (!asked) return;
  const { kind, module, time } = asked;
  const needs = {
    ...noNeeds,
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
  return (await pickOne(items, { title, placeHolder: vscode.l10n.t('Module with the parameters to change') }))?.label;
}

/** Asks for the time of an upgrade. Offers two weeks from now. Undefined if the user cancels. */
async function askUpgradeTime(): Promise<Date | undefined> {
  const proposed = utcMinute(new Date(Date.now() + 14 * day));
  const typed = await askText({
    title: vscode.l10n.t('Time of the upgrade'),
    prompt: vscode.l10n.t('Time in UTC. The height is estimated from the average time per block.'),
    value: proposed,
    fault: (text) => (askedTime(text) ? undefined : vscode.l10n.t('Type a time such as {0}', proposed)),
  });
  return typed === undefined ? undefined : askedTime(typed);
}

/**
 * The draft that was asked for, with facts of the chain. An upgrade has no height if the time between blocks is not
 * known.
 */
function toNewDraft(
  kind: NewDraft['kind'],
  { module, time }: { readonly module: string | undefined; readonly time: Date | undefined },
  facts: ChainFacts,
): NewDraft {
  if (kind === 'upgrade') {
    const isPaced = facts.time !== undefined && facts.blockSeconds !== undefined;
    return { kind, height: time && isPaced ? heightAt(facts, time) : undefined };
  }
  if (kind !== 'params') return { kind };
  const params = module === undefined ? undefined : facts.moduleParams.get(module);
  if (module === undefined || !params)
    throw new Error(vscode.l10n.t('The parameters of {0} are not available', module ?? ''));
  return { kind, module, params };
}

function askedTime(text: string): Date | undefined {
  const query = readHeightQuery(text);
  return query?.kind === 'before' ? new Date(Number(query.nanoseconds / 1_000_000n)) : undefined;
}

/** `draft_proposal.json` in the first folder. Gets a number if a file of that name is open. */
function freeName(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'draft_proposal.json' : `draft_proposal_${count}.json`;
    const path = folder ? vscode.Uri.joinPath(folder.uri, name).path : name;
    if (!open.has(path)) return vscode.Uri.from({ scheme: 'untitled', path });
  }
}

/** Opens a text as an unsaved document. The cursor stands at the first gap to fill in. */
async function open(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  // The document may still have the text of one that was just closed under this name.
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  const gap = document.positionAt(document.getText().indexOf('""', document.getText().indexOf('"title"')) + 1);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(gap, gap) });
}

/** Asks for the time of an upgrade, and writes the block of that time into the plan. */
async function planUpgradeAt(editor: DraftEditor, document: vscode.TextDocument): Promise<void> {
  const facts = editor.draftIn(document)?.facts;
  if (facts?.time === undefined || facts.blockSeconds === undefined)
    throw new InputError(vscode.l10n.t('The block time of this chain is unknown'));
  const time = await askUpgradeTime();
  const height = time && heightAt(facts, time);
  const draft = readDraft(document.getText());
  if (height === undefined || typeof draft !== 'object') return;
  const cursor = vscode.window.activeTextEditor?.selection.active ?? new vscode.Position(0, 0);
  const found = upgradeHeightEdit(draft, document.offsetAt(cursor), height);
  if (!found) throw new InputError(vscode.l10n.t('This draft has no upgrade plan'));
  const { start, end } = found.range;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), found.newText);
  await vscode.workspace.applyEdit(edit);
}

/**
 * Asks the node of a draft to simulate its submission. This is the only request that sends a text to a node. The user
 * has to agree once for each endpoint.
 */
async function askNode(editor: DraftEditor, document: vscode.TextDocument, globalState: KeyValueStore): Promise<void> {
  const { t } = vscode.l10n;
  const source = editor.sourceOf(document.uri);
  if (!editor.canAsk(source))
    throw new InputError(t('Simulation requires a trusted workspace and an endpoint at its latest block'));
  const { version } = document;
  const draft = readDraft(document.getText());
  if (typeof draft !== 'object' || draft.kind === 'metadata' || draft.syntax.length > 0)
    throw new InputError(t('This file is not a readable proposal draft'));
  const facts = editor.draftIn(document)?.facts ?? nothingKnown;
  const proposer = await askProposer(new SourceMemory(globalState, 'proposers'), facts, source);
  if (proposer === undefined || !(await agrees(new SourceMemory(globalState, 'askedNodes'), source, proposer))) return;
  const { session } = editor.factsOf(source);
  try {
    const node = await session.node();
    const message = submissionOf(draft, proposer, facts);
    const title = t('Simulating on {0}', source.name);
    const { gasUsed } = await withProgress(title, (signal) => node.simulate(proposer, message, signal));
    editor.showAnswer(document, version, undefined);
    const taken = t('{0} would accept this proposal ({1} gas).', source.name, groupDigits(gasUsed));
    const later = t('The messages were not executed. Errors in them appear only after the vote.');
    // The command does not wait until the notification is closed.
    void showInfo(draft.actions.length > 0 ? sentencesText([taken, later], t) : taken);
  } catch (error) {
    const said = refusalOf(error);
    if (said === undefined) throw new InputError(explained(error, source, proposer), { cause: error });
    editor.showAnswer(document, version, { range: placeOfAnswer(draft, said), said });
    void showError(t('{0} would not accept this proposal: {1}', source.name, said));
  }
}

/** Downloads the files of a draft's upgrade plans, and compares their checksums. The user first agrees to the hosts. */
async function checkUpgradeBinaries(editor: DraftEditor, document: vscode.TextDocument): Promise<void> {
  const { t } = vscode.l10n;
  const { version } = document;
  const draft = readDraft(document.getText());
  const plans = typeof draft === 'object' ? plansIn(draft) : [];
  if (typeof draft !== 'object' || plans.length === 0)
    throw new InputError(t('This draft has no upgrade plan that lists binaries'));
  const hosts = [...new Set(plans.flatMap(({ files }) => files.map(({ host }) => host)))];
  if (hosts.length > 0 && !(await agreesToHosts(hosts))) return;
  const checked = await withProgress(t('Checking upgrade binaries'), async (signal, show) => {
    const downloads = await openDownloads();
    const files = plans.reduce((sum, plan) => sum + plan.files.length, 0);
    let done = 0;
    try {
      return await checkBinaries(draft, {
        read: (file, digest, keepsText) => {
          const before = done++;
          const onProgress = (bytes: number, total: number | undefined): void => {
            // A downloaded plan may name more files.
            const percent = total && Math.min(100, (100 * (before + bytes / total)) / files);
            show(`${file.platform}: ${(bytes / 1e6).toFixed(1)} MB`, percent);
          };
          return downloads.read({ url: file.url, digest, keepsText, onProgress }, signal);
        },
        reasonOf: (error) => causeText(error, t),
        mayAsk: agreesToHosts,
        signal,
      });
    } finally {
      await downloads.dispose();
    }
  });
  const findings = binaryFindings(checked);
  editor.showBinaries(document, version, findings);
  const said = sentencesText(
    findings.map((finding) => findingText(finding, t)),
    t,
  );
  const isFine = findings.every(({ severity }) => severity === 'hint');
  void (isFine ? showInfo(said) : showError(said));
}

async function openDownloads(): Promise<Downloader> {
  return (await import('../../api/download.ts')).createDownloader(networkOptions());
}

/** Asks whether files may be downloaded from these hosts. */
async function agreesToHosts(hosts: readonly string[]): Promise<boolean> {
  const { t } = vscode.l10n;
  const details = [
    listText(hosts, t),
    t(
      'Files are downloaded over https from these public hosts, or from public hosts they redirect to. Nothing is stored or run.',
    ),
  ];
  return confirm(t('Download the binaries of this upgrade to compare their checksums?'), details, t('Download'));
}

async function askProposer(
  proposers: SourceMemory,
  { chainId, prefix }: ChainFacts,
  source: Source,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const kept = proposers.get(chainId ?? source.id);
  const fault = (text: string): string | undefined => {
    const read = readBech32(text.trim());
    if (!('prefix' in read)) return t('Not a valid address');
    const isOther = prefix !== undefined && basePrefix(read.prefix) !== prefix;
    return isOther ? t('Addresses of this chain start with {0}', prefix) : undefined;
  };
  const typed = await askText({
    title: t('Simulate on node'),
    prompt: t('Proposer: an account address with enough funds for the deposit'),
    value: typeof kept === 'string' ? kept : '',
    fault,
  });
  const proposer = typed?.trim();
  if (proposer !== undefined) await proposers.set(chainId ?? source.id, proposer);
  return proposer;
}

/** Asks once for each endpoint whether the text may be sent to it. */
async function agrees(agreed: SourceMemory, source: Source, proposer: string): Promise<boolean> {
  if (agreed.get(source.id) === true) return true;
  const { t } = vscode.l10n;
  const details = [
    t('The draft and the address {0} are sent to {1}.', proposer, source.id),
    t('The node simulates the submission. Nothing is signed, stored or broadcast.'),
  ];
  const isAgreed = await confirm(t('Send this draft to {0}?', source.name), details, t('Send'));
  if (isAgreed) await agreed.set(source.id, true);
  return isAgreed;
}

/** The node's answer to the submission, without places in the node's source code. Undefined for any other failure. */
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
    return t(
      'There is no account {0} on {1}. Use an existing account with enough funds for the deposit.',
      proposer,
      source.name,
    );
  const isClosed = isUnsupported(error) || (isHttpError(error) && error.status === 403);
  const reason = causeText(error, t);
  return isClosed ? t('{0} does not support simulation. Choose another endpoint. {1}', source.name, reason) : reason;
}
