import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import { nothingKnown } from '../../draft/chainFacts.ts';
import { checkRead } from '../../draft/checkDraft.ts';
import { hasMetadataFile, metadataFileName } from '../../draft/draftKind.ts';
import { needsOf } from '../../draft/draftNeeds.ts';
import { readDraft, type TextRange } from '../../draft/draftText.ts';
import type { Finding } from '../../draft/finding.ts';
import { maxAges } from '../../session/kept.ts';
import { SourceMemory } from '../../session/memory.ts';
import { presentId, type Source } from '../../session/source.ts';
import { causeText } from '../../words/errorWords.ts';
import type { ActiveSession } from '../activeSession.ts';
import { pickOne } from '../ask.ts';
import { setContext } from '../contextKeys.ts';
import { sourceItem, sourcesByUse } from '../endpoints/sourceItems.ts';
import type { DraftPanel } from '../panel/proposalPanel.ts';
import type { Report } from '../report.ts';
import type { Storage } from '../storage.ts';
import { type CheckedDraft, completionItems, DraftMarks, hoverAt, lensesOf, rangeIn } from './draftMarks.ts';
import { SourceFacts } from './sourceFacts.ts';

/** The metadata beside a draft, from the editor or else from disk. Undefined if there is none. */
async function readMetadataFile(draft: vscode.Uri): Promise<string | undefined> {
  if (!hasMetadataFile(draft.path)) return undefined;
  const uri = vscode.Uri.joinPath(draft, '..', metadataFileName);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.getText();
  return vscode.workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
}

const selector: vscode.DocumentSelector = [{ language: 'json' }, { language: 'jsonc' }];

