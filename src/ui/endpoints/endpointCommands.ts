import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.ts';
import { InputError, member, messageOf } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { Session } from '../../session/session.ts';
import { type EndpointSetting, presentId, type Source } from '../../session/source.ts';
import { testConnection } from '../../session/testConnection.ts';
import { causeText } from '../../words/errorWords.ts';
import type { ActiveSession } from '../activeSession.ts';
import { askText, type PickItem, pickOne, withProgress } from '../ask.ts';
import { type Command, commandsOf } from '../commands/command.ts';
import { readFiles, readRow, readText } from '../commands/commandArguments.ts';
import { retry } from '../commands/listCommands.ts';
import { type Documents, showDocument } from '../documents.ts';
import { showInfo } from '../report.ts';
import { addEndpoints, type Settings, setBaseUrl, setEndpoints } from '../settings.ts';
import type { Credentials, Storage } from '../storage.ts';
import { forgetCredential, forgetEndpoint, getCredential, setCredential } from './credentials.ts';
import { addEndpoint, switchEndpoint } from './endpointBox.ts';
import { pickHeight } from './pickHeight.ts';
import { sourceItem } from './sourceItems.ts';
import { askStateFiles, confirmFiles, openDropped, openStateFiles, uriId } from './stateFiles.ts';

/** The commands of endpoints and state files: which one is shown, and at which height. */
export function endpointCommands(
  active: ActiveSession,
  storage: Storage,
  documents: Documents,
  extension: Pick<vscode.Extension<unknown>, 'id' | 'packageJSON'>,
): readonly Command[] {
  const { settings, sessions } = active;
  const { credentials, distPath } = storage;
  const versions = `${extension.id} ${member(extension.packageJSON, 'version')}, VS Code ${vscode.version}`;
  const endpointOf = (row: unknown): Source | undefined => {
    const key = readRow(row);
    return settings.sources.find(({ id }) => key?.kind === 'endpoint' && id === key.key);
  };
  return [
    ...commandsOf(vscode.l10n.t('Could not change the endpoint'), {
      switchEndpoint: (row) => {
        const source = endpointOf(row);
        return source ? setBaseUrl(source.id) : switchEndpoint(active, distPath);
      },
      showLatest: () => active.showAt(undefined),
      editEndpoint: (row) => editEndpoint(settings, endpointOf(row) ?? active.session.source),
      removeEndpoint: (row) => removeEndpoint(settings, storage, endpointOf(row)?.id),
    }),
    ...commandsOf(vscode.l10n.t('Could not show that height'), {
      showAtHeight: async (text) => {
        const past = await pickHeight(active, active.session.source, readText(text));
        if (past) active.showAt(past);
      },
    }),
    ...commandsOf(vscode.l10n.t('Could not add the endpoint'), {
      addEndpoint: (given) => addEndpoint(active, distPath, typedAddress(given)),
      _dropStateFiles: (transfer) => openDropped(active, transfer),
      openStateFile: async (uri, uris) => {
        const files = readFiles(uri, uris);
        if (!(await confirmFiles(settings, files))) return;
        if (files.length > 0) await vscode.commands.executeCommand('workbench.view.extension.chainInspector');
        await openStateFiles(active, files);
      },
    }),
    ...commandsOf(vscode.l10n.t('Could not change the header'), {
      setHeader: async () => {
        await setHeader(active.session, credentials);
        await retry(active.session, undefined);
      },
      forgetHeader: () => forgetHeader(active.session, credentials),
    }),
    ...commandsOf(vscode.l10n.t('Could not test the connection'), {
      testConnection: (row) =>
        sessions.use(endpointOf(row) ?? active.session.source, (session) =>
          showConnection(session, storage, documents, versions),
        ),
    }),
  ];
}

function typedAddress(given: unknown): string | undefined {
  return readText(readRow(given)?.kind === 'watchEntry' ? member(given, 'sourceId') : given);
}

