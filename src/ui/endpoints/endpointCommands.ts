import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.ts';
import { InputError, messageOf } from '../../api/errors.ts';
import { readMember } from '../../chain/fields.ts';
import { escapeForUi } from '../../chain/text.ts';
import { testConnection } from '../../reads/testConnection.ts';
import type { Session } from '../../session/session.ts';
import { type EndpointSetting, presentId, type Source } from '../../session/source.ts';
import { byteOf, causeText } from '../../words/errorWords.ts';
import type { ActiveSession } from '../activeSession.ts';
import { askInSteps, askText, type PickItem, pickOne, withProgress } from '../ask.ts';
import { type Command, commandsOf } from '../commands/command.ts';
import { readFiles, readRowKey, readText } from '../commands/commandArguments.ts';
import { type Documents, showDocument } from '../documents.ts';
import { retry } from '../lists/commands/readRows.ts';
import { showInfo } from '../report.ts';
import { addEndpoints, type Settings, setBaseUrl, setEndpoints } from '../settings.ts';
import type { Credentials, Storage } from '../storage.ts';
import { forgetCredential, forgetEndpoint, getCredential, setCredential } from './credentials.ts';
import { addEndpoint, switchEndpoint } from './endpointBox.ts';
import { pickHeight } from './pickHeight.ts';
import { sourceItem } from './sourceItems.ts';
import { askStateFiles, confirmFiles, openAtByte, openDropped, openStateFiles, uriId } from './stateFiles.ts';

/** The commands of endpoints and state files. They choose the source, and its height. */
export function endpointCommands(
  active: ActiveSession,
  storage: Storage,
  documents: Documents,
  extension: Pick<vscode.Extension<unknown>, 'id' | 'packageJSON'>,
): readonly Command[] {
  const { settings, sessions } = active;
  const { credentials, distPath } = storage;
  const ownVersion = `${extension.id} ${readMember(extension.packageJSON, 'version')}, VS Code ${vscode.version}`;
  return [
    ...commandsOf(vscode.l10n.t('Could not change the endpoint'), {
      switchEndpoint: (row) => {
        const source = endpointOf(settings, row);
        return source ? setBaseUrl(source.id) : switchEndpoint(active, distPath);
      },
      // The walkthrough is about the sample chain, whatever source is shown.
      _showSampleChain: async () => {
        await setBaseUrl('');
        await vscode.commands.executeCommand('chainInspector.proposals.focus');
      },
      showLatest: () => active.showAt(undefined),
      editEndpoint: (row) => editEndpoint(active, endpointOf(settings, row) ?? active.session.source),
      removeEndpoint: (row) => removeEndpoint(settings, storage, endpointOf(settings, row)?.id),
    }),
    ...commandsOf(vscode.l10n.t('Could not show the state at that height'), {
      showAtHeight: async (text) => {
        if (active.session.source.kind !== 'http') return sayOneHeight(active.session.source);
        const past = await pickHeight(active, active.session.source, readText(text));
        if (past) active.showAt(past);
      },
    }),
    ...openingCommands(active, distPath),
    ...commandsOf(vscode.l10n.t('Could not change the API key'), {
      setHeader: async (row) => {
        const source = endpointOf(settings, row) ?? active.session.source;
        await setHeader(source, credentials);
        if (presentId(active.session.source) === presentId(source)) await retry(active.session, undefined);
      },
      forgetHeader: () => forgetHeader(active.session, credentials),
    }),
    ...commandsOf(vscode.l10n.t('Could not test the connection'), {
      testConnection: (row) =>
        sessions.use(endpointOf(settings, row) ?? active.session.source, (session) =>
          showConnection(session, storage, documents, ownVersion),
        ),
    }),
  ];
}

/** The commands that add endpoints and open state files. */
function openingCommands(active: ActiveSession, distPath: string): readonly Command[] {
  return [
    ...commandsOf(vscode.l10n.t('Could not add the endpoint'), {
      addEndpoint: (given) => addEndpoint(active, distPath, typedAddress(given)),
      _dropStateFiles: (transfer) => openDropped(active, transfer),
      openStateFile: async (uri, uris) => {
        const files = readFiles(uri, uris);
        if (!(await confirmFiles(active.settings, files))) return;
        if (files.length > 0) await vscode.commands.executeCommand('workbench.view.extension.chainInspector');
        await openStateFiles(active, files);
      },
    }),
    ...commandsOf(vscode.l10n.t('Could not open'), {
      _openAtByte: async (row) => {
        const [{ source }, byte] = [active.session, byteOf(readText(readMember(row, 'detail')) ?? '')];
        if (source.kind === 'file' && byte !== undefined) await openAtByte(source.path, byte);
      },
    }),
  ];
}

/** The endpoint of a row of Endpoints. Undefined if the argument is no such row. */
function endpointOf({ sources }: Settings, row: unknown): Source | undefined {
  const key = readRowKey(row);
  return sources.find(({ id }) => key?.kind === 'endpoint' && id === key.key);
}

