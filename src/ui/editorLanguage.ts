import * as vscode from 'vscode';
import type { Language } from '../words/language.ts';

/** The language of the editor. */
export function language(): Language {
  return { t: vscode.l10n.t, locale: vscode.env.language };
}
