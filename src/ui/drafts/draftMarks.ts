import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { ChainFacts } from '../../draft/chainFacts.ts';
import type { DraftReport } from '../../draft/checkDraft.ts';
import { checkedText, isBeingRead, uncheckedText } from '../../draft/draftSummary.ts';
import { findingText, repairText } from '../../draft/draftWords.ts';
import type { Finding } from '../../draft/finding.ts';
import { completionsAt, todayAt } from '../../draft/writing/completions.ts';
import type { Source } from '../../session/source.ts';
import { plainHover } from '../editorTexts.ts';

/** A draft that was checked. */
export interface CheckedDraft {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly source: Source;
  readonly facts: ChainFacts;
  /** The reason for which the facts could not be read. */
  readonly failure: string | undefined;
  /** The metadata beside the draft. Undefined if there is none, and while it is being read. */
  readonly metadataFile: string | undefined;
  readonly report: DraftReport;
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

/** The marks that VS Code draws in a draft, and the repairs that it offers there. */
export class DraftMarks {
  readonly #page: vscode.Uri;
  readonly #sections: ReadonlyMap<string, number>;

  /** `page` is docs/drafts.md, which explains each finding. */
  constructor(page: vscode.Uri) {
    this.#page = page;
    this.#sections = readSections(page.fsPath);
  }

  /** Draws a finding at its place. */
  diagnostic({ document, facts, source }: CheckedDraft, finding: Finding): vscode.Diagnostic {
    const message = findingText(finding, vscode.l10n.t);
    const diagnostic = new vscode.Diagnostic(rangeIn(document, finding), message, severities[finding.severity]);
    const chain = escapeForUi(facts.chainId ?? source.name);
    diagnostic.source =
      facts.height === undefined ? `Chain Inspector (${chain})` : `Chain Inspector (${chain} @ ${facts.height})`;
    const line = this.#sections.get(finding.code) ?? 1;
    diagnostic.code = { value: finding.code, target: this.#page.with({ fragment: `L${line}` }) };
    return diagnostic;
  }

  /** The repairs of findings in a range. */
  actions(draft: CheckedDraft, range: vscode.Range): vscode.CodeAction[] {
    const { document } = draft;
    return draft.report.findings.flatMap((finding) => {
      if (!rangeIn(document, finding).intersection(range)) return [];
      const isPlan = finding.code === 'upgrade-height-past' || finding.code === 'upgrade-height-early';
      const isPaced = draft.facts.time !== undefined && draft.facts.blockSeconds !== undefined;
      const asks = (isPlan || finding.code === 'upgrade-plan') && isPaced ? [this.#askTime(draft, finding)] : [];
      const mended = finding.repairs.map((repair, at) => {
        const action = new vscode.CodeAction(repairText(repair, vscode.l10n.t), vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        for (const edit of repair.edits) action.edit.replace(document.uri, rangeIn(document, edit), edit.newText);
        action.diagnostics = [this.diagnostic(draft, finding)];
        action.isPreferred = at === 0 && finding.severity === 'error';
        return action;
      });
      return [...mended, ...asks];
    });
  }

  /** Offers the repair that asks for a time. */
  #askTime(draft: CheckedDraft, finding: Finding): vscode.CodeAction {
    const title = vscode.l10n.t('Set to the Block at a Specific Time…');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { title, command: 'chainInspector._planUpgradeAt' };
    action.diagnostics = [this.diagnostic(draft, finding)];
    return action;
  }
}

/** The line above a draft. It shows the findings and the source, and has buttons for actions. */
export function lensesOf(draft: CheckedDraft, canAsk: boolean): vscode.CodeLens[] {
  if (draft.report.kind === 'metadata') return [];
  const top = new vscode.Range(0, 0, 0, 0);
  const unchecked = isBeingRead(draft) ? '' : uncheckedText(draft.report.unchecked, vscode.l10n.t);
  const title = checkedText(draft.source.name, draft, vscode.l10n.t);
  const { height } = draft.facts;
  const tooltip = height === undefined ? '' : vscode.l10n.t('Checked at height {0}', groupDigits(height));
  const problems = { title, tooltip, command: 'workbench.actions.view.problems' };
  const preview = { title: vscode.l10n.t('Preview'), command: 'chainInspector.previewDraft' };
  const ask = { title: vscode.l10n.t('Simulate on Node…'), command: 'chainInspector.askNode' };
  const asks = canAsk ? [ask] : [];
  const change = { title: vscode.l10n.t('Change Chain…'), command: 'chainInspector.changeDraftChain' };
  const refresh = { title: vscode.l10n.t('Refresh'), command: 'chainInspector.refreshDraft' };
  const rest = unchecked === '' ? [] : [{ title: unchecked, command: '' }];
  return [problems, preview, change, ...asks, refresh, ...rest].map((command) => new vscode.CodeLens(top, command));
}

/**
 * The texts that may be typed at a place. Files with the name that `draft-proposal` uses are completed by the schema
 * instead.
 */
export function completionItems({ document, facts }: CheckedDraft, position: vscode.Position): vscode.CompletionItem[] {
  if (document.uri.path.endsWith('draft_proposal.json')) return [];
  const found = completionsAt(document.getText(), document.offsetAt(position), facts);
  const range = document.getWordRangeAtPosition(position, /"[^"\n]*"?/);
  return (found?.names ?? []).map((name) => {
    const kind = found?.kind === 'types' ? vscode.CompletionItemKind.Class : vscode.CompletionItemKind.Field;
    const item = new vscode.CompletionItem(`"${name}"`, kind);
    if (range) item.range = range;
    return item;
  });
}

/** Shows today's value of the parameter at a place. */
export function hoverAt({ document, facts }: CheckedDraft, position: vscode.Position): vscode.Hover | undefined {
  const today = todayAt(document.getText(), document.offsetAt(position), facts);
  if (!today) return undefined;
  const value = vscode.l10n.t('Current value of {0}: {1}', escapeForUi(today.name), escapeForUi(today.json, 1000));
  return new vscode.Hover(plainHover([value]));
}

/** The range of a finding in its document. */
export function rangeIn(document: vscode.TextDocument, { range }: Pick<Finding, 'range'>): vscode.Range {
  return new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
}

/** The lines of the sections of docs/drafts.md, from 1. */
function readSections(path: string): ReadonlyMap<string, number> {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return new Map(lines.flatMap((line, at) => (line.startsWith('## ') ? [[line.slice(3), at + 1] as const] : [])));
  } catch {
    // Without lines, findings link to the page as a whole.
    return new Map();
  }
}
