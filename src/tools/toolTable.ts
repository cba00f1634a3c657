import { listProposals } from './proposalTools.ts';
import type { Tool } from './tool.ts';

/** The tools, in the order in which they are offered. */
export const tools: readonly Tool[] = [listProposals];
