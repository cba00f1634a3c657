/** The view types of package.json (`onWebviewPanel:`) and of `activeWebviewPanelId` in key bindings. */
export const proposalViewType = 'chainInspector.proposal';
export const denomViewType = 'chainInspector.denom';

/** The commands of panels alone. */
export const panelCommands = [
  'backToProposal',
  'previousProposal',
  'nextProposal',
  'refreshProposal',
  'pinProposal',
  'unpinProposal',
  'openProposalJson',
  'openInExplorer',
] as const;

/** What buttons in the title of a panel run: its own commands, and some that rows have too. */
export const titleCommands = [...panelCommands, 'watch', 'unwatch', 'copyProposalId', 'copyJson', 'copyCurl'] as const;

export type ProposalCommand = (typeof titleCommands)[number];

/** What buttons in the title of the panel of a denom run; rows of the supply have them too. */
export const denomCommands = [
  'watch',
  'unwatch',
  'refreshSupply',
  'exportSupply',
  'showAtHeight',
  'showLatest',
  'copyDenom',
  'copyAmount',
  'copyTsv',
  'copyJson',
  'copyCurl',
] as const;

export type DenomCommand = (typeof denomCommands)[number];
