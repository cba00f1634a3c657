import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import { groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { Validator } from '../../chain/validator.ts';
import type { Lists } from '../../lists/lists.ts';
import { type ValidatorOrder, validatorOrders } from '../../lists/validators.ts';
import { maxAges } from '../../session/kept.ts';
import type { Session } from '../../session/session.ts';
import { absenceText } from '../../words/errorWords.ts';
import { listText } from '../../words/language.ts';
import { amountText, exactRatioText, matchesText, percentText } from '../../words/values.ts';
import { showDocument } from '../documents.ts';
import { setTooltip, treeItem } from '../editorTexts.ts';
import { afterDrawing } from '../redraws.ts';
import { filterByText, type OrderedTexts, sortRows } from './commands/filterAndSort.ts';
import type { ListScreen } from './listScreen.ts';
import { ListTree, type TreeParts } from './listTree.ts';
import {
  childrenOf,
  type MoreNode,
  maxTreeRows,
  type NoticeNode,
  newNotice,
  nothingFound,
  unreachedNotice,
} from './rows.ts';

/** A row of the Validators view. `key` is the operator address. */
type ValidatorsNode = { readonly kind: 'validator'; readonly key: string } | MoreNode | NoticeNode;

const owner = 'validators';

/** The validators of a source: bonded ones first, by power. */
export class ValidatorsTree extends ListTree<ValidatorsNode> {
  /** The validators for which the rows were made. */
  #rows: ReadonlyMap<string, Validator> = new Map();

  constructor(parts: TreeParts) {
    super(parts);
    this.followSession(
      ({ lists }) => lists.validators.pager,
      ({ lists }) => [lists.validators.onDidChange(() => this.isReadingOn(owner) || this.redraw())],
    );
  }

  get filterWords(): string {
    return filterWords(this.active.session.lists);
  }

  getTreeItem(node: ValidatorsNode): vscode.TreeItem {
    const { session } = this.active;
    if (node.kind === 'validator') return this.#validatorItem(session, node.key);
    return this.itemAbout(node, session.lists.validators.pager);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ValidatorsNode): Promise<vscode.TreeItem> {
    const row = node.kind === 'validator' ? this.#rows.get(node.key) : undefined;
    if (!row) return item;
    const lines = validatorLines(this.active.session, row).map((line) => line.join(': '));
    setTooltip(item, lines);
    return item;
  }

  protected ownerOf(): undefined {
    return undefined;
  }

  protected async loadUnder(node: ValidatorsNode | undefined): Promise<void> {
    if (!node) await this.load(owner, this.active.session.lists.validators.pager, maxTreeRows);
  }

  protected rowsUnder(node: ValidatorsNode | undefined): ValidatorsNode[] {
    const { session } = this.active;
    const { validators } = session.lists;
    const { pager, isOffered, shown } = validators;
    if (node) return node.kind === 'notice' ? [...(node.ways ?? [])] : [];
    const unreached = unreachedNotice(session, pager);
    if (unreached) return [unreached];
    if (!isOffered)
      return [newNotice(owner, 'info', absenceText('validators', session.source.kind !== 'http', vscode.l10n.t))];
    if (pager.started) void loadDetails(session);
    if (pager.state === 'loaded' && !pager.hasMore && pager.rows.length + pager.faults.length === 0)
      return [newNotice(owner, 'info', vscode.l10n.t('This chain has no validators'))];
    const notFound = vscode.l10n.t('No validator matches "{0}"', escapeForUi(validators.arrangement.text));
    this.#rows = new Map(shown.map((row) => [row.operator, row]));
    const nodes = shown
      .slice(0, maxTreeRows)
      .map(({ operator }): ValidatorsNode => ({ kind: 'validator', key: operator }));
    return [...nothingFound(validators, notFound), ...childrenOf(pager, owner, nodes)];
  }

  #validatorItem(session: Session, key: string): vscode.TreeItem {
    const row = this.#rows.get(key);
    return row ? validatorItem(session, row) : treeItem({ id: `${session.source.id}/validator/${key}`, label: key });
  }
}

/** Reads units and the total after the first rows were drawn, so that these do not wait. The rows are redrawn then. */
async function loadDetails({ lists }: Session): Promise<void> {
  await afterDrawing();
  await Promise.all([
    lists.supply.loadUnits({ maxAge: maxAges.screen }),
    lists.validators.loadBonded({ maxAge: maxAges.screen }),
  ]);
}