/** Checks open drafts. Shows findings, repairs, and a line with the source above each draft. */
export class DraftEditor implements vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #storage: Storage;
  readonly #report: Report;
  readonly #pause: number;
  readonly #chosen: SourceMemory;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('chainInspector.drafts');
  /** Answers of nodes about drafts. Each is removed when its text changes. */
  readonly #answers = vscode.languages.createDiagnosticCollection('chainInspector.node');
  readonly #lenses = new vscode.EventEmitter<void>();
  readonly #checked = new vscode.EventEmitter<CheckedDraft>();
  readonly #drafts = new Map<string, CheckedDraft>();
  readonly #facts = new Map<string, SourceFacts>();
  readonly #previews = new Map<string, DraftPanel>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #marks: DraftMarks;
  readonly #registered: vscode.Disposable;

  /** `pause` is the time after the last key press before a text is checked. In milliseconds. */
  constructor(active: ActiveSession, storage: Storage, report: Report, pause: number) {
    this.#active = active;
    this.#storage = storage;
    this.#report = report;
    this.#pause = pause;
    this.#chosen = new SourceMemory(storage.workspaceState, 'draftSources');
    this.#marks = new DraftMarks(vscode.Uri.joinPath(storage.extensionUri, 'docs', 'drafts.md'));
    this.#registered = vscode.Disposable.from(
      this.#diagnostics,
      this.#answers,
      this.#lenses,
      this.#checked,
      vscode.workspace.onDidOpenTextDocument((document) => void this.check(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#checkLater(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.length > 0) this.#forgetClosed();
      }),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const { document } of editors) if (!this.draftIn(document)) void this.check(document);
      }),
      active.onDidChange(() => this.#checkAll()),
      vscode.languages.registerCodeLensProvider(selector, {
        onDidChangeCodeLenses: this.#lenses.event,
        provideCodeLenses: (document) => {
          const draft = this.draftIn(document);
          return draft && lensesOf(draft, this.canAsk(draft.source));
        },
      }),
      vscode.languages.registerCodeActionsProvider(
        selector,
        { provideCodeActions: (document, range) => this.#actionsAt(document, range) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
      vscode.languages.registerCompletionItemProvider(
        selector,
        {
          provideCompletionItems: (document, position) => {
            const draft = this.draftIn(document);
            return draft && completionItems(draft, position);
          },
        },
        '"',
      ),
      vscode.languages.registerHoverProvider(selector, {
        provideHover: (document, position) => {
          const draft = this.draftIn(document);
          return draft && hoverAt(draft, position);
        },
      }),
    );
    this.#checkAll();
  }

  /** Fires after a draft was checked. */
  readonly onDidCheck = this.#checked.event;

  /** The last check of a document. Undefined if it is no draft. */
  draftIn(document: vscode.TextDocument): CheckedDraft | undefined {
    return this.#drafts.get(document.uri.toString());
  }

  /** The source that a file is checked against: the one chosen for it, or else the shown one. */
  sourceOf(uri: vscode.Uri): Source {
    const chosen = this.#chosen.get(uri.toString());
    const known = this.#active.settings.sources.find(({ id }) => id === chosen);
    return known ?? this.#active.session.source;
  }

  /** Checks a document now. Shows findings about its form at once, and those about its source after the answer. */
  async check(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    if (vscode.languages.match(selector, document) === 0 || document.isClosed) return;
    const { version } = document;
    const draft = readDraft(document.getText());
    if (draft === undefined) return this.#forget(document);
    const source = this.sourceOf(document.uri);
    const before = this.draftIn(document);
    const earlier = before?.source.id === source.id ? before : undefined;
    let failure = earlier?.failure;
    let facts = earlier?.facts ?? nothingKnown;
    let metadataFile = before?.metadataFile;
    const isSame = (): boolean =>
      !document.isClosed && document.version === version && this.sourceOf(document.uri).id === source.id;
    const show = (): void => {
      const report = isSame() && checkRead(draft, facts, metadataFile);
      if (report) this.#show({ document, version, source, facts, failure, metadataFile, report });
    };
    // Before any await, since VS Code asks for quick fixes right after a key press.
    show();
    if (typeof draft !== 'object' || draft.kind === 'metadata') return;
    try {
      metadataFile = await readMetadataFile(document.uri);
      const needs = needsOf(draft);
      const packages = this.#previews.has(key) ? [...needs.packages, stakingPackage] : needs.packages;
      facts = await this.factsOf(source).read({ ...needs, packages });
      // Draw amounts in display units if these can be read.
      if (this.#previews.has(key))
        await this.factsOf(source).session.lists.supply.loadUnits({ maxAge: maxAges.screen });
      failure = undefined;
    } catch (error) {
      failure = causeText(error, vscode.l10n.t);
    }
    // The tab may have been closed while the source was asked.
    if (this.draftIn(document)) show();
  }

  /** The facts of a source. They are kept while drafts are open. */
  factsOf(source: Source): SourceFacts {
    const known =
      this.#facts.get(source.id) ?? new SourceFacts(this.#active.sessions.acquire(source), () => this.#checkAll());
    this.#facts.set(source.id, known);
    return known;
  }

  /** Asks the user for the source that a draft is checked against. */
  async changeChain(document: vscode.TextDocument): Promise<void> {
    const active = this.#active;
    const items = sourcesByUse(active).map((source) => ({ ...sourceItem(source, active.settings), source }));
    const picked = await pickOne(items, { title: vscode.l10n.t('Check draft against') });
    if (picked) await this.checkAgainst(document, picked.source);
  }

  /** Checks a draft against this source from now on. The choice is stored in the workspace. */
  async checkAgainst(document: vscode.TextDocument, { id }: Source): Promise<void> {
    const isShown = id === presentId(this.#active.session.source);
    await this.#chosen.set(document.uri.toString(), isShown ? undefined : id);
    await this.check(document);
  }

  /** Shows a draft as a proposal, in a panel beside it. Each draft has one panel. */
  async preview(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    const { DraftPanel } = await import('../panel/proposalPanel.ts');
    const shown = this.#previews.get(key);
    if (shown) return shown.panel.reveal(undefined, true);
    if (!this.draftIn(document)) throw new InputError(vscode.l10n.t('This file is not a proposal draft'));
    const preview = new DraftPanel(this.#storage.extensionUri, this.#report);
    this.#previews.set(key, preview);
    preview.panel.onDidDispose(() => this.#previews.delete(key));
    await this.check(document);
  }

  /**
   * Whether a source can be asked about a draft. It has to be a node, and the workspace has to be trusted, since the
   * text is sent.
   */
  canAsk(source: Source): boolean {
    return vscode.workspace.isTrusted && source.kind === 'http' && source.at === undefined;
  }

  /** Shows a node's refusal at its place, until the text changes. Undefined shows nothing. */
  showAnswer(
    document: vscode.TextDocument,
    version: number,
    answer: { readonly range: TextRange; readonly said: string } | undefined,
  ): void {
    this.#answers.delete(document.uri);
    if (!answer || document.isClosed || document.version !== version) return;
    const message = vscode.l10n.t('The node would not accept this proposal: {0}', escapeForUi(answer.said, 1000));
    const diagnostic = new vscode.Diagnostic(rangeIn(document, answer), message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = `Chain Inspector (${escapeForUi(this.sourceOf(document.uri).name)})`;
    this.#answers.set(document.uri, [diagnostic]);
  }

  /** Shows the results of downloads at the info of the upgrade plan, until the text changes. */
  showBinaries(document: vscode.TextDocument, version: number, findings: readonly Finding[]): void {
    this.#answers.delete(document.uri);
    const draft = this.draftIn(document);
    if (!draft || document.isClosed || document.version !== version) return;
    this.#answers.set(
      document.uri,
      findings.map((finding) => this.#marks.diagnostic(draft, finding)),
    );
  }

  /** Reads the facts of the source again, and checks the document. */
  async refresh(document: vscode.TextDocument): Promise<void> {
    this.factsOf(this.sourceOf(document.uri)).refresh();
    await this.check(document);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const facts of this.#facts.values()) facts.dispose();
    for (const { panel } of this.#previews.values()) panel.dispose();
    this.#registered.dispose();
  }

  #checkAll(): void {
    for (const document of this.#forgetClosed()) void this.check(document);
  }

  /**
   * Forgets documents without a tab, and returns the others. VS Code keeps closed documents for minutes, and no source
   * is asked about them.
   */
  #forgetClosed(): readonly vscode.TextDocument[] {
    const [open, closed] = documentsByTab();
    for (const document of closed) this.#forget(document);
    return open;
  }

  /** Drops the facts of sources that no draft uses. This releases their sessions. */
  #dropFacts(): void {
    const used = new Set([...this.#drafts.values()].map(({ source }) => source.id));
    for (const [id, facts] of this.#facts) {
      if (used.has(id)) continue;
      facts.dispose();
      this.#facts.delete(id);
    }
  }

  #checkLater(document: vscode.TextDocument): void {
    this.#answers.delete(document.uri);
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    const isMetadata = document.uri.path.endsWith(`/${metadataFileName}`);
    const check = (): void => (isMetadata ? this.#checkAll() : void this.check(document));
    this.#timers.set(key, setTimeout(check, this.#pause));
  }

  #forget({ uri }: vscode.TextDocument): void {
    const key = uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#diagnostics.delete(uri);
    this.#answers.delete(uri);
    if (!this.#drafts.delete(key)) return;
    this.#dropFacts();
    this.#setContext();
    this.#lenses.fire();
  }

  #draw(key: string): void {
    const draft = this.#drafts.get(key);
    if (draft) this.#previews.get(key)?.draw({ ...draft, session: this.factsOf(draft.source).session });
  }

  /** Sets the context keys that show the actions of drafts in the editor title. */
  #setContext(): void {
    const drafts = [...this.#drafts.values()].filter(({ report }) => report.kind !== 'metadata');
    const asked = drafts.filter(({ source }) => this.canAsk(source));
    for (const [name, shown] of Object.entries({ drafts, askedDrafts: asked })) {
      const paths = shown.map(({ document }) => document.uri.fsPath);
      void setContext(name, paths);
    }
  }

  #show(checked: CheckedDraft): void {
    const { document, report } = checked;
    const key = document.uri.toString();
    const before = this.#drafts.get(key);
    this.#drafts.set(key, checked);
    if (before?.source.id !== checked.source.id) {
      this.#dropFacts();
      this.#setContext();
      // The answer was that of another node.
      this.#answers.delete(document.uri);
    }
    this.#draw(key);
    // VS Code itself shows faults of the JSON.
    const own = report.findings.filter(({ code }) => code !== 'json-syntax');
    this.#diagnostics.set(
      document.uri,
      own.map((finding) => this.#marks.diagnostic(checked, finding)),
    );
    this.#lenses.fire();
    this.#checked.fire(checked);
  }

  #actionsAt(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const known = this.draftIn(document);
    // A text that was just typed has to be checked. Its form is checked before this call returns.
    if (known && known.version !== document.version) void this.check(document);
    const draft = this.draftIn(document);
    return draft?.version === document.version ? this.#marks.actions(draft, range) : [];
  }
}

/** Documents with a tab, and documents without one. */
function documentsByTab(): [open: vscode.TextDocument[], closed: vscode.TextDocument[]] {
  const uris = new Set<string>();
  for (const { tabs } of vscode.window.tabGroups.all) {
    for (const { input } of tabs) {
      if (input instanceof vscode.TabInputText) uris.add(input.uri.toString());
      if (input instanceof vscode.TabInputTextDiff) uris.add(input.modified.toString());
    }
  }
  const { textDocuments } = vscode.workspace;
  const isOpen = ({ uri }: vscode.TextDocument): boolean => uris.has(uri.toString());
  return [textDocuments.filter(isOpen), textDocuments.filter((document) => !isOpen(document))];
}

/** The package whose parameters name the denom that votes are counted in. */
const stakingPackage = 'cosmos.staking.v1beta1';
