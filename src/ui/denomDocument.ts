import * as vscode from 'vscode';
import { type Coin, groupDigits } from '../chain/coin.ts';
import { escapeForUi } from '../chain/text.ts';
import type { Session } from '../session/session.ts';
import { amountText } from '../words/values.ts';
import type { Documents } from './documents.ts';

type Lines = readonly (readonly [name: string, value: string | undefined])[];

/** Opens what is known of a denom as a read-only document. Rejects as `ChainNode.supplyOf` does. */
export async function openDenom(session: Session, documents: Documents, denom: string): Promise<void> {
  const { supply } = session;
  const coin = supply.find(denom) ?? (await supply.load(denom));
  await supply.loadUnits().catch(() => undefined);
  const sections = [amountLines(session, coin), metadataLines(session, denom), await originLines(session, denom)];
  const width = sections.flat().reduce((most, [name, value]) => (value ? Math.max(most, name.length) : most), 0);
  const texts = sections.map((lines) => toText(lines, width)).filter((text) => text !== '');
  // Letters and digits only: the name of the document is a path, and denoms are texts of strangers.
  const name = `${denom.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}.txt`;
  await documents.show(name, `${escapeForUi(denom, 500)}\n\n${texts.join('\n\n')}\n`, true);
}

function toText(lines: Lines, width: number): string {
  return lines
    .flatMap(([name, value]) => (value ? [`${name.padEnd(width)}  ${escapeForUi(value, 2000)}`] : []))
    .join('\n');
}

function amountLines({ source, supply }: Session, coin: Coin): Lines {
  const unit = supply.unit(coin.denom);
  const { height } = supply.pager;
  const stated = unit?.source === 'chain' ? vscode.l10n.t('metadata of the chain') : vscode.l10n.t('chain registry');
  return [
    [vscode.l10n.t('Supply'), unit && amountText(coin, unit)],
    [vscode.l10n.t('Base units'), groupDigits(coin.amount)],
    [vscode.l10n.t('Unit'), unit && `1 ${unit.symbol} = 10^${unit.exponent} ${coin.denom} (${stated})`],
    [vscode.l10n.t('Staked'), supply.staking?.denom === coin.denom ? vscode.l10n.t('yes') : undefined],
    [vscode.l10n.t('Source'), [source.name, source.id].filter(Boolean).join(', ')],
    [vscode.l10n.t('Height'), height === undefined ? undefined : groupDigits(height)],
  ];
}

function metadataLines({ supply }: Session, denom: string): Lines {
  const metadata = supply.metadata(denom);
  const units = metadata?.units.map((unit) => `${unit.denom} (10^${unit.exponent})`);
  return [
    [vscode.l10n.t('Name'), metadata?.name],
    [vscode.l10n.t('Symbol'), metadata?.symbol],
    [vscode.l10n.t('Display'), metadata?.display],
    [vscode.l10n.t('Units'), units?.join(', ') || undefined],
    [vscode.l10n.t('Description'), metadata?.description],
  ];
}

async function originLines(session: Session, denom: string): Promise<Lines> {
  const [, creator, name] = /^factory\/([^/]+)\/(.*)$/.exec(denom) ?? [];
  if (creator !== undefined) {
    const admin = vscode.l10n.t('{0}, unless it was handed on', creator);
    return [
      [vscode.l10n.t('Factory denom'), name],
      [vscode.l10n.t('Creator'), creator],
      [vscode.l10n.t('Admin'), admin],
    ];
  }
  if (!denom.startsWith('ibc/')) return [];
  const origin = await session.supply.loadOrigin(denom).catch(() => undefined);
  if (!origin) return [[vscode.l10n.t('Trace'), vscode.l10n.t('not offered by this source')]];
  return [
    [vscode.l10n.t('Denom there'), origin.base],
    [vscode.l10n.t('Came over'), origin.path],
  ];
}