/** The facts of a validator, as names and values. */
function validatorLines({ lists }: Session, row: Validator): readonly (readonly [string, string])[] {
  const { t } = vscode.l10n;
  const { supply, validators } = lists;
  const denom = supply.staking?.denom ?? '';
  const share = validators.sharePoints(row);
  const status = { bonded: t('bonded'), unbonding: t('unbonding'), unbonded: t('unbonded'), unknown: t('unknown') };
  return [
    [t('Moniker'), row.moniker],
    [t('Operator'), row.operator],
    [t('Status'), row.jailed ? listText([status[row.status], t('jailed')], t) : status[row.status]],
    [t('Power'), amountText({ denom, amount: row.tokens }, supply.unit(denom))],
    [t('Base units'), groupDigits(row.tokens)],
    [t('Share of bonded tokens'), share === undefined ? t('unknown') : percentText(share, row.tokens)],
    [t('Commission'), row.commission === undefined ? t('unknown') : exactRatioText(row.commission)],
  ];
}

/** The item of a row of Validators. */
function validatorItem({ source, lists }: Session, row: Validator): vscode.TreeItem {
  const { t } = vscode.l10n;
  const share = lists.validators.sharePoints(row);
  const unbonded = { bonded: '', unbonding: t('unbonding'), unbonded: t('unbonded'), unknown: t('unknown status') };
  const parts = [
    row.jailed ? t('jailed') : unbonded[row.status],
    share === undefined ? '' : percentText(share, row.tokens),
    row.commission === undefined ? '' : exactRatioText(row.commission),
  ];
  const commission = row.commission === undefined ? '' : t('{0} commission', exactRatioText(row.commission));
  return treeItem({
    id: `${source.id}/validator/${row.operator}`,
    label: row.moniker.trim() || row.operator,
    description: parts.filter(Boolean).join(' · '),
    accessibleText: listText([row.moniker.trim() || row.operator, ...parts.slice(0, 2), commission], vscode.l10n.t),
    context: 'validator',
    command: {
      command: 'chainInspector._openRow',
      title: t('Open Validator'),
      arguments: [{ kind: 'validator', key: row.operator }],
    },
  });
}

/** The words and commands of Validators. */
export const validatorsScreen: ListScreen<Validator> = {
  icon: 'server',
  texts: () => ({
    title: vscode.l10n.t('Validators'),
    name: vscode.l10n.t('validators'),
    rows: vscode.l10n.t('validators'),
    loaded: vscode.l10n.t('Loaded validators'),
    selected: vscode.l10n.t('Selected rows in Validators'),
  }),
  filterWords,
  item: (_, { moniker, operator }) => ({ label: moniker || operator, description: operator }),
  label: (key) => vscode.l10n.t('Validator {0}', escapeForUi(key)),
  async open(session, key, { documents }): Promise<void> {
    const { validators, supply } = session.lists;
    const find = () => validators.pager.rows.find(({ operator }) => operator === key);
    if (!find()) await validators.pager.loadAll({ limit: Number.POSITIVE_INFINITY });
    const row = find();
    if (!row) throw new InputError(vscode.l10n.t('Validator {0} not found', escapeForUi(key)));
    await Promise.all([
      supply.loadUnits({ maxAge: maxAges.screen }),
      validators.loadBonded({ maxAge: maxAges.screen }),
    ]);
    const lines = validatorLines(session, row).map(([name, value]) => `${name}: ${escapeForUi(value, 500)}`);
    const name = `validator-${key.replace(/[^a-z0-9]+/g, '-').slice(0, 80)}.txt`;
    await showDocument(documents, name, `${lines.join('\n')}\n`, { preserveFocus: true });
  },
  copies: { copyOperatorAddress: 'operator' },
  filter: ({ lists }, given) => filterByText(lists.validators, orderedTexts(), given),
  clear: ({ lists }) => lists.validators.clearArrangement(),
  sort: ({ lists }, given) => sortRows(lists.validators, orderedTexts(), given),
};

function filterWords({ validators: { arrangement, shown, pager } }: Lists): string {
  return arrangement.text && matchesText(arrangement.text, shown.length, pager.rows.length, vscode.l10n.t);
}

function orderedTexts(): OrderedTexts<ValidatorOrder> {
  const { t } = vscode.l10n;
  const names = { power: t('By power'), moniker: t('By moniker'), commission: t('By commission') };
  const details = {
    power: t('Bonded first, then by power'),
    moniker: t('A–Z'),
    commission: t('Lowest first'),
  };
  return {
    reading: t('Loading all validators'),
    filter: t('Filter validators by part of a moniker or an address'),
    sort: t('Sort validators'),
    orders: validatorOrders.map((order) => ({ order, label: names[order], detail: details[order] })),
  };
}
