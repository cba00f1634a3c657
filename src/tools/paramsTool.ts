import { isApiError } from '../api/errors.ts';
import type { ChainNode, Minting, PoolCoin } from '../api/node.ts';
import { closestName } from '../chain/closestName.ts';
import type { Fields } from '../chain/fields.ts';
import { type ParamValue, paramEntries } from '../chain/gov/params.ts';
import { shownText } from '../chain/text.ts';
import { readWholePool } from '../reads/denomReads.ts';
import { readSourceParams } from '../reads/sourceParams.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import { causeText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import {
  type Asker,
  amountOf,
  amountsOf,
  exactAmount,
  headOf,
  identifier,
  listAnswer,
  pastHeight,
  shareOf,
  stated,
  untrusted,
  untrustedTree,
  windowOf,
} from './answers/answer.ts';
import {
  amountSchema,
  denomAmountSchema,
  listOf,
  listSchema,
  maybe,
  membersOf,
  number,
  rarely,
  record,
  recordOf,
  text,
  textOrRecord,
} from './answers/answerSchema.ts';
import { noPool } from './answers/supplyAnswer.ts';
import { defineTool } from './question/defineTool.ts';
import { withSource } from './question/questionSource.ts';
import { ToolError } from './question/toolError.ts';
import { heightParameter, keyParameter, sourceParameter } from './question/toolInput.ts';

/** Lists the parameters that are in force. */
export const getParams = defineTool({
  name: 'get_params',
  title: 'Read Parameters',
  description:
    'Current parameters of one module or all, as the chain reports them, with durations in seconds, ' +
    'shares from 0 to 1 and amounts where known. "mint" returns what is currently being minted, "distribution" the community pool, "upgrade" the planned upgrade (nodes only).',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      height: heightParameter,
      module: { type: 'string', maxLength: 100, description: 'One module, such as "gov". Default: all.' },
      key: keyParameter,
    },
    additionalProperties: false,
  },
  outputSchema: listSchema(
    'modules',
    membersOf({
      module: text,
      untrusted_module: text,
      untrusted_params: textOrRecord,
      community_pool: rarely(maybe(listOf(denomAmountSchema))),
      unknown: rarely(record),
      minted_now: membersOf({ inflation: maybe(text), annual_provisions: maybe(amountSchema) }),
      meaning: recordOf(
        membersOf({ seconds: rarely(number), share: rarely(text), coins: rarely(listOf(denomAmountSchema)) }),
      ),
    }),
    { not_read: listOf(membersOf({ module: rarely(text), untrusted_reason: rarely(text) })) },
  ),
  answer: (question) =>
    withSource(question, question.input.text('source'), async (session) => {
      const { input, signal } = question;
      const wanted = input.text('module');
      const { modules, height, failed } = await readSourceParams(
        await session.node(),
        wanted,
        signal,
        pastHeight(session),
      );
      if (wanted !== undefined && modules.length === 0) throw await noParams(session, wanted, signal);
      await session.lists.supply.loadUnits(toolQuestion(session, signal));
      const head = await headOf(question, session, { height });
      const notRead = failed.map(([name, error]) => ({
        module: identifier(name),
        untrusted_reason: failureReason(error),
      }));
      const found = windowOf(modules, modules.length, input.text('key'));
      const known = { session, asker: question.host };
      const minted = modules.some(([name]) => isMint(name)) ? await readMinting(session, height, signal) : undefined;
      const hasPool = modules.some(([name]) => isDistribution(name));
      const pool = hasPool ? await readPool(session, height, signal) : undefined;
      const rows = found.rows.map(([name, params]) => ({
        ...moduleRow(name, params, known),
        ...(isDistribution(name) ? poolAnswer(pool, known) : {}),
        ...(isMint(name) && minted ? { minted_now: mintedAnswer(minted, params, known) } : {}),
      }));
      return listAnswer(question.host, notRead.length > 0 ? { ...head, not_read: notRead } : head, 'modules', {
        ...found,
        rows,
      });
    }),
});

