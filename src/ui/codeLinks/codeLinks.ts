import * as vscode from 'vscode';
import { withPrefix } from '../../chain/address.ts';
import { type CodeFind, findInCode } from '../../code/codeFinds.ts';
import { type IbcTable, loadIbcTable } from '../../code/ibcTable.ts';
import { ibcDenomOf, type Trace, traceText } from '../../code/trace.ts';
import { chainOfPage } from '../../session/registry.ts';
import { readQuery } from '../../session/search.ts';
import type { Session } from '../../session/session.ts';
import type { ChainPreset } from '../../session/stored.ts';
import { statusName } from '../../words/proposalWords.ts';
import { amountText, originText } from '../../words/values.ts';
import { powerText, verdictWords } from '../../words/verdictWords.ts';
import type { ActiveSession } from '../activeSession.ts';
import { type HoverButton, plainHover } from '../labels.ts';
import { showsCodeLinks } from '../settings.ts';
import type { Storage } from '../storage.ts';
import type { OpenTarget } from '../watch/watchScreen.ts';
import { OutsideLinks } from './outsideLinks.ts';
import { TerminalLinks } from './terminalLinks.ts';

const languages = ['json', 'jsonc', 'yaml', 'markdown', 'typescript', 'javascript', 'go'];

/** Characters of a document from which on nothing is shown. */
const largest = 1_000_000;

/** What a hover says: lines, and what Go to is opened with. */
interface HoverContent {
  readonly lines: readonly (string | undefined)[];
  readonly goTo?: string | undefined;
  /** The path whose denom can be copied. */
  readonly copied?: string | undefined;
}

/** Shows what denoms, addresses and explorer links in code are. Asks no node: what is said was loaded before, or is shipped. */
export function registerCodeLinks(active: ActiveSession, storage: Storage, open: OpenTarget): vscode.Disposable {
  const hovers = new CodeHovers(active, storage.distPath);
  return vscode.Disposable.from(
    vscode.languages.registerHoverProvider(languages, hovers),
    vscode.window.registerUriHandler(new OutsideLinks(active, storage.dialects, open)),
    vscode.window.registerTerminalLinkProvider(new TerminalLinks(active, () => hovers.prefixes())),
  );
}

class CodeHovers implements vscode.HoverProvider {
  readonly #active: ActiveSession;
  readonly #distPath: string;
  #table: Promise<IbcTable> | undefined;
  #prefixes: ReadonlySet<string> | undefined;
  #chains: Promise<readonly ChainPreset[]> | undefined;

  constructor(active: ActiveSession, distPath: string) {
    this.#active = active;
    this.#distPath = distPath;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    if (!showsCodeLinks() || isLarge(document)) return undefined;
    const [chains, prefixes] = [await this.#readChains(), await this.prefixes()];
    if (token.isCancellationRequested) return undefined;
    const { supply } = this.#session.stores;
    const found = findInCode(document.lineAt(position).text, position.character, {
      prefixes,
      hasDenom: (denom) => supply.unit(denom) !== undefined || supply.find(denom) !== undefined,
    });
    const content = found && (await this.#content(found, chains));
    if (!found || !content || token.isCancellationRequested) return undefined;
    const range = new vscode.Range(position.line, found.start, position.line, found.end);
    return new vscode.Hover(
      plainHover(
        content.lines.filter((line) => line !== undefined),
        buttonOf(content),
      ),
      range,
    );
  }

  /** The prefixes of accounts that the registry lists. */
  async prefixes(): Promise<ReadonlySet<string>> {
    this.#prefixes ??= new Set((await this.#readChains()).flatMap(({ bech32Prefix }) => bech32Prefix ?? []));
    return this.#prefixes;
  }

  #readChains(): Promise<readonly ChainPreset[]> {
    this.#chains ??= readChains(this.#distPath);
    return this.#chains;
  }

  get #session(): Session {
    return this.#active.session;
  }