/** Asks for another address of a source (a file for a state file), and gives it to its endpoint and to what is shown. */
async function editEndpoint(settings: Settings, shown: Source): Promise<void> {
  const source = settings.source(presentId(shown));
  if (source.kind === 'file' || source.id === '') {
    const [file] = await askStateFiles({ title: vscode.l10n.t('Choose a state file') });
    if (file) await moveEndpoint(settings, source, uriId(file));
    return;
  }
  const typed = await askText({
    title: vscode.l10n.t('Edit the address of {0}', escapeForUi(source.name)),
    prompt: vscode.l10n.t('Base URL of a REST endpoint'),
    value: source.id,
    ignoreFocusOut: true,
    fault: (text) => {
      try {
        parseBaseUrl(text);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
  });
  if (typed !== undefined) await moveEndpoint(settings, source, typed.trim());
}

async function moveEndpoint(settings: Settings, from: Source, url: string): Promise<void> {
  const { endpoints } = settings;
  const isShown = settings.source(settings.baseUrl).id === from.id;
  const { id } = settings.source(url);
  const idOf = (endpoint: EndpointSetting): string => settings.source(endpoint.url).id;
  const isKnown = id !== from.id && endpoints.some((endpoint) => idOf(endpoint) === id);
  const moved = endpoints.flatMap((endpoint) => {
    if (idOf(endpoint) !== from.id) return [endpoint];
    const isNamedByHost = [endpoint.url, URL.parse(endpoint.url)?.host].includes(endpoint.name);
    return isKnown ? [] : [{ ...endpoint, url, name: isNamedByHost ? (URL.parse(url)?.host ?? url) : endpoint.name }];
  });
  if (endpoints.length > 0) await setEndpoints(moved);
  if (isShown) await setBaseUrl(url);
}

/**
 * Removes an endpoint, that with this id or one that is picked, with its header; the sample chain is shown instead where it was. Undo
 * brings all of that back.
 */
async function removeEndpoint(settings: Settings, storage: Storage, id: string | undefined): Promise<void> {
  const idOf = ({ url }: EndpointSetting): string => settings.source(url).id;
  const shown = settings.source(settings.baseUrl).id;
  const toItem = (endpoint: EndpointSetting): PickItem & { readonly endpoint: EndpointSetting } => ({
    ...sourceItem(settings.source(endpoint.url), settings),
    endpoint,
  });
  const items = settings.endpoints.map(toItem);
  const title = vscode.l10n.t('Remove endpoint');
  const placeHolder = items.length > 0 ? undefined : vscode.l10n.t('There are no endpoints to remove');
  const given = items.find(({ endpoint }) => idOf(endpoint) === id);
  const removed = (given ?? (await pickOne(items, { title, placeHolder })))?.endpoint;
  if (!removed) return;
  const others = settings.endpoints.filter(({ url }) => url !== removed.url);
  await setEndpoints(others);
  const wasShown = idOf(removed) === shown;
  if (wasShown) await setBaseUrl('');
  const credential = await forgetEndpoint(storage, removed.url, others);
  const undo = vscode.l10n.t('Undo');
  if ((await showInfo(vscode.l10n.t('Removed {0}', escapeForUi(removed.name)), undo)) !== undo) return;
  if (credential) await setCredential(storage.credentials, removed.url, credential);
  await addEndpoints(settings, removed);
  if (wasShown) await setBaseUrl(removed.url);
}

/** Asks for a header and its value, and keeps them in secret storage for the origin of the endpoint that is shown. */
async function setHeader({ source }: Session, credentials: Credentials): Promise<void> {
  const { setting } = httpSource(source);
  const { url } = setting;
  const { origin } = new URL(url);
  const name = await askText({
    title: vscode.l10n.t('Set header for {0} (1 of 2)', origin),
    prompt: vscode.l10n.t('Name of the header that carries the credential'),
    value: setting.headerName ?? 'x-api-key',
    ignoreFocusOut: true,
    fault: (text) =>
      /^[\w-]+$/.test(text.trim()) ? undefined : vscode.l10n.t('A header name has letters, digits and -'),
  });
  if (name === undefined) return;
  const value = await askText({
    title: vscode.l10n.t('Set header for {0} (2 of 2)', origin),
    prompt: vscode.l10n.t('Value; kept in secret storage and sent to {0} only', origin),
    password: true,
    ignoreFocusOut: true,
    fault: (text) =>
      /^[\t\x20-\x7e]+$/.test(text) ? undefined : vscode.l10n.t('A header value is plain text on one line'),
  });
  if (value === undefined) return;
  await setCredential(credentials, url, { name: name.trim().toLowerCase(), value });
  void showInfo(vscode.l10n.t('The header {0} is sent to {1} from now on', escapeForUi(name.trim()), origin));
}

/** Forgets the credential header of the endpoint that is shown. */
async function forgetHeader({ source }: Session, credentials: Credentials): Promise<void> {
  const { url } = httpSource(source).setting;
  await forgetCredential(credentials, url);
  void showInfo(vscode.l10n.t('No header is kept for {0} any more', new URL(url).origin));
}

function httpSource(source: Source): Extract<Source, { kind: 'http' }> {
  if (source.kind === 'http') return source;
  throw new InputError(
    vscode.l10n.t('{0} takes no header: switch to the endpoint that needs one first', escapeForUi(source.name)),
  );
}

/** Asks each operation of the endpoint that is shown once, and opens the findings as text for a bug report. */
async function showConnection(
  session: Session,
  { credentials, answers }: Storage,
  documents: Documents,
  extension: string,
): Promise<void> {
  const { source } = session;
  const title = vscode.l10n.t('Testing the connection to {0}', escapeForUi(source.name));
  const { text, ms, error } = await withProgress(title, async (signal) => {
    const node = await session.node();
    const credential = source.kind === 'http' ? await getCredential(credentials, source.setting.url) : undefined;
    const { notices } = session;
    return testConnection({ source, node, credential, notices, extension }, signal);
  });
  const cause = error === undefined ? undefined : causeText(error, vscode.l10n.t);
  answers.set(presentId(source), { ms, cause });
  await showDocument(documents, 'connection.txt', text);
}
