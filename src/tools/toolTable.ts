import type { ValueOf } from './answers/answerSchema.ts';
import { compareTool } from './compareTool.ts';
import { checkDraftTool } from './draftTool.ts';
import { getParams } from './paramsTool.ts';
import { listProposals } from './proposalList.ts';
import { getProposal } from './proposalTools.ts';
import type { Tool } from './question/tool.ts';
import { listSources } from './sourcesTool.ts';
import { getSupply } from './supplyTool.ts';
import { listValidators } from './validatorsTool.ts';

const named = {
  list_proposals: listProposals,
  get_proposal: getProposal,
  get_supply: getSupply,
  list_validators: listValidators,
  get_params: getParams,
  compare_sources: compareTool,
  check_draft: checkDraftTool,
  list_sources: listSources,
} as const;

/** The answer of each tool. */
export type ToolAnswers = {
  readonly [Name in keyof typeof named]: ValueOf<(typeof named)[Name]['outputSchema']>;
};

/** The tools by their names. */
export const toolsByName: { readonly [Name in keyof ToolAnswers]: Tool<ToolAnswers[Name]> } = named;

/** The tools in their order for clients. */
export const tools: readonly Tool[] = Object.values(toolsByName);
