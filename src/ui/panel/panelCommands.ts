/** The commands of a panel itself, by id. */
export const ownPanelCommands = [
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
export const titleCommands = [
  ...ownPanelCommands,
  'watch',
  'unwatch',
  'copyProposalId',
  'copyJson',
  'copyCurl',
] as const;

export type PanelCommand = (typeof titleCommands)[number];
