import * as vscode from 'vscode';
import { namesAnotherHost, toLinkTarget } from '../../../media/proposal/linkTarget.ts';
import { readBech32 } from '../../chain/address.ts';
import { pastId } from '../../session/source.ts';
import { askText } from '../ask.ts';
import { findPast } from '../commands/blockHeight.ts';
import { exportVotes } from '../commands/exportView.ts';
import { plain } from '../plain.ts';
import { confirm } from '../report.ts';
import type { ProposalKey, ProposalModel } from './proposalModel.ts';
import type { OpenLinkMessage, PageAction } from './protocol.ts';

/**
 * Opens a link of a description outside the editor. Asks first, with the whole address and its true host, where the
 * text names another host or the scheme is not the web's; anything but http, https, ipfs and mailto is not opened.
 */
export async function openLink(link: OpenLinkMessage): Promise<void> {
  const target = toLinkTarget(link.url);
  if (!target) return;
  const mismatch = namesAnotherHost(link.text, target);
  const address = target.scheme === 'ipfs' ? `https://ipfs.io/ipfs/${target.url.slice('ipfs://'.length)}` : target.url;
  const web = target.scheme === 'http' || target.scheme === 'https';
  if (mismatch || !web) {
    const host = plain(target.host, 300);
    const open = vscode.l10n.t('Open');
    const question = mismatch
      ? vscode.l10n.t('The text of this link names another host. It leads to {0}.', host)
      : target.scheme === 'ipfs'
        ? vscode.l10n.t('This link is an IPFS address. Open it through the public gateway ipfs.io?')
        : vscode.l10n.t('This link writes a mail to an address at {0}.', host);
    const details = mismatch
      ? [vscode.l10n.t('Text: {0}', plain(link.text)), vscode.l10n.t('Address: {0}', address)]
      : [address];
    if (!(await confirm(question, details, open))) return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(address, true));
}

/** The same proposal in the last block before its voting ended; undefined where that is not known. Throws as `findPast` does. */
export async function pastKey({ facts, session }: ProposalModel, key: ProposalKey): Promise<ProposalKey | undefined> {
  const time = facts?.row.kind === 'proposal' ? facts.row.votingEndTime : undefined;
  if (!time) return undefined;
  return { ...key, sourceId: pastId(session.source, await findPast(session, { kind: 'before', time })) };
}

/** Does what a reader asked for among the votes of a proposal. Rejects as the source does, where the page does not show it. */
export async function readVotes(
  action: Exclude<PageAction, 'votesBeforeEnd'>,
  { whoVoted, session }: ProposalModel,
  { id }: ProposalKey,
): Promise<void> {
  const { votes } = whoVoted;
  switch (action) {
    case 'openValidators':
      return whoVoted.validators.kind === 'idle' ? whoVoted.readValidators() : undefined;
    case 'readValidators':
      return whoVoted.readValidators();
    case 'stopValidators':
      return whoVoted.stop();
    case 'openVotes':
      return votes.started ? undefined : votes.loadMore().catch(() => undefined);
    case 'moreVotes':
      return votes.loadMore().catch(() => undefined);
    case 'findVote': {
      const fault = vscode.l10n.t('This is not an address, or it has a typing error');
      const voter = await askText({
        title: vscode.l10n.t('Vote on proposal #{0}', id.toString()),
        prompt: vscode.l10n.t('Address of an account'),
        fault: (text) => ('prefix' in readBech32(text.trim()) ? undefined : fault),
      });
      return voter === undefined ? undefined : whoVoted.find(voter.trim());
    }
    case 'exportVotes':
      return exportVotes(session, id);
    default:
      action satisfies never;
  }
}
