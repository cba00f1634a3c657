import * as vscode from 'vscode';
import { escapeForUi } from '../../chain/text.ts';
import { isNamed } from '../../lists/supply.ts';
import { placeOf } from '../../page/blocks.ts';
import { type DenomKey, DenomModel } from '../../page/denomModel.ts';
import { toDenomView } from '../../page/denomView.ts';
import { type DenomAction, denomActions, type ShowDenom } from '../../page/pageMessages.ts';
import { splitTable, tableText } from '../../reads/export.ts';
import { pastId, presentId } from '../../session/source.ts';
import type { WatchTarget } from '../../watch/watchList.ts';
import { denomLabel } from '../../words/values.ts';
import { copyLinks } from '../codeLinks/outsideLinks.ts';
import { setTabTitle } from '../editorTexts.ts';
import { pickHeight } from '../endpoints/pickHeight.ts';
import { exportSplit } from '../exportFile.ts';
import { curlCommands } from '../lists/commands/curlCommands.ts';
import { flash } from '../report.ts';
import { PagePanel, pageWords } from './pagePanel.ts';
import type { DenomCommand } from './panelCommands.ts';
import type { PanelHost } from './panelHost.ts';

/** The panel of a denom. */
export class DenomPanel extends PagePanel<DenomAction> {
  readonly #host: PanelHost;
  #model: DenomModel;

  constructor(panel: vscode.WebviewPanel, key: DenomKey, host: PanelHost) {
    super(panel, host.storage.extensionUri, host.report, denomActions);
    this.#host = host;
    this.#model = this.#load(key);
    panel.iconPath = vscode.Uri.joinPath(host.storage.extensionUri, 'media', 'status', 'denom.svg');
    panel.onDidChangeViewState(() => this.name());
    const watching = host.watchList.onDidChange(() => this.showSoon());
    panel.onDidDispose(() => {
      watching.dispose();
      this.#model.dispose();
    });
    this.show();
  }

  isOf({ sourceId, denom }: DenomKey): boolean {
    return sourceId === this.#model.key.sourceId && denom === this.#model.key.denom;
  }

  /** Shows another denom, or the same one at another height. */
  navigate(key: DenomKey): void {
    const before = this.#model;
    if (this.isOf(key)) return;
    this.#model = this.#load(key);
    // Last, since a source without users would be closed and opened again.
    before.dispose();
    this.show();
  }

  async run(command: DenomCommand | DenomAction): Promise<void> {
    const failure = vscode.l10n.t('Could not update {0}', escapeForUi(this.#model.key.denom));
    await this.#host.report.run(failure, () => this.#do(command));
  }

  /** The target to watch. At a past height it is the denom at its present state. */
  get #target(): WatchTarget {
    return { kind: 'denom', sourceId: presentId(this.#model.session.source), denom: this.#model.key.denom };
  }

  async #do(command: DenomCommand | DenomAction): Promise<void> {
    const model = this.#model;
    const { key, session, facts } = model;
    const { denom } = key;
    const { source } = session;
    const { split, coin } = facts;
    const { clipboard } = vscode.env;
    switch (command) {
      case 'watch':
      case 'unwatch':
        if (this.#host.watchList.isWatched(this.#target) !== (command === 'watch'))
          await this.#host.watchList.toggle(this.#target);
        return;
      case 'refreshSupply':
        return model.read(true);
      case 'continueSplit':
        return model.read(false);
      case 'stopSplit':
        return model.stop();
      case 'copyDenom':
        return clipboard.writeText(denom);
      case 'copyLink':
        return copyLinks(session, [{ kind: 'denom', denom }]);
      case 'copyAmount':
        return clipboard.writeText(String(split?.supply ?? coin?.amount ?? ''));
      case 'copyTsv':
      case 'copyJson': {
        if (!split) return flash(vscode.l10n.t('No rows loaded yet'));
        return clipboard.writeText(tableText(splitTable(denom), split.rows, command === 'copyJson' ? 'json' : 'tsv'));
      }
      case 'copyCurl': {
        const [curl] = await curlCommands(session, [{ denom }], this.#host.storage.credentials);
        return curl === undefined ? undefined : clipboard.writeText(curl);
      }
      case 'exportSupply':
        return split ? exportSplit(session, split) : flash(vscode.l10n.t('No rows loaded yet'));
      case 'showAtHeight': {
        const past = source.kind === 'http' ? await pickHeight(this.#host.active, source) : undefined;
        return past && this.navigate({ denom, sourceId: pastId(source, past) });
      }
      case 'showLatest':
        return this.navigate({ denom, sourceId: presentId(source) });
      default:
        command satisfies never;
    }
  }

  #load(key: DenomKey): DenomModel {
    const { sessions, settings } = this.#host.active;
    const model = new DenomModel(key, sessions.acquire(settings.source(key.sourceId)));
    model.onDidChange(() => this.showSoon());
    void model.read(false);
    return model;
  }

  protected name(): void {
    const { key, session, facts } = this.#model;
    const unit = session.lists.supply.unit(key.denom);
    const name = isNamed(key.denom, unit) ? unit.symbol : denomLabel(key.denom);
    setTabTitle(this.panel, `${name} · ${escapeForUi(placeOf(facts), 40)}`);
    this.setContexts({
      watched: this.#host.watchList.isWatched(this.#target),
      isPast: facts.isPast,
      isEndpoint: session.source.kind === 'http',
    });
  }

  protected message(): ShowDenom {
    const { key, facts } = this.#model;
    return {
      type: 'show',
      restore: key,
      words: pageWords(),
      view: toDenomView({ ...facts, locale: vscode.env.language }, vscode.l10n.t),
    };
  }
}
