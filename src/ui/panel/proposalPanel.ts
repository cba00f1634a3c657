import * as vscode from 'vscode';
import { readBech32 } from '../../chain/address.ts';
import type { DenomUnit } from '../../chain/coin.ts';
import { isStatusGroup } from '../../chain/gov/proposalGroups.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { ChainFacts } from '../../draft/chainFacts.ts';
import type { DraftReport } from '../../draft/checkDraft.ts';
import { readDraft } from '../../draft/draftText.ts';
import { toProposal } from '../../draft/proposed/draftProposal.ts';
import { placeOf } from '../../page/blocks.ts';
import { draftTabTitle, toDraftView } from '../../page/draftView.ts';
import { type ProposalAction, proposalActions, type ShowProposal } from '../../page/pageMessages.ts';
import type { ProposalFacts, ProposalKey } from '../../page/proposalFacts.ts';
import { ProposalModel } from '../../page/proposalModel.ts';
import { toProposalView, toWaitingView } from '../../page/proposalView.ts';
import { type RegistryChain, registryChain } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import { pastId, presentId } from '../../session/source.ts';
import { systemClock } from '../../watch/clock.ts';
import type { WatchTarget } from '../../watch/watchList.ts';
import { askText } from '../ask.ts';
import { copyLinks } from '../codeLinks/outsideLinks.ts';
import { proposalUri } from '../documents.ts';
import { createPanel, setTabTitle } from '../editorTexts.ts';
import { findPast } from '../endpoints/pickHeight.ts';
import { exportVotes } from '../exportFile.ts';
import { curlCommands } from '../lists/commands/curlCommands.ts';
import { flash, type Report } from '../report.ts';
import { PagePanel, pageWords } from './pagePanel.ts';
import { draftViewType, type ProposalCommand } from './panelCommands.ts';
import type { PanelHost } from './panelHost.ts';

/** The first proposal of a panel. `pinned`: the panel is kept open for it. */
export interface ShownProposal {
  readonly key: ProposalKey;
  readonly pinned: boolean;
}

/** The panel of a proposal. */
export class ProposalPanel extends PagePanel<ProposalAction> {
  readonly #host: PanelHost;
  readonly #onShow: (key: ProposalKey) => void;
  readonly #history: ProposalKey[] = [];
  #model: ProposalModel;
  #pinned: boolean;

  /** `onShow` is called when this panel gets the focus, and when it has the focus and shows another proposal. */
  constructor(panel: vscode.WebviewPanel, shown: ShownProposal, host: PanelHost, onShow: (key: ProposalKey) => void) {
    const { key, pinned } = shown;
    super(panel, host.storage.extensionUri, host.report, proposalActions);
    this.#host = host;
    this.#onShow = onShow;
    this.#pinned = pinned;
    this.#model = this.#load(key);
    panel.onDidChangeViewState(() => {
      this.#model.setVisible(panel.visible);
      if (panel.active) onShow(this.key);
      this.#setContext();
    });
    const watching = host.watchList.onDidChange(() => this.showSoon());
    panel.onDidDispose(() => {
      watching.dispose();
      this.#model.dispose();
    });
    this.show();
  }

  get key(): ProposalKey {
    return this.#model.key;
  }

  get pinned(): boolean {
    return this.#pinned;
  }

  /** The target to watch. At a past height it is the proposal at its present state. */
  get #target(): WatchTarget {
    return { kind: 'proposal', sourceId: presentId(this.#model.session.source), id: this.key.id };
  }

  get #isWatched(): boolean {
    return this.#host.watchList.isWatched(this.#target);
  }

  isOf({ sourceId, id }: ProposalKey): boolean {
    return sourceId === this.key.sourceId && id === this.key.id;
  }

  /** Shows another proposal. Back leads to the last one. */
  navigate(key: ProposalKey): void {
    if (this.isOf(key)) return;
    this.#history.push(this.key);
    this.#open(key);
  }

  /** Runs a command, and shows its failure. */
  async run(command: ProposalCommand | ProposalAction): Promise<void> {
    const failure = vscode.l10n.t('Could not update proposal #{0}', this.key.id.toString());
    await this.#host.report.run(failure, () => this.#do(command));
  }

