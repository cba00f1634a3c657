import * as vscode from 'vscode';
import { InputError } from '../api/errors.ts';
import { type Coin, groupDigits } from '../chain/coin.ts';
import { groupOf, type ProposalRow } from '../chain/proposal.ts';
import { escapeForUi } from '../chain/text.ts';
import type { Validator } from '../chain/validator.ts';
import { maxAges } from '../session/kept.ts';
import type { ListName, Session } from '../session/session.ts';
import { groupName, proposalLabel } from '../words/proposalWords.ts';
import type { PickItem } from './ask.ts';
import { type Documents, showDocument } from './documents.ts';
import type { ProposalPanels } from './panel/panels.ts';
import { validatorLines } from './trees/rowDetails.ts';

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
  item: (_, row) => ({
    icon: 'note',
    label: proposalLabel(row, vscode.l10n.t),
    description: groupName(groupOf(row), vscode.l10n.t),
  }),
  label: (key) => vscode.l10n.t('Proposal #{0}', key),
  async open({ source }, key, { panels }): Promise<void> {
    await (await panels.load()).show({ sourceId: source.id, id: BigInt(key) });
  },
};

const supply: ListView<Coin> = {
  texts: () => ({
    name: vscode.l10n.t('supply'),
    rows: vscode.l10n.t('denoms'),
    loaded: vscode.l10n.t('Loaded supply'),
    selected: vscode.l10n.t('Selected rows of Supply'),
  }),
  item({ stores }, { denom, amount }): PickItem {
    const symbol = stores.supply.unit(denom)?.symbol;
    const description = [...(symbol ? [symbol] : []), groupDigits(amount)].join(' · ');
    return { icon: 'circle-outline', label: this.label(denom), description };
  },
  label: (key) => vscode.l10n.t('Supply of {0}', escapeForUi(key)),
  async open({ source }, denom, { panels }): Promise<void> {
    await (await panels.load()).showDenom({ sourceId: source.id, denom });
  },
};

const validators: ListView<Validator> = {
  texts: () => ({
    name: vscode.l10n.t('validators'),
    rows: vscode.l10n.t('validators'),
    loaded: vscode.l10n.t('Loaded validators'),
    selected: vscode.l10n.t('Selected rows of Validators'),
  }),
  item: (_, { moniker, operator }) => ({ icon: 'server', label: moniker || operator, description: operator }),
  label: (key) => vscode.l10n.t('Validator {0}', escapeForUi(key)),
  async open(session, key, { documents }): Promise<void> {
    const { validators, supply } = session.stores;
    const find = () => validators.pager.rows.find(({ operator }) => operator === key);
    if (!find()) await validators.pager.loadAll({ limit: Number.POSITIVE_INFINITY });
    const row = find();
    if (!row) throw new InputError(vscode.l10n.t('There is no validator {0}', escapeForUi(key)));
    await Promise.all([
      supply.loadUnits({ maxAge: maxAges.screen }),
      validators.loadBonded({ maxAge: maxAges.screen }),
    ]);
    const lines = validatorLines(session, row).map(([name, value]) => `${name}: ${escapeForUi(value, 500)}`);
    const name = `validator-${key.replace(/[^a-z0-9]+/g, '-').slice(0, 80)}.txt`;
    await showDocument(documents, name, `${lines.join('\n')}\n`, { preserveFocus: true });
  },
};

/** The lists on the screen. */
export const listViews: Readonly<Record<ListName, ListView<unknown>>> = { proposals, supply, validators };