/** Says that a source has no other height, and offers to switch to one that has. */
function sayOneHeight({ name }: Source): void {
  const switchTo = vscode.l10n.t('Switch Endpoint…');
  const text = vscode.l10n.t(
    '{0} contains only one height. To see other heights, switch to an endpoint.',
    escapeForUi(name),
  );
  void showInfo(text, switchTo).then((choice) => {
    if (choice === switchTo) void vscode.commands.executeCommand('chainInspector.switchEndpoint');
  });
}

function typedAddress(given: unknown): string | undefined {
  return readText(readRowKey(given)?.kind === 'watchEntry' ? readMember(given, 'sourceId') : given);
}

/**
 * Asks for another address of an endpoint, or another file of a state file. Changes the endpoint, and the shown source
 * if it is this one.
 */
async function editEndpoint(active: ActiveSession, shown: Source): Promise<void> {
  const { settings } = active;
  const source = settings.source(presentId(shown));
  if (source.kind === 'file' || source.id === '') {
    const [file] = await askStateFiles({ title: vscode.l10n.t('Choose a state file') });
    if (!file) return;
    if (settings.endpointsById.has(source.id)) await moveEndpoint(settings, source, uriId(file));
    else await openStateFiles(active, [file]);
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
 * Removes an endpoint with its API key header. Asks for the endpoint if `id` is absent. The sample chain replaces it if
 * it was shown. Undo restores everything.
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
  const placeHolder = items.length > 0 ? undefined : vscode.l10n.t('No endpoints to remove');
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

/** Asks for an API key header and its value. Stores them in secret storage for the origin of the endpoint. */
async function setHeader(source: Source, credentials: Credentials): Promise<void> {
  const { setting } = httpSource(source);
  const { url } = setting;
  const { origin } = new URL(url);
  let header = setting.headerName ?? 'x-api-key';
  const askName = async (): Promise<string | undefined> => {
    const typed = await askText({
      title: vscode.l10n.t('Set API key for {0} (1 of 2)', origin),
      prompt: vscode.l10n.t('Name of the HTTP header'),
      value: header,
      ignoreFocusOut: true,
      fault: (text) => (/^[\w-]+$/.test(text.trim()) ? undefined : vscode.l10n.t('Use letters, digits and - only')),
    });
    header = typed?.trim() ?? header;
    return typed;
  };
  const askValue = (): Promise<string | undefined> =>
    askText({
      title: vscode.l10n.t('Set API key for {0} (2 of 2)', origin),
      prompt: vscode.l10n.t('API key, kept in secret storage and sent to {0} only', origin),
      password: true,
      ignoreFocusOut: true,
      fault: (text) => (/^[\t\x20-\x7e]+$/.test(text) ? undefined : vscode.l10n.t('Use plain text on one line')),
    });
  const value = await askInSteps(askName, askValue);
  if (value === undefined) return;
  await setCredential(credentials, url, { name: header.toLowerCase(), value });
  void showInfo(vscode.l10n.t('The header {0} is now sent to {1}', escapeForUi(header), origin));
}

/** Forgets the API key header of the shown endpoint. */
async function forgetHeader({ source }: Session, credentials: Credentials): Promise<void> {
  const { url } = httpSource(source).setting;
  const { origin } = new URL(url);
  // A damaged one is removed, too.
  const isSet = await getCredential(credentials, url).then(
    (kept) => kept !== undefined,
    () => true,
  );
  await forgetCredential(credentials, url);
  if (isSet) void showInfo(vscode.l10n.t('The API key for {0} was removed', origin));
  else void showInfo(vscode.l10n.t('{0} has no API key', origin));
}

function httpSource(source: Source): Extract<Source, { kind: 'http' }> {
  if (source.kind === 'http') return source;
  throw new InputError(
    vscode.l10n.t('{0} does not use an API key. Switch to an endpoint first.', escapeForUi(source.name)),
  );
}

/** Asks the shown endpoint each operation once, and opens the results as text for a bug report. */
async function showConnection(
  session: Session,
  { credentials, answers }: Storage,
  documents: Documents,
  ownVersion: string,
): Promise<void> {
  const { source } = session;
  const title = vscode.l10n.t('Testing the connection to {0}', escapeForUi(source.name));
  const { text, ms, error } = await withProgress(title, async (signal) => {
    const node = await session.node();
    const credential = source.kind === 'http' ? await getCredential(credentials, source.setting.url) : undefined;
    const { notices } = session;
    return testConnection({ source, node, credential, notices, extension: ownVersion }, signal);
  });
  const cause = error === undefined ? undefined : causeText(error, vscode.l10n.t);
  answers.set(presentId(source), { ms, cause });
  await showDocument(documents, 'connection.txt', text);
}
