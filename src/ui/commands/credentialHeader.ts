import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import type { Session } from '../../session/session.ts';
import { askText } from '../ask.ts';
import type { Credentials } from '../network.ts';
import { plain } from '../plain.ts';
import { showInfo } from '../report.ts';

/** Asks for a header and its value, and keeps them in secret storage for the origin of the endpoint shown. */
export async function setHeader(session: Session, credentials: Credentials): Promise<void> {
  const url = httpUrl(session);
  const { origin } = new URL(url);
  const configured = session.source.kind === 'http' ? session.source.setting.headerName : undefined;
  const name = await askText({
    title: vscode.l10n.t('Set header for {0} (1 of 2)', origin),
    prompt: vscode.l10n.t('Name of the header that carries the credential'),
    value: configured ?? 'x-api-key',
    stays: true,
    fault: (text) =>
      /^[\w-]+$/.test(text.trim()) ? undefined : vscode.l10n.t('A header name has letters, digits and -'),
  });
  if (name === undefined) return;
  const value = await askText({
    title: vscode.l10n.t('Set header for {0} (2 of 2)', origin),
    prompt: vscode.l10n.t('Value; kept in secret storage and sent to {0} only', origin),
    password: true,
    stays: true,
    fault: (text) =>
      /^[\t\x20-\x7e]+$/.test(text) ? undefined : vscode.l10n.t('A header value is plain text on one line'),
  });
  if (value === undefined) return;
  await credentials.set(url, { name: name.trim().toLowerCase(), value });
  void showInfo(vscode.l10n.t('The header {0} is sent to {1} from now on', plain(name.trim()), origin));
}

/** Forgets the credential header of the endpoint shown. */
export async function forgetHeader(session: Session, credentials: Credentials): Promise<void> {
  const url = httpUrl(session);
  await credentials.forget(url);
  void showInfo(vscode.l10n.t('No header is kept for {0} any more', new URL(url).origin));
}

function httpUrl(session: Session): string {
  if (session.source.kind === 'http') return session.source.id;
  throw new InputError(
    vscode.l10n.t('{0} takes no header: switch to the endpoint that needs one first', plain(session.source.name)),
  );
}
