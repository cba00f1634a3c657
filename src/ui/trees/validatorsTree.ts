import * as vscode from 'vscode';
import type { Validator } from '../../chain/validator.ts';
import { maxAges } from '../../session/kept.ts';
import type { Session } from '../../session/session.ts';
import { absenceText } from '../../words/errorWords.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setTooltip, treeItem } from '../labels.ts';
import { afterDrawing } from '../redraws.ts';
import type { Watched } from '../watch/watchScreen.ts';
import { ListTree, rowDetails } from './listTree.ts';
import {
  childrenOf,
  type MoreNode,
  maxRows,
  type NoticeNode,
  newNotice,
  nothingFound,
  unreachedNotice,
} from './rows.ts';

/** A row of the Validators view; `key` is the operator's address. */
export type ValidatorsNode = { readonly kind: 'validator'; readonly key: string } | MoreNode | NoticeNode;

const owner = 'validators';

/** The validators of a source: bonded ones first, by their power. */
export class ValidatorsTree extends ListTree<ValidatorsNode> {
  /** As they were when the rows were made. */
  #rows: ReadonlyMap<string, Validator> = new Map();

  constructor(active: ActiveSession, watched: Watched) {
    super({ id: 'chainInspector.validators', showCollapseAll: false }, active, watched);
    this.followSession(
      ({ stores }) => stores.validators.pager,
      ({ stores }) => [stores.validators.onDidChange(() => this.isReadingOn(owner) || this.redraw())],
    );
  }

  getTreeItem(node: ValidatorsNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    const { session } = this.active;
    if (node.kind === 'validator') return this.#validatorItem(session, node.key);
    return this.itemAbout(node, session.stores.validators.pager);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ValidatorsNode): Promise<vscode.TreeItem> {
    const row = node.kind === 'validator' ? this.#rows.get(node.key) : undefined;
    if (!row) return item;
    const { validatorLines } = await rowDetails();
    const lines = validatorLines(this.active.session, row).map((line) => line.join(': '));
    setTooltip(item, lines);
    return item;
  }

  protected ownerOf(): undefined {
    return undefined;
  }

  protected async loadUnder(node: ValidatorsNode | undefined): Promise<void> {
    if (!node) await this.load(owner, this.active.session.stores.validators.pager, maxRows);
  }

  protected rowsUnder(node: ValidatorsNode | undefined): ValidatorsNode[] {
    const { session } = this.active;
    const { validators } = session.stores;
    const { pager, isOffered, shown } = validators;
    if (node) return node.kind === 'notice' ? [...(node.ways ?? [])] : [];
    const unreached = unreachedNotice(session, pager);
    if (unreached) return [unreached];
    if (!isOffered)
      return [newNotice(owner, 'info', absenceText('validators', session.source.kind !== 'http', vscode.l10n.t))];
    if (pager.started) void loadDetails(session);
    if (pager.state === 'loaded' && !pager.hasMore && pager.rows.length + pager.faults.length === 0)
      return [newNotice(owner, 'info', vscode.l10n.t('This chain has no validators'))];
    this.#rows = new Map(shown.map((row) => [row.operator, row]));
    const nodes = shown.slice(0, maxRows).map(({ operator }): ValidatorsNode => ({ kind: 'validator', key: operator }));
    return [...nothingFound(owner, validators), ...childrenOf(pager, owner, nodes)];
  }

  async #validatorItem(session: Session, key: string): Promise<vscode.TreeItem> {
    const row = this.#rows.get(key);
    const { validatorItem } = await rowDetails();
    return row ? validatorItem(session, row) : treeItem({ id: `${session.source.id}/validator/${key}`, label: key });
  }
}

/** After the first rows were drawn, so that they do not wait; they are drawn again when units and the total are known. */
async function loadDetails({ stores }: Session): Promise<void> {
  await afterDrawing();
  await Promise.all([
    stores.supply.loadUnits({ maxAge: maxAges.screen }),
    stores.validators.loadBonded({ maxAge: maxAges.screen }),
  ]);
}