  get #chainId(): string | undefined {
    const { source, opened } = this.#session;
    return (source.kind === 'http' ? source.setting.chain : undefined) ?? opened?.dialect.chainId;
  }

  async #content(found: CodeFind, chains: readonly ChainPreset[]): Promise<HoverContent | undefined> {
    switch (found.kind) {
      case 'ibc':
        return this.#ofIbc(found.denom, found.digits);
      case 'trace':
        return this.#ofTrace(found.trace);
      case 'denom':
        return { lines: this.#denomLines(found.denom), goTo: found.denom };
      case 'address':
        return this.#ofAddress(found);
      case 'link':
        return this.#ofLink(found.url, chains);
      default:
        return found satisfies never;
    }
  }

  async #ofTrace(trace: Trace): Promise<HoverContent> {
    const text = traceText(trace);
    return { lines: [ibcDenomOf(text), ...(await this.#traceLines(trace))], copied: text };
  }

  async #ofIbc(denom: string, digits: string): Promise<HoverContent> {
    this.#table ??= loadIbcTable(this.#distPath);
    const trace = (await this.#table).find(digits);
    const read = this.#session.stores.supply.origin(denom);
    const lines = trace ? await this.#traceLines(trace) : [read && originText(read, vscode.l10n.t)];
    const isKnown = lines.some((line) => line !== undefined);
    const unknown = vscode.l10n.t('A denom of another chain. Its path is not in the chain registry.');
    return { lines: [...(isKnown ? lines : [unknown]), this.#supplyLine(denom)], goTo: denom };
  }

  /** Path and base denom, and where it stands and comes from as far as the registry knows. */
  async #traceLines(trace: Trace): Promise<readonly string[]> {
    this.#table ??= loadIbcTable(this.#distPath);
    const table = await this.#table;
    const own = table.standings(trace, this.#chainId ?? '');
    const all = own.length > 0 ? own : table.standings(trace);
    const { loadDenomUnits } = await import('../../session/stored.ts');
    const named = all.slice(0, 5).map(async ({ on, origin }) => {
      const unit = (await loadDenomUnits(this.#distPath, origin.id)).get(trace.base);
      return unit
        ? vscode.l10n.t('On {0}: {1} of {2}', on.name, unit.symbol, origin.name)
        : vscode.l10n.t('On {0}: from {1}', on.name, origin.name);
    });
    const more = all.length > 5 ? [vscode.l10n.t('and on {0} more chains', all.length - 5)] : [];
    return [
      vscode.l10n.t('Path: {0}', trace.path),
      vscode.l10n.t('Base denom: {0}', trace.base),
      ...(await Promise.all(named)),
      ...more,
    ];
  }

  #denomLines(denom: string): readonly (string | undefined)[] {
    const unit = this.#session.stores.supply.unit(denom);
    const units = unit && vscode.l10n.t('{0}: 1 is 10^{1} base units', unit.symbol, unit.exponent);
    return [denom, units, this.#supplyLine(denom)];
  }

  #supplyLine(denom: string): string | undefined {
    const { supply } = this.#session.stores;
    const coin = supply.find(denom);
    const { name } = this.#session.source;
    return coin && vscode.l10n.t('Supply on {0}: {1}', name, amountText(coin, supply.unit(denom)));
  }

  #ofAddress({ text, address }: Extract<CodeFind, { kind: 'address' }>): HoverContent {
    const { chainPrefix, role, fault } = address;
    const kinds = new Map([
      ['', vscode.l10n.t('Account address of {0}', chainPrefix)],
      ['valoper', vscode.l10n.t('Operator address of a validator of {0}', chainPrefix)],
      ['valcons', vscode.l10n.t('Consensus address of a validator of {0}', chainPrefix)],
    ]);
    const kind = kinds.get(role) ?? vscode.l10n.t('Public key of {0}', chainPrefix);
    if (fault !== undefined)
      return { lines: [kind, vscode.l10n.t('Its checksum does not hold: a character is wrong.')] };
    const other = role === '' ? `${chainPrefix}valoper` : role === 'valoper' ? chainPrefix : undefined;
    const same = other === undefined ? undefined : withPrefix(text, other);
    const { rows } = this.#session.stores.validators.pager;
    const validator = rows.find(({ operator }) => operator === text || operator === same);
    return {
      lines: [
        kind,
        vscode.l10n.t('Its checksum holds.'),
        same && vscode.l10n.t('Same bytes: {0}', same),
        validator && vscode.l10n.t('Validator: {0}', validator.moniker),
      ],
      goTo: validator?.operator,
    };
  }

  #ofLink(url: string, chains: readonly ChainPreset[]): HoverContent | undefined {
    const chain = chainOfPage(chains, url);
    const { id } = readQuery(url);
    if (!chain || id === undefined) return undefined;
    const head = vscode.l10n.t('Proposal {0} of {1}', `${id}`, chain.name);
    if (chain.chainId !== this.#chainId) return { lines: [head] };
    const { stores, kept } = this.#session;
    const proposal = stores.proposals.known(id);
    if (proposal?.kind !== 'proposal') return { lines: [head], goTo: `#${id}` };
    const { t } = vscode.l10n;
    const verdict = kept.verdicts.get(`${id}`)?.value;
    const power = powerText(undefined, () => undefined, t);
    const words = verdict && verdictWords({ proposal, verdict, now: new Date(), power, t });
    return {
      lines: [
        head,
        proposal.title,
        vscode.l10n.t('Status: {0}', statusName(proposal.status, proposal.wireStatus, t)),
        proposal.votingEndTime && vscode.l10n.t('Voting ends: {0}', proposal.votingEndTime.toISOString()),
        words && [words.lead, words.text].filter(Boolean).join(': '),
      ],
      goTo: `#${id}`,
    };
  }
}

function buttonOf({ goTo, copied }: HoverContent): HoverButton | undefined {
  if (goTo !== undefined)
    return { title: vscode.l10n.t('Open in Chain Inspector'), command: 'chainInspector.goTo', text: goTo };
  return copied === undefined
    ? undefined
    : { title: vscode.l10n.t('Copy IBC Denom'), command: 'chainInspector.copyIbcDenom', text: copied };
}

async function readChains(distPath: string): Promise<readonly ChainPreset[]> {
  const { loadPresets } = await import('../../session/stored.ts');
  return (await loadPresets(distPath)).chains;
}

function isLarge(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > largest;
}
