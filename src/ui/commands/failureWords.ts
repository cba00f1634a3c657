import * as vscode from 'vscode';

/** What failed, in the words of the palette. */
export function failureWords(command: string): string {
  switch (command) {
    case 'compareWith':
    case 'refreshComparison':
    case 'openComparisonDiff':
      return vscode.l10n.t('Could not compare');
    case 'lookUp':
      return vscode.l10n.t('Could not look that up');
    case 'filterProposals':
      return vscode.l10n.t('Could not filter');
    case 'exportProposals':
    case 'exportSupply':
    case 'exportComparison':
      return vscode.l10n.t('Could not export');
    case 'copyTsv':
    case 'copyJson':
    case 'copyCurl':
      return vscode.l10n.t('Could not copy');
    case 'lookUpProposal':
    case 'openProposal':
    case 'openComparedProposal':
      return vscode.l10n.t('Could not open the proposal');
    case 'lookUpDenom':
    case 'copyAmount':
      return vscode.l10n.t('Could not read the supply');
    case 'refresh':
    case 'refreshProposals':
    case 'refreshSupply':
    case 'refreshGroup':
      return vscode.l10n.t('Could not refresh');
    case 'addEndpoint':
    case 'openStateFile':
      return vscode.l10n.t('Could not add the endpoint');
    case 'testConnection':
      return vscode.l10n.t('Could not test the connection');
    case 'setHeader':
    case 'forgetHeader':
      return vscode.l10n.t('Could not change the header');
    case 'loadAll':
      return vscode.l10n.t('Could not load all');
    default:
      return vscode.l10n.t('Chain Inspector');
  }
}
