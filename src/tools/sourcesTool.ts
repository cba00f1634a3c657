import { concurrently } from '../api/sharing.ts';
import type { Fields } from '../chain/fields.ts';
import { shownText } from '../chain/text.ts';
import type { Source } from '../session/source.ts';
import { headOf, listAnswer, untrusted, windowOf } from './answers/answer.ts';
import { bareListSchema, count, headMembers, membersOf, text } from './answers/answerSchema.ts';
import { defineTool } from './question/defineTool.ts';
import { sourceLabel, withSource } from './question/questionSource.ts';
import type { Question } from './question/tool.ts';
import { isToolError } from './question/toolError.ts';
import { keyParameter } from './question/toolInput.ts';

/**
 * The time limit in milliseconds for all sources together. A source that has not answered by then is listed without its
 * chain.
 */
const patience = 3_000;
const atOnce = 16;

/** Lists the sources that may be asked. */
export const listSources = defineTool({
  name: 'list_sources',
  title: 'List Sources',
  description:
    'All sources that can be queried, current one first: name for "source", kind, chain ID, height, time and seconds since it was read.',
  inputSchema: { type: 'object', properties: { key: keyParameter }, additionalProperties: false },
  outputSchema: bareListSchema(
    'sources',
    membersOf({ ...headMembers, kind: text, read_seconds_ago: count, untrusted_problem: text }, 'source', 'kind'),
  ),
  answer: async (question) => {
    const { input, host, signal } = question;
    const found = windowOf(host.sources, host.sources.length, input.text('key'));
    const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    const rows = new Map<Source, Fields>();
    await concurrently(found.rows, atOnce, async (source) => {
      rows.set(source, await sourceRow({ ...question, signal: limited }, source, signal));
    });
    return listAnswer(host, {}, 'sources', { ...found, rows: found.rows.map((source) => rows.get(source) ?? {}) });
  },
});

const kinds = { sample: 'sample chain', http: 'node', file: 'state file', invalid: 'not usable' } as const;

/** Gives the row of a source. `whole` ends the question, while `question.signal` only ends the waiting for sources. */
async function sourceRow(question: Question, source: Source, whole: AbortSignal): Promise<Fields> {
  const name = sourceLabel(source, question.host);
  const kind = kinds[source.kind];
  try {
    return await withSource(question, name, async (session) => {
      const node = await session.node();
      const isNode = source.kind === 'http';
      const past = isNode && source.at ? BigInt(source.at.height) : undefined;
      const height = past ?? (isNode ? (await node.block('latest', question.signal))?.height : undefined);
      const { source: _name, ...head } = await headOf(question, session, { height });
      const age = Math.max(0, Math.round((Date.now() - (session.readAt ?? new Date()).getTime()) / 1000));
      return { source: name, kind, ...head, read_seconds_ago: age };
    });
  } catch (error) {
    whole.throwIfAborted();
    const isLate = question.signal.aborted;
    if (!isLate && !isToolError(error)) throw error;
    const said = isToolError(error) ? error.message : '';
    return {
      source: name,
      kind,
      chain_id: null,
      unknown: { chain_id: isLate ? lateText(source) : 'it could not be read' },
      ...(isLate ? {} : { untrusted_problem: untrusted(shownText(said, 300)) }),
    };
  }
}

function lateText({ kind }: Source): string {
  const seconds = patience / 1000;
  return kind === 'file'
    ? `still being read after ${seconds} s: list again, or query it and wait`
    : `no response within ${seconds} s`;
}
