import { isAbort, isApiError, isHttpError, isUnreachable, isUnsupported } from '../../api/errors.ts';
import { abortable, concurrently } from '../../api/sharing.ts';
import { shownText } from '../../chain/text.ts';
import { readHeader } from '../../reads/export.ts';
import type { Session } from '../../session/session.ts';
import { endpointsById, pastId, presentId, type Source, toSource } from '../../session/source.ts';
import { absenceText, causeText } from '../../words/errorWords.ts';
import { plainEnglish } from '../../words/language.ts';
import type { Question, ToolHost } from './tool.ts';
import { isToolError, ToolError } from './toolError.ts';

/** Makes the error of a list that the chain or the state does not have. */
export function absenceError({ host }: Question, { source }: Session, list: 'proposals' | 'validators'): ToolError {
  const reason = absenceText(list, source.kind !== 'http', plainEnglish);
  return new ToolError('missing', `${sourceLabel(source, host)}: ${reason}.`);
}

/**
 * Gives the name of a source in answers, which questions may use, too. It is its address if several sources have its
 * name.
 */
export function sourceLabel(source: Source, { sources }: Pick<ToolHost, 'sources'>): string {
  const isPast = source.kind === 'http' && source.at !== undefined;
  const named = sources.filter(({ name }) => isSame(name, source.name));
  return !isPast && named.length === 1 && named[0]?.id === source.id ? source.name : source.id || source.name;
}

/** The code of gRPC for an argument that cannot be read. */
const invalidArgument = 3;

/**
 * Runs `work` with the source that a question names. Its error becomes a `ToolError` that says which source failed, and
 * how to ask instead. `heightName` is the parameter that has the height of the source.
 */
export async function withSource<T>(
  { host, signal, input, silence }: Omit<Question, 'onProgress'>,
  named: string | undefined,
  work: (session: Session) => Promise<T>,
  heightName = 'height',
): Promise<T> {
  const found = (await sourceOfChain(named, host, signal)) ?? findSource(named, host);
  const source = await atHeight(found, [heightName, input.number(heightName)], host, signal);
  try {
    return await host.sessions.use(source, (session) => {
      silence.watch(session);
      return ofOneChain(session, work, signal);
    });
  } catch (error) {
    signal.throwIfAborted();
    if (isToolError(error) || isAbort(error)) throw error;
    // The node reads these members, and only the caller can have chosen them.
    const isGiven = ['key', 'voter', 'holder', 'votes_of'].some((name) => input.text(name) !== undefined);
    const isRefused = isGiven && isHttpError(error) && error.status === 400 && error.grpcCode === invalidArgument;
    if (source.kind !== 'http' && isAbsent(error))
      throw new ToolError('missing', `${sourceLabel(source, host)}: ${causeText(error, plainEnglish)}.`);
    const { reason, advice } = failureOf(error, source, host);
    throw new ToolError(isRefused ? 'input' : 'source', reason, advice, { cause: error });
  }
}

/** Gives the source at a height. Throws a `ToolError` for a height if the source is no node. */
async function atHeight(
  source: Source,
  [name, height]: readonly [name: string, height: number | undefined],
  host: ToolHost,
  signal: AbortSignal,
): Promise<Source> {
  if (height === undefined) return source;
  if (source.kind !== 'http') {
    const read = async (session: Session): Promise<bigint | undefined> =>
      (await (await session.node()).supply({ limit: 1 }, signal)).info.height;
    const own = await abortable(host.sessions.use(source, read), signal).catch(() => undefined);
    signal.throwIfAborted();
    const said = own ? `, ${own}` : '';
    throw new ToolError(
      'input',
      `"${name}" is only for nodes. ${sourceLabel(source, host)} has one height${said}.`,
      'Leave it out.',
    );
  }
  const at = { height: `${height}` };
  return source.at?.height === at.height ? source : { ...source, id: pastId(source, at), at };
}

/** Repeats the work if another chain answered at the address, or the file changed, in the meantime. */
async function ofOneChain<T>(
  session: Session,
  work: (session: Session) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { forgettings } = session;
  try {
    const answer = await work(session);
    await session.settled();
    if (session.forgettings === forgettings) return answer;
  } catch (error) {
    // A file that changed is closed for all callers.
    if (session.forgettings === forgettings) throw error;
  }
  signal.throwIfAborted();
  return work(session);
}

/** The time limit in milliseconds for the sources that are asked for their chain ids. */
const patience = 10_000;

