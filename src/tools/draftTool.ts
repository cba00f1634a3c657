import { type InputError, isApiError, messageOf } from '../api/errors.ts';
import { type ContentKind, contentKind } from '../chain/content/content.ts';
import type { Fields } from '../chain/fields.ts';
import { shownText } from '../chain/text.ts';
import { currentValues } from '../draft/chainFacts.ts';
import { hasMetadataFile, metadataFileName } from '../draft/draftKind.ts';
import type { DraftReview } from '../draft/draftReview.ts';
import { notDraftText, uncheckedMessagesText } from '../draft/draftSummary.ts';
import type { FoundFile } from '../session/draftFolders.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import { plainEnglish } from '../words/language.ts';
import { headOf, listAnswer, Space, untrusted, windowOf } from './answers/answer.ts';
import { count, listOf, listSchema, membersOf, rarely, text } from './answers/answerSchema.ts';
import { contentAnswer, contentSchema } from './answers/contentAnswer.ts';
import { defineTool } from './question/defineTool.ts';
import { withSource } from './question/questionSource.ts';
import type { Question } from './question/tool.ts';
import { ToolError } from './question/toolError.ts';
import { keyParameter, sourceParameter } from './question/toolInput.ts';

/** The limit for the findings of a page. A draft may have any number of faults. */
const wantedRows = 200;

/** Lists the faults of a draft, and the parts that were not checked. */
export const checkDraftTool = defineTool({
  name: 'check_draft',
  title: 'Check a Proposal Draft',
  description:
    'Checks a draft governance proposal (JSON for `tx gov submit-proposal` or a legacy form) against the current parameters and rules of the chain: ' +
    'errors (would be rejected or fail) and warnings (risky) with line, column and fixes, what was not checked, and what it would set, with current values. Only asks the chain for parameters.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The complete JSON of the draft.' },
      file: {
        type: 'string',
        maxLength: 1000,
        description: 'Instead of "text": a file in the workspace or a folder given at startup.',
      },
      source: sourceParameter,
      key: keyParameter,
    },
    additionalProperties: false,
  },
  outputSchema: listSchema(
    'findings',
    membersOf({
      line: count,
      column: count,
      severity: text,
      code: text,
      untrusted_message: text,
      untrusted_repairs: listOf(text),
    }),
    {
      untrusted_title: rarely(text),
      untrusted_summary: rarely(text),
      contents: listOf(contentSchema),
      errors: count,
      warnings: count,
      hints: count,
      not_checked: listOf(text),
    },
  ),
  answer: async (question) => {
    const { text, beside } = await readGiven(question);
    return withSource(question, question.input.text('source'), async (session) => {
      const { createReviewer } = await import('../draft/checkDraft.ts');
      const review = await createReviewer(() => session.node(), question.signal)(text, beside);
      if (!review)
        throw new ToolError(
          'input',
          `"${question.input.text('file') === undefined ? 'text' : 'file'}" is not a proposal draft. ${notDraftText(text, plainEnglish)}`,
        );
      const { facts, counts, unchecked, uncheckedMessages } = review;
      const found = windowOf(review.rows, wantedRows, question.input.text('key'));
      const rows = found.rows.map(({ line, column, severity, code, message, repairs }) => ({
        ...{ line, column, severity, code },
        untrusted_message: untrusted(message),
        ...(repairs.length > 0 ? { untrusted_repairs: repairs.map(({ title }) => untrusted(title)) } : {}),
      }));
      const notChecked = [unchecked, uncheckedMessagesText(uncheckedMessages, plainEnglish)];
      const head = {
        ...(await headOf(question, session, { height: facts.height })),
        ...(question.input.text('key') === undefined
          ? { ...wordsOf(question, review), ...(await contentsOf(question, session, review)) }
          : {}),
        errors: counts.error,
        warnings: counts.warning,
        hints: counts.hint,
        not_checked: notChecked.filter((sentence) => sentence !== ''),
      };
      return listAnswer(question.host, head, 'findings', { ...found, rows });
    });
  },
});

/** The limit for the title and the summary of a draft, in characters. */
const maxWords = 1000;

/** Gives title and summary of a file, whose text the caller has not seen. */
function wordsOf({ input }: Question, { proposal }: Pick<DraftReview, 'proposal'>): Fields {
  if (input.text('file') === undefined) return {};
  const { title, description } = proposal ?? {};
  return {
    ...(title ? { untrusted_title: shownText(title, maxWords) } : {}),
    ...(description ? { untrusted_summary: shownText(description, maxWords) } : {}),
  };
}

/**
 * Gives the contents that set or spend something: parameters with today's values, upgrades and spends. Gives nothing if
 * there are none.
 */
async function contentsOf(
  { host, signal }: Question,
  session: Session,
  { proposal: row, facts }: Pick<DraftReview, 'proposal' | 'facts'>,
): Promise<Fields> {
  if (!row) return {};
  await session.lists.supply.loadUnits(toolQuestion(session, signal));
  const { height, time, blockSeconds, measuredBlocks: blocks } = facts;
  const isPaced = height !== undefined && time !== undefined && blockSeconds !== undefined;
  const page = {
    ...{ bondDenom: undefined, currentParams: currentValues(facts), now: undefined, communityPool: undefined },
    chainTime: isPaced ? { height, time, blockTime: blockSeconds, blocks } : undefined,
  };
  const space = new Space(host, 3);
  const own = row.contents.filter((content) => shownKinds.includes(contentKind(content).kind));
  const contents = own.slice(0, maxContents).flatMap((content) => {
    const { unchanged: _same, ...shown } = contentAnswer(content, { asker: host, row, session, page }, space) ?? {};
    return Object.keys(shown).length > 0 ? [shown] : [];
  });
  return contents.length > 0 ? { contents } : {};
}

const maxContents = 20;
const shownKinds: readonly ContentKind['kind'][] = ['parameterChange', 'moduleParams', 'upgrade', 'spend'];

/** Reads the draft. Throws a `ToolError` if there is no text. */
async function readGiven({ input, host }: Question): Promise<FoundFile> {
  const [text, file] = [input.text('text'), input.text('file')];
  if ((text === undefined) === (file === undefined))
    throw new ToolError(
      'input',
      'check_draft needs either "text" (the complete JSON of the draft) or "file", not both.',
    );
  if (file === undefined) return { text: text ?? '', beside: undefined };
  if (!host.drafts) throw noFile('There is no folder to read files from');
  const beside = hasMetadataFile(file) ? metadataFileName : undefined;
  return host.drafts.read(file, beside).catch((error: unknown) => {
    if (!isInputError(error)) throw error;
    throw noFile(messageOf(error));
  });
}

function noFile(reason: string): ToolError {
  return new ToolError('input', `${shownText(reason, 500)}.`, 'Pass the JSON of the draft as "text".');
}

function isInputError(error: unknown): error is InputError {
  return isApiError(error) && error.kind === 'input';
}
