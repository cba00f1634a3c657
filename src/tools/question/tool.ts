import type { Fields } from '../../chain/fields.ts';
import type { DraftFolders } from '../../session/draftFolders.ts';
import type { Sessions } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import type { AnswerSchema } from '../answers/answerSchema.ts';
import type { Silence } from './silence.ts';
import type { ToolForm, ToolInput } from './toolInput.ts';

/**
 * A question of agents and scripts: JSON in, JSON out, read-only. The editor, MCP and the command line offer the same
 * tools (`toolTable.ts`).
 */
export interface Tool<T extends Fields = Fields> extends ToolForm {
  /** The title for people: `List Proposals`. */
  readonly title: string;
  /** The description for models: the answer, and when to ask for it. */
  readonly description: string;
  /** The schema of the answer of `run`. Clients get it. */
  readonly outputSchema: AnswerSchema<T>;
  /**
   * Answers one question. Calls `onProgress` with the number of rows read so far. Rejects with a `ToolError`, or with
   * an `AbortError` once `signal` fires. Checks any `input` itself.
   */
  run(input: unknown, host: ToolHost, signal: AbortSignal, onProgress: OnProgress): Promise<T>;
}

/**
 * Plain JSON without bigints or dates. For agents, `JSON.stringify` gives at most 24,000 characters and 8,000 estimated
 * tokens.
 */
export type ToolAnswer = Fields;

export type OnProgress = (rows: number) => void;

/** The program that offers the tools. It decides which sources may be asked. */
export interface ToolHost {
  /** The sources that are configured or open. If a question names none, the first one is asked. */
  readonly sources: readonly Source[];
  /** Opens the sources, and releases them when the work has ended. A host that goes on holds them itself. */
  readonly sessions: Pick<Sessions, 'use'>;
  /** True if the caller accepts answers of any length, like scripts do: all wanted rows, and whole texts. */
  readonly isUnbounded?: boolean | undefined;
  /** The files of drafts that may be read; absent if none may. */
  readonly drafts?: Pick<DraftFolders, 'read'> | undefined;
  /** True if an endpoint that is not among `sources` may be asked. */
  admits(source: Source): boolean;
}

/** A question with a checked input. */
export interface Question {
  readonly input: ToolInput;
  readonly host: ToolHost;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** The silence of the nodes that are asked. It ends the question by `signal`. */
  readonly silence: Silence;
}
