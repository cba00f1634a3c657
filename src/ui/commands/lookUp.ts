import * as vscode from 'vscode';
import type { Coin } from '../../chain/coin.ts';
import { readId } from '../../session/search.ts';
import type { ActiveSession } from '../activeSession.ts';
import { askText, withProgress } from '../ask.ts';
import { plain } from '../plain.ts';
import { showInfo } from '../report.ts';
import { amountText, proposalLabel } from '../words.ts';
import type { CommandContext } from './commandContext.ts';
import { rememberLookUp } from './recentList.ts';

/** Look Up Proposal…: opens the proposal whose id is typed, or `given` by a key binding; Look Up… offers it again. */
export async function lookUpProposal({ active, globalState, panels }: CommandContext, given?: string): Promise<void> {
  const id = given === undefined ? await askProposalId() : readId(given);
  if (id === undefined) return;
  const { source, proposals } = active.session;
  const known = proposals.known(id);
  const title = known ? proposalLabel(known) : '';
  await rememberLookUp(globalState, { kind: 'proposal', sourceId: source.id, id: `${id}`, title });
  await panels.show({ sourceId: source.id, id });
}

/** Look Up Denom…: shows the supply of the denom that is typed, or `given`; Look Up… offers it again. */
export async function lookUpDenom({ active, globalState }: CommandContext, given?: string): Promise<void> {
  const denom = given === undefined ? await askDenom() : given;
  if (!denom) return;
  await rememberLookUp(globalState, { kind: 'denom', sourceId: active.session.source.id, denom });
  await showCoin(active, denom);
}

/** Asks for an id: `42` or `#42`. Undefined when the user leaves. */
export async function askProposalId(): Promise<bigint | undefined> {
  const text = await askText({
    title: vscode.l10n.t('Look up proposal'),
    prompt: vscode.l10n.t('Proposal ID'),
    placeHolder: '42',
    fault: (value) =>
      readId(value) === undefined ? vscode.l10n.t('An ID is a whole number above 0, such as 42') : undefined,
  });
  return text === undefined ? undefined : readId(text);
}

/** Asks for a denom. Which ones are valid is the node's word: chains set their own rule. */
export async function askDenom(): Promise<string | undefined> {
  const text = await askText({
    title: vscode.l10n.t('Look up denom'),
    prompt: vscode.l10n.t('Denomination, as the chain writes it'),
    placeHolder: 'uatom, ibc/…, factory/…',
    fault: (value) =>
      value.trim() === '' || /\s/.test(value.trim()) ? vscode.l10n.t('A denom has no spaces') : undefined,
  });
  return text?.trim() || undefined;
}

/** Asks the chain for the supply of one denom, with progress and cancel. */
export async function loadCoin(active: ActiveSession, denom: string): Promise<Coin> {
  const title = vscode.l10n.t('Asking for the supply of {0}', plain(denom));
  return withProgress(title, (signal) => active.session.supply.load(denom, signal));
}

/** Shows the supply of a denom, with the ways on: copy the amount or the denom. */
export async function showCoin(active: ActiveSession, denom: string): Promise<void> {
  const { supply, source } = active.session;
  const coin = await loadCoin(active, denom);
  await supply.loadUnits().catch(() => undefined);
  const unit = supply.unit(denom);
  const name = plain(denom);
  const amount = plain(amountText(coin, unit));
  const holds =
    coin.amount === 0n
      ? vscode.l10n.t('{0} holds no {1}', plain(source.name), name)
      : unit
        ? vscode.l10n.t('{0}: {1} ({2} base units)', name, amount, coin.amount.toString())
        : vscode.l10n.t('{0}: {1}', name, amount);
  const copyAmount = vscode.l10n.t('Copy Amount');
  const copyDenom = vscode.l10n.t('Copy Denom');
  const choice = await showInfo(holds, copyAmount, copyDenom);
  if (choice === copyAmount) await vscode.env.clipboard.writeText(coin.amount.toString());
  if (choice === copyDenom) await vscode.env.clipboard.writeText(denom);
}