/** Makes the error of a module without parameters. A state may keep some that are not read. */
async function noParams(session: Session, wanted: string, signal: AbortSignal): Promise<ToolError> {
  const ofState = await (await session.node()).stateParams(signal);
  const isNode = session.source.kind === 'http';
  if (wanted.toLowerCase() === 'upgrade')
    return new ToolError(
      'missing',
      ofState
        ? `${isNode ? 'This endpoint serves a state file: state' : 'State'} files do not contain upgrade plans.`
        : 'The source does not report which upgrade is planned.',
      'For proposed upgrades, call list_proposals with "fields": "upgrades".',
    );
  const near = identifier(closestName(wanted, [...(ofState?.keys() ?? [])]));
  const meant = near === undefined ? '' : `Did you mean "${near}"? `;
  const reason = `The source has no parameters for a module named "${shownText(wanted, 100)}".`;
  return new ToolError('missing', reason, `${meant}To list all modules, call get_params without "module".`);
}

function failureReason(error: unknown): string {
  return untrusted(causeText(error, plainEnglish));
}

/** The source of the parameters, and the caller that they are written for. */
interface ParamsSource {
  readonly session: Session;
  readonly asker: Asker;
}

function moduleRow(name: string, params: Fields, known: ParamsSource): Fields {
  const entries = Object.entries(params).flatMap(([param, value]) => {
    const all = paramEntries(name, param, JSON.stringify(value));
    return all.map((entry) => ({ ...entry, path: entry.path === param ? param : `${param}.${entry.path}` }));
  });
  const meanings = entries.flatMap(({ path, value }) =>
    value && identifier(path) ? [[path, meaningOf(value, known)] as const] : [],
  );
  return {
    ...(identifier(name) ? { module: name } : { untrusted_module: untrusted(name) }),
    untrusted_params: untrustedTree(params, known.asker),
    ...(meanings.length > 0 ? { meaning: Object.fromEntries(meanings) } : {}),
  };
}

function isMint(module: string): boolean {
  return module === 'mint' || module === 'cosmos.mint.v1beta1';
}

/** Gives the node at a height. A state has only one. */
async function pinnedNode(session: Session, height: bigint | undefined): Promise<ChainNode> {
  const node = await session.node();
  return height === undefined || session.source.kind !== 'http' ? node : node.at(height);
}

/** Reads what is minted, at the height of the parameters. A node may refuse that. */
async function readMinting(session: Session, height: bigint | undefined, signal: AbortSignal): Promise<Minting> {
  const node = await pinnedNode(session, height);
  return node.minting(signal).catch((error: unknown) => {
    if (!isApiError(error)) throw error;
    return { inflation: undefined, annualProvisions: undefined };
  });
}

function isDistribution(module: string): boolean {
  return module === 'distribution' || module === 'cosmos.distribution.v1beta1';
}

/** Reads the community pool, at the height of the parameters. A node may refuse that. */
async function readPool(
  session: Session,
  height: bigint | undefined,
  signal: AbortSignal,
): Promise<readonly PoolCoin[] | undefined> {
  const node = await pinnedNode(session, height);
  return readWholePool(node, signal).catch((error: unknown) => {
    if (!isApiError(error)) throw error;
    return undefined;
  });
}

/** The limit for the denoms of the community pool. */
const maxPoolCoins = 100;

function poolAnswer(pool: readonly PoolCoin[] | undefined, { session, asker }: ParamsSource): Fields {
  const { supply } = session.lists;
  const max = asker.isUnbounded || !pool ? pool?.length : maxPoolCoins;
  const shown = pool?.slice(0, max).map((coin) => {
    const unit = supply.unit(coin.denom);
    return { ...amountOf(coin, unit), ...exactAmount(coin.exact, unit) };
  });
  const more = (pool?.length ?? 0) - (shown?.length ?? 0);
  return stated(
    { community_pool: shown && (more > 0 ? [...shown, { more_amounts: more }] : shown) },
    { community_pool: noPool },
  );
}

function mintedAnswer({ inflation, annualProvisions }: Minting, params: Fields, { session }: ParamsSource): Fields {
  const denom = typeof params.mint_denom === 'string' ? params.mint_denom : undefined;
  const unit = denom === undefined ? undefined : session.lists.supply.unit(denom);
  const members = {
    inflation: inflation === undefined ? undefined : shareOf(inflation),
    annual_provisions: annualProvisions === undefined ? undefined : exactAmount(annualProvisions, unit),
  };
  const reason = 'the source does not report it';
  return stated(members, { inflation: reason, annual_provisions: reason });
}

function meaningOf(value: ParamValue, { session, asker }: ParamsSource): Fields {
  if (value.kind === 'duration') return { seconds: value.seconds };
  return value.kind === 'ratio' ? { share: shareOf(value.ratio) } : { coins: amountsOf(value.coins, session, asker) };
}
