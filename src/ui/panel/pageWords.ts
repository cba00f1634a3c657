import * as vscode from 'vscode';
import type { PageWords } from './protocol.ts';

/** The words that the page puts together itself. */
export function pageWords(): PageWords {
  return {
    language: vscode.env.language,
    utc: vscode.l10n.t('UTC'),
    inTime: vscode.l10n.t('in {0}', '{0}'),
    timeUp: vscode.l10n.t('the time is over'),
    days: vscode.l10n.t('{0} d', '{0}'),
    hours: vscode.l10n.t('{0} h', '{0}'),
    minutes: vscode.l10n.t('{0} min', '{0}'),
    seconds: vscode.l10n.t('{0} s', '{0}'),
    actions: vscode.l10n.t('Actions'),
    linkMismatch: vscode.l10n.t('(the text names another host)'),
    image: vscode.l10n.t('Image: {0}', '{0}'),
    showAll: vscode.l10n.t('Show all ({0} characters)', '{0}'),
    showMore: vscode.l10n.t('Show {0} more', '{0}'),
    removed: vscode.l10n.t('removed'),
    added: vscode.l10n.t('added'),
  };
}
