/** View types in package.json (`onWebviewPanel:`) and in `activeWebviewPanelId` of key bindings. */
export const proposalViewType = 'chainInspector.proposal';
export const denomViewType = 'chainInspector.denom';
/** The view type of the preview of a draft. */
export const draftViewType = 'chainInspector.draft';

/** The commands that only panels have. */
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

/** The commands of buttons in the title of a proposal's panel. Rows have some of them too. */
export const titleCommands = [
  ...panelCommands,
  'watch',
  'unwatch',
  'copyProposalId',
  'copyLink',
  'copyJson',
  'copyCurl',
] as const;

export type ProposalCommand = (typeof titleCommands)[number];

/** The commands of buttons in the title of a denom's panel. Rows of the supply have them too. */
export const denomCommands = [
  'watch',
  'unwatch',
  'refreshSupply',
  'exportSupply',
  'showAtHeight',
  'showLatest',
  'copyDenom',
  'copyLink',
  'copyAmount',
  'copyTsv',
  'copyJson',
  'copyCurl',
] as const;

export type DenomCommand = (typeof denomCommands)[number];