  #open(key: ProposalKey): void {
    const before = this.#model;
    this.#model = this.#load(key);
    // Last, since a source without users would be closed and opened again.
    before.dispose();
    this.show();
  }

  #load(key: ProposalKey): ProposalModel {
    const { active, storage } = this.#host;
    const model = new ProposalModel(key, active.sessions.acquire(active.settings.source(key.sourceId)), {
      clock: systemClock,
      registryChain: (chainId): Promise<RegistryChain | undefined> => registryChain(storage.distPath, chainId, key.id),
    });
    model.onDidChange(() => this.showSoon());
    model.setVisible(this.panel.visible);
    if (this.panel.active) this.#onShow(key);
    void model.start();
    return model;
  }

  async #do(command: ProposalCommand | ProposalAction): Promise<void> {
    const model = this.#model;
    const { key, session, whoVoted, explorerUrl, facts } = model;
    const proposal = facts?.row.kind === 'proposal' ? facts.row : undefined;
    switch (command) {
      case 'backToProposal': {
        const before = this.#history.pop();
        return before && this.#open(before);
      }
      case 'previousProposal':
        return this.#showNeighbour('previous');
      case 'nextProposal':
        return this.#showNeighbour('next');
      case 'pinProposal':
      case 'unpinProposal':
        this.#pinned = command === 'pinProposal';
        return this.show();
      case 'watch':
      case 'unwatch':
        if (this.#isWatched !== (command === 'watch')) await this.#host.watchList.toggle(this.#target);
        return;
      case 'refreshProposal':
        return model.refresh();
      case 'copyProposalId':
        return vscode.env.clipboard.writeText(key.id.toString());
      case 'copyLink':
        return copyLinks(session, [{ kind: 'proposal', id: key.id }]);
      case 'copyJson':
        return proposal && vscode.env.clipboard.writeText(JSON.stringify(proposal.raw, null, 2));
      case 'copyCurl': {
        const [curl] = await curlCommands(session, [{ proposal: key.id }], this.#host.storage.credentials);
        return curl === undefined ? undefined : vscode.env.clipboard.writeText(curl);
      }
      case 'openProposalJson':
        return vscode.commands.executeCommand('vscode.open', proposalUri(key.sourceId, key.id));
      case 'openInExplorer':
        if (explorerUrl !== undefined) await vscode.env.openExternal(vscode.Uri.parse(explorerUrl, true));
        return;
      case 'readValidators':
        return this.#model.readValidators();
      case 'stopValidators':
        return whoVoted.stop();
      case 'moreVotes':
        return whoVoted.readVotes();
      case 'findVote': {
        const voter = await askVoter(key.id);
        return voter === undefined ? undefined : whoVoted.find(voter);
      }
      case 'exportVotes':
        // The export continues when this panel is closed or shows another proposal.
        return this.#host.active.sessions.use(session.source, (held) => exportVotes(held, key.id));
      case 'votesBeforeEnd':
        return this.#showBefore(proposal?.votingEndNanoseconds);
      default:
        command satisfies never;
    }
  }

  async #showBefore(nanoseconds: bigint | undefined): Promise<void> {
    const model = this.#model;
    if (nanoseconds === undefined) return;
    const sourceId = pastId(model.session.source, await findPast(model.session, { kind: 'before', nanoseconds }));
    if (model === this.#model) this.navigate({ ...model.key, sourceId });
  }

  async #showNeighbour(which: 'next' | 'previous'): Promise<void> {
    const model = this.#model;
    const id = await model.neighbour(which);
    if (model !== this.#model) return;
    if (id !== undefined) this.navigate({ sourceId: model.key.sourceId, id });
    else flash(which === 'next' ? vscode.l10n.t('No next proposal') : vscode.l10n.t('No previous proposal'));
  }

  #setContext(): void {
    this.setContexts({
      pinned: this.#pinned,
      watched: this.#isWatched,
      canGoBack: this.#history.length > 0,
      hasExplorer: this.#model.explorerUrl !== undefined,
      isEndpoint: this.#model.session.source.kind === 'http',
    });
  }

  protected name(): void {
    const { key, facts } = this.#model;
    setTabTitle(this.panel, panelTitle(key, facts));
    this.panel.iconPath = statusIcon(facts, this.#host.storage.extensionUri);
    this.#setContext();
  }

  protected message(): ShowProposal {
    const { key, facts, failure } = this.#model;
    const { t } = vscode.l10n;
    const myVotes = this.#host.watchList.votesOn(key.sourceId, key.id);
    return {
      type: 'show',
      restore: { sourceId: key.sourceId, proposalId: key.id.toString(), pinned: this.#pinned },
      words: pageWords(),
      view: facts
        ? toProposalView({ ...facts, myVotes, locale: vscode.env.language }, t)
        : toWaitingView(key.id, failure, t),
    };
  }
}

/** Asks for the address whose vote is looked up. Undefined if the user cancels. */
async function askVoter(id: bigint): Promise<string | undefined> {
  const fault = vscode.l10n.t('Not a valid address');
  const voter = await askText({
    title: vscode.l10n.t('Vote on proposal #{0}', id.toString()),
    prompt: vscode.l10n.t('Account address'),
    fault: (text) => ('prefix' in readBech32(text.trim()) ? undefined : fault),
  });
  return voter?.trim();
}

const longestTitle = 40;

/** The title of the tab: `#42 Title · chain-1`. */
function panelTitle({ id }: ProposalKey, facts: ProposalFacts | undefined): string {
  if (!facts) return `#${id}`;
  const title = escapeForUi(facts.row.kind === 'proposal' ? (facts.row.title ?? '') : '', longestTitle);
  return `${`#${id} ${title}`.trim()} · ${escapeForUi(placeOf(facts), longestTitle)}`;
}

function statusIcon(facts: ProposalFacts | undefined, extensionUri: vscode.Uri): vscode.Uri {
  const row = facts?.row;
  const status = row?.kind === 'proposal' ? row.status : 'unknown';
  const icon = status === 'vetoed' ? 'rejected' : status;
  return vscode.Uri.joinPath(extensionUri, 'media', 'status', `${isStatusGroup(icon) ? icon : 'other'}.svg`);
}

/** A draft that was checked against the facts of `session`. */
interface ShownDraft {
  readonly document: vscode.TextDocument;
  readonly facts: ChainFacts;
  readonly report: DraftReport;
  readonly session: Session;
}

/**
 * The preview of a draft beside its text. It shows the draft as a proposal, and is closed when the window is restored.
 */
export class DraftPanel extends PagePanel<never> {
  #drawn: Pick<ShowProposal, 'restore' | 'view'> | undefined;
  #title = vscode.l10n.t('Draft');

  constructor(extensionUri: vscode.Uri, report: Report) {
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = createPanel(draftViewType, vscode.l10n.t('Draft'), beside);
    super(panel, extensionUri, report, []);
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'status', 'draft.svg');
  }

  /** Draws a checked draft. A draft with broken JSON leaves the page as it was. */
  draw({ document, facts, report, session }: ShownDraft): void {
    const draft = readDraft(document.getText());
    if (typeof draft !== 'object' || draft.kind === 'metadata' || draft.syntax.length > 0) return;
    const { t } = vscode.l10n;
    const { readAt = new Date() } = facts;
    const { isStill, pastTime, source, lists } = session;
    const view = {
      ...toProposal(draft, facts),
      facts,
      report,
      sourceName: source.name,
      unitOf: (denom: string): DenomUnit | undefined => lists.supply.unit(denom),
      clockRuns: !isStill,
      now: isStill ? (pastTime ?? facts.time ?? readAt) : new Date(),
      readAt,
    };
    this.#title = draftTabTitle(view, t);
    const restore = { sourceId: document.uri.toString(), proposalId: '0', pinned: true };
    this.#drawn = { restore, view: toDraftView(view, t) };
    this.show();
  }

  /** The page of a draft has no actions. */
  async run(): Promise<void> {}

  protected name(): void {
    setTabTitle(this.panel, this.#title);
  }

  protected message(): ShowProposal | undefined {
    return this.#drawn && { type: 'show', words: pageWords(), ...this.#drawn };
  }
}
