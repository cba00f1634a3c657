import * as vscode from 'vscode';
import { type Coin, groupDigits } from '../chain/coin.ts';
import { groupOf, type ProposalRow } from '../chain/proposal.ts';
import type { ListName, Stores } from '../session/lists.ts';
import type { Session } from '../session/session.ts';
import { supplyText } from '../words/listWords.ts';
import { plain } from '../words/plain.ts';
import { filterText, groupName, proposalLabel } from '../words/proposalWords.ts';
import type { PickItem } from './ask.ts';
import { openDenom } from './denomDocument.ts';
import type { Documents } from './documents.ts';
import type { ProposalPanels } from './panel/panels.ts';

/** What the words of a list are. */
export interface ListTexts {
  /** In the middle of a sentence: `Exporting supply`. */
  readonly name: string;
  /** What its rows are: `proposals: 12`. */
  readonly rows: string;
  readonly loaded: string;
  readonly selected: string;
}

/** Where rows are opened. */
export interface RowDoors {
  readonly documents: Documents;
  readonly panels: ProposalPanels;
}

/** What the screen adds to a list. Of methods, as `List` is. */
export interface ListView<Row> {
  texts(): ListTexts;

  /** What the filter and the order of the view are, in a few words; "" where there are none. */
  filterText(stores: Stores): string;

  /** A row where it is offered to be opened; its texts may be hostile. */
  item(session: Session, row: Row): PickItem;

  /** What a row is called that is not loaded. */
  label(key: string): string;

  /** Opens a row by its key. Rejects where it cannot be read. */
  open(session: Session, key: string, doors: RowDoors): Promise<void>;
}

const proposals: ListView<ProposalRow> = {
  texts: () => ({
    name: vscode.l10n.t('proposals'),
    rows: vscode.l10n.t('proposals'),
    loaded: vscode.l10n.t('Loaded proposals'),
    selected: vscode.l10n.t('Selected rows of Proposals'),
  }),
  filterText: ({ proposals }) => filterText(proposals.filter, vscode.l10n.t),
  item: (_, row) => ({
    icon: 'note',
    label: proposalLabel(row, vscode.l10n.t),
    description: groupName(groupOf(row), vscode.l10n.t),
  }),
  label: (key) => vscode.l10n.t('Proposal #{0}', key),
  async open({ source }, key, { panels }) {
    await panels.show({ sourceId: source.id, id: BigInt(key) });
  },
};

const supply: ListView<Coin> = {
  texts: () => ({
    name: vscode.l10n.t('supply'),
    rows: vscode.l10n.t('denoms'),
    loaded: vscode.l10n.t('Loaded supply'),
    selected: vscode.l10n.t('Selected rows of Supply'),
  }),
  filterText: ({ supply: { view, shown, pager } }) => supplyText(view, shown.length, pager.rows.length, vscode.l10n.t),
  item({ supply }, { denom, amount }) {
    const symbol = supply.unit(denom)?.symbol;
    const description = [...(symbol ? [symbol] : []), groupDigits(amount)].join(' · ');
    return { icon: 'circle-outline', label: this.label(denom), description };
  },
  label: (key) => vscode.l10n.t('Supply of {0}', plain(key)),
  open: (session, key, { documents }) => openDenom(session, documents, key),
};

/** The lists on the screen. */
export const listViews: Readonly<Record<ListName, ListView<unknown>>> = { proposals, supply };
