import type { Fields } from '../api/wireValues.ts';
import { type ParamValue, paramEntries } from '../chain/params.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import { readSourceParams } from '../session/sourceParams.ts';
import { causeText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import { amountsOf, headOf, identifier, listAnswer, shareOf, untrusted, untrustedTree, windowOf } from './answer.ts';
import { defineTool, keyParameter, sourceParameter, type Tool, ToolError, withSource } from './tool.ts';

/** The parameters that are in force. */
export const getParams: Tool = defineTool({
  name: 'get_params',
  title: 'Read Parameters',
  description:
    'The parameters that are in force, of every module of the source or of one ("staking"), in the form of the chain, ' +
    'with durations in seconds, shares of 1 and amounts where their meaning is known.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      module: { type: 'string', maxLength: 100, description: 'One module, such as "gov"; all of them if left out.' },
      key: keyParameter,
    },
    additionalProperties: false,
  },
  answer: (question) =>
    withSource(question, question.input.text('source'), async (session) => {
      const { input, signal } = question;
      const wanted = input.text('module');
      const { modules, height, failed } = await readSourceParams(await session.node(), wanted, signal);
      if (wanted !== undefined && modules.length === 0)
        throw new ToolError(
          'missing',
          'The source states no parameters of this module. Call get_params without "module" for those that it has.',
        );
      await session.stores.supply.loadUnits(toolQuestion(session, signal));
      const head = await headOf(question, session, { height });
      const notRead = failed.map(([name, error]) => ({ module: identifier(name), untrusted_reason: reasonOf(error) }));
      const found = windowOf(modules, modules.length, input.text('key'));
      const rows = found.rows.map(([name, params]) => moduleRow(name, params, session));
      return listAnswer(notRead.length > 0 ? { ...head, not_read: notRead } : head, 'modules', { ...found, rows });
    }),
});

function reasonOf(error: unknown): string {
  return untrusted(causeText(error, plainEnglish));
}

function moduleRow(name: string, params: Fields, session: Session): Fields {
  const entries = Object.entries(params).flatMap(([param, value]) => {
    const all = paramEntries(name, param, JSON.stringify(value));
    return all.map((entry) => ({ ...entry, path: entry.path === param ? param : `${param}.${entry.path}` }));
  });
  const meanings = entries.flatMap(({ path, value }) =>
    value && identifier(path) ? [[path, meaningOf(value, session)] as const] : [],
  );
  return {
    ...(identifier(name) ? { module: name } : { untrusted_module: untrusted(name) }),
    untrusted_params: untrustedTree(params),
    ...(meanings.length > 0 ? { meaning: Object.fromEntries(meanings) } : {}),
  };
}

function meaningOf(value: ParamValue, session: Session): Fields {
  if (value.kind === 'duration') return { seconds: value.seconds };
  return value.kind === 'ratio' ? { share: shareOf(value.ratio) } : { coins: amountsOf(value.coins, session) };
}