/** Finds the one source with this chain id. Undefined if the text is no chain id, or names a source in another way. */
async function sourceOfChain(
  named: string | undefined,
  host: ToolHost,
  signal: AbortSignal,
): Promise<Source | undefined> {
  const chainId = named?.trim() ?? '';
  if (!/^[\w-]{1,50}(?:\.[\w-]{1,50})?$/.test(chainId) || configuredSource(chainId, host)) return undefined;
  const alike: { readonly source: Source; readonly isExact: boolean }[] = [];
  const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  await concurrently(host.sources, 8, async (source) => {
    const read = async (session: Session): Promise<string | undefined> =>
      (await readHeader(await session.node(), undefined, limited)).chainId;
    const own = await abortable(host.sessions.use(source, read), limited).catch(() => undefined);
    if (own !== undefined && isSame(own, chainId)) alike.push({ source, isExact: own === chainId });
  });
  signal.throwIfAborted();
  const exact = alike.filter(({ isExact }) => isExact);
  const found = (exact.length > 0 ? exact : alike).map(({ source }) => source);
  if (found.length > 1)
    throw new ToolError(
      'input',
      `"${chainId}" is the chain ID of ${found.length} sources.`,
      knownSources({ ...host, sources: found }),
    );
  return found[0];
}

/** Gives the configured source with this name or address. */
function configuredSource(text: string, host: ToolHost): Source | undefined {
  const known = host.sources.find((source) => sourceLabel(source, host) === text);
  const alike = host.sources.filter(({ name, id }) => isSame(name, text) || id === text);
  return known ?? (alike.length === 1 ? alike[0] : undefined);
}

/** Finds a source. Throws a `ToolError` if it is not known, or may not be asked. */
export function findSource(named: string | undefined, host: ToolHost): Source {
  const { sources } = host;
  const [first] = sources;
  if (named === undefined && first) return first;
  const text = named?.trim() ?? '';
  const known = configuredSource(text, host);
  if (known) return known;
  const settings = sources.map((source) =>
    source.kind === 'http' ? source.setting : { name: source.name, url: source.id },
  );
  const asked = text === '' ? undefined : toSource(text, endpointsById(settings), '');
  if (asked === undefined || asked.kind === 'invalid') return unknownSource(text, host);
  if (sources.some((source) => presentId(source) === presentId(asked))) return asked;
  return asked.kind === 'http' && host.admits(asked) ? asked : unknownSource(text, host);
}

function unknownSource(text: string, host: ToolHost): never {
  const problem =
    text === '' ? 'No source is configured' : `"${shownText(text, 100)}" is not a source that can be queried`;
  throw new ToolError('input', `${problem}.`, knownSources(host));
}

/** Names the other sources that may be asked, if a source does not help. */
export function otherSources(host: ToolHost): string {
  return host.sources.length > 1 ? `Or ask another source. ${knownSources(host)}` : 'No other source is configured.';
}

/** The limit for the sources that an error names. */
const maxNamed = 20;

/** Names the sources that may be asked, in one sentence. */
function knownSources(host: ToolHost): string {
  const labels = host.sources.map((source) => `"${sourceLabel(source, host)}"`);
  const more = labels.length > maxNamed ? ` and ${labels.length - maxNamed} more (list_sources)` : '';
  return `Use one of these as "source": ${labels.slice(0, maxNamed).join(', ')}${more}. Only the user can add others, in the configuration.`;
}

/** True if a source does not have the module that was asked for. */
function isAbsent(error: unknown): boolean {
  return isUnsupported(error) || (isApiError(error) && error.kind === 'module');
}

/** Describes an error. Words of a node are quoted as JSON, after our own words. */
function failureOf(error: unknown, source: Source, host: ToolHost): Pick<ToolError, 'reason' | 'advice'> {
  const said = isHttpError(error) ? error.nodeMessage : undefined;
  const reason = said === undefined ? causeText(error, plainEnglish) : `HTTP ${isHttpError(error) ? error.status : ''}`;
  const quoted = said === undefined ? '' : ` It said (untrusted): ${JSON.stringify(shownText(said, 300))}`;
  return {
    reason: `Could not read ${sourceLabel(source, host)}: ${shownText(reason, 300)}.`,
    advice: `${adviceOn(error)} ${otherSources(host)}${quoted}`,
  };
}

/** Gives the advice for a source that gave no answer. */
function adviceOn(error: unknown): string {
  if (isApiError(error) && error.kind === 'module') return 'It cannot answer this question.';
  if (isHttpError(error) && (error.status === 401 || error.status === 403))
    return 'The user must set an API key for this source.';
  return isPassing(error) ? 'Ask again later.' : 'Asking again will not help.';
}

/** True if the same request may be answered in a while. */
function isPassing(error: unknown): boolean {
  if (isHttpError(error)) return [408, 429, 502, 503, 504].includes(error.status);
  return isUnreachable(error) && /^(TIMEOUT_|ECONN|EPIPE$|CLOSED$|EAI_AGAIN$|ENET|EHOST|PROXY_50)/.test(error.code);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
