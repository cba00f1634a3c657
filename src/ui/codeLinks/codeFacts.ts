import * as vscode from 'vscode';
import { lazy } from '../../api/sharing.ts';
import { withPrefix } from '../../chain/address.ts';
import type { Coin, DenomTrace } from '../../chain/coin.ts';
import type { Proposal } from '../../chain/gov/proposal.ts';
import { chainAccountOf } from '../../code/chainAccounts.ts';
import type { CodeFind } from '../../code/codeFinds.ts';
import { type IbcTable, loadIbcTable } from '../../code/ibcTable.ts';
import { ibcDenomOf, traceText } from '../../code/trace.ts';
import { Judge } from '../../reads/judge.ts';
import { readQuery } from '../../reads/search.ts';
import { type KeptQuestion, maxAges } from '../../session/kept.ts';
import { chainOfPage } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import type { ChainPreset } from '../../session/stored.ts';
import { sentencesText } from '../../words/language.ts';
import { statusName } from '../../words/proposalWords.ts';
import { endText } from '../../words/time.ts';
import { amountText } from '../../words/values.ts';
import { powerText, verdictWords } from '../../words/verdictWords.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { HoverButton } from '../editorTexts.ts';
import { language } from '../settings.ts';
import type { OutsideLinks } from './outsideLinks.ts';

type Found<Kind extends CodeFind['kind']> = Extract<CodeFind, { readonly kind: Kind }>;

/** The content of a hover. */
interface CodeContent {
  readonly lines: readonly (string | undefined)[];
  readonly button?: HoverButton | undefined;
  /** Whether the shown source may know more if it is asked. */
  readonly canAsk: boolean;
}

/**
 * The facts about denoms, addresses and links in code. They come from answers that were read before, and from tables in
 * the extension.
 */
export class CodeFacts {
  readonly #active: ActiveSession;
  readonly #links: OutsideLinks;
  readonly #distPath: string;
  readonly #loadTable: () => Promise<IbcTable>;
  /** The chains of the registry. */
  readonly chains: () => Promise<readonly ChainPreset[]>;

  constructor(active: ActiveSession, links: OutsideLinks, distPath: string) {
    this.#active = active;
    this.#links = links;
    this.#distPath = distPath;
    this.#loadTable = lazy(() => loadIbcTable(distPath));
    this.chains = lazy(() => readChains(distPath));
  }

  /** Whether the shown source has a denom, or the registry lists it for that chain. */
  hasDenom(denom: string): boolean {
    const { supply } = this.#session.lists;
    return supply.unit(denom) !== undefined || this.#coin(denom) !== undefined;
  }

  /**
   * The content of a hover, without any request. Undefined for a link to another page than a proposal's. `signal`
   * aborts the search for a trace.
   */
  async of(found: CodeFind, signal: AbortSignal): Promise<CodeContent | undefined> {
    switch (found.kind) {
      case 'ibc':
        return this.#ofIbc(found, signal);
      case 'trace':
        return this.#ofTrace(found.trace);
      case 'denom':
        return this.#ofDenom(found.denom);
      case 'address':
        return this.#ofAddress(found);
      case 'link':
        return this.#ofLink(found.url);
      default:
        return found satisfies never;
    }
  }

  /** Asks the shown source for the facts that `of` lacks. Rejects as the reads of `ChainNode` do. */
  async ask(found: CodeFind, signal: AbortSignal): Promise<void> {
    const question = { maxAge: maxAges.screen, signal };
    switch (found.kind) {
      case 'ibc':
      case 'denom':
        return this.#askDenom(found.denom, question);
      case 'address':
        return this.#askAddress(question);
      case 'link':
        return this.#askProposal(readQuery(found.url).id, question);
      case 'trace':
        return;
      default:
        return found satisfies never;
    }
  }

  get #session(): Session {
    return this.#active.session;
  }

  get #chainId(): string | undefined {
    const { source, opened } = this.#session;
    return (source.kind === 'http' ? source.setting.chain : undefined) ?? opened?.dialect.chainId;
  }

  async #ofIbc({ denom, digits }: Found<'ibc'>, signal: AbortSignal): Promise<CodeContent> {
    const trace = this.#session.lists.supply.origin(denom) ?? (await (await this.#loadTable()).find(digits, signal));
    const unknown = vscode.l10n.t('IBC denom from another chain. The chain registry does not list its path.');
    const lines = trace ? await this.#traceLines(trace) : [unknown];
    const supply = this.#supplyLine(denom);
    const canAsk = trace === undefined || supply === undefined;
    return { lines: [...lines, supply], button: openButton(denom), canAsk };
  }

  async #ofTrace(trace: DenomTrace): Promise<CodeContent> {
    const text = traceText(trace);
    const title = vscode.l10n.t('Copy IBC Denom');
    const button = { title, command: 'chainInspector.copyIbcDenom', args: [text] } as const;
    return { lines: [ibcDenomOf(text), ...(await this.#traceLines(trace))], button, canAsk: false };
  }

  /** The path and the base denom, and the chains at both ends if the registry lists them. */
  async #traceLines(trace: DenomTrace): Promise<readonly string[]> {
    const table = await this.#loadTable();
    const own = table.chainsOf(trace, this.#chainId ?? '');
    const all = own.length > 0 ? own : table.chainsOf(trace);
    const { loadDenomUnits } = await import('../../session/stored.ts');
    const named = all.slice(0, 5).map(async ({ on, origin }) => {
      const unit = (await loadDenomUnits(this.#distPath, origin.id)).get(trace.base);
      return unit
        ? vscode.l10n.t('On {0}: {1} from {2}', on.name, unit.symbol, origin.name)
        : vscode.l10n.t('On {0}: from {1}', on.name, origin.name);
    });
    const more = all.length > 5 ? [vscode.l10n.t('and {0} more chains', all.length - 5)] : [];
    return [
      vscode.l10n.t('Path: {0}', trace.path),
      vscode.l10n.t('Base denom: {0}', trace.base),
      ...(await Promise.all(named)),
      ...more,
    ];
  }

  #ofDenom(denom: string): CodeContent {
    const unit = this.#session.lists.supply.unit(denom);
    const units = unit && vscode.l10n.t('1 {0} = 10^{1} base units', unit.symbol, unit.exponent);
    const supply = this.#supplyLine(denom);
    return { lines: [denom, units, supply], button: openButton(denom), canAsk: supply === undefined };
  }

  #supplyLine(denom: string): string | undefined {
    const { source, lists } = this.#session;
    const coin = this.#coin(denom);
    return coin && vscode.l10n.t('Supply on {0}: {1}', source.name, amountText(coin, lists.supply.unit(denom)));
  }

  /** A denom of the supply: a loaded row, or one that was asked for alone. */
  #coin(denom: string): Coin | undefined {
    const { kept, lists } = this.#session;
    return lists.supply.find(denom) ?? kept.coins.young(denom, maxAges.screen)?.value;
  }

  async #askDenom(denom: string, question: KeptQuestion): Promise<void> {
    const { kept, lists } = this.#session;
    const load = async (signal: AbortSignal): Promise<{ value: Coin }> => ({
      value: await lists.supply.load(denom, signal),
    });
    await Promise.all([
      lists.supply.loadOrigin(denom, question),
      lists.supply.loadUnits(question),
      kept.coins.read(denom, question, load),
    ]);
  }

  #ofAddress({ text, address }: Found<'address'>): CodeContent {
    const { chainPrefix, role, fault } = address;
    const kinds = new Map([
      ['', vscode.l10n.t('Account address with the prefix {0}', chainPrefix)],
      ['valoper', vscode.l10n.t('Validator operator address with the prefix {0}', chainPrefix)],
      ['valcons', vscode.l10n.t('Validator consensus address with the prefix {0}', chainPrefix)],
    ]);
    const kind = kinds.get(role) ?? vscode.l10n.t('Public key with the prefix {0}', chainPrefix);
    if (fault !== undefined)
      return { lines: [kind, vscode.l10n.t('Invalid checksum: a character is wrong.')], canAsk: false };
    const other = role === '' ? `${chainPrefix}valoper` : role === 'valoper' ? chainPrefix : undefined;
    const same = other === undefined ? undefined : withPrefix(text, other);
    const name = role === '' ? this.#accountName(text) : undefined;
    const { rows } = this.#session.lists.validators.pager;
    const validator = rows.find(({ operator }) => operator === text || operator === same);
    return {
      lines: [
        kind,
        vscode.l10n.t('Valid checksum'),
        name ?? (same && vscode.l10n.t('Same address in another form: {0}', same)),
        validator && vscode.l10n.t('Validator: {0}', validator.moniker),
      ],
      button: validator && openButton(role === 'valoper' ? text : (same ?? text)),
      canAsk: other !== undefined && name === undefined && validator === undefined,
    };
  }

  /**
   * The name of an account: its module, or the channel whose coins it holds. The address proves it, or the source
   * stated it.
   */
  #accountName(address: string): string | undefined {
    const own = chainAccountOf(address);
    if (own?.kind === 'escrow') return vscode.l10n.t('Escrow account for transfer/{0}', own.channel);
    const name = own?.name ?? this.#session.kept.modules.get()?.value.get(address);
    return name === undefined ? undefined : vscode.l10n.t('{0} module account', name);
  }

  async #askAddress(question: KeptQuestion): Promise<void> {
    const { kept, lists } = this.#session;
    const load = async (signal: AbortSignal): Promise<{ value: ReadonlyMap<string, string> }> => {
      const named = (await (await this.#session.node()).moduleAccounts(signal)) ?? [];
      return { value: new Map([...named].map(([name, address]) => [address, name])) };
    };
    const { signal } = question;
    const all = { signal, limit: Number.POSITIVE_INFINITY };
    await Promise.all([kept.modules.read('', question, load), lists.validators.pager.loadAll(all)]);
  }

  async #ofLink(url: string): Promise<CodeContent | undefined> {
    const chain = chainOfPage(await this.chains(), url);
    const { id } = readQuery(url);
    if (!chain || id === undefined) return undefined;
    const head = vscode.l10n.t('Proposal {0} on {1}', `${id}`, chain.name);
    const source = this.#links.sourceOf(chain.chainId);
    const session = source && this.#active.sessions.find(source);
    const row = session?.lists.proposals.find(id);
    const lines = session && row?.kind === 'proposal' ? hoverOfProposal(session, row) : [];
    const isJudged = lines.length > 0 && session?.kept.verdicts.get(`${id}`) !== undefined;
    const query = `${new URLSearchParams([
      ['chain', chain.chainId],
      ['proposal', `${id}`],
    ])}`;
    return {
      lines: [head, ...lines],
      button: openTitled({ command: 'chainInspector._openFromCode', args: [query] }),
      canAsk: session === this.#session && !isJudged,
    };
  }

  async #askProposal(id: bigint | undefined, question: KeptQuestion): Promise<void> {
    const { kept, lists } = this.#session;
    if (id === undefined) return;
    const read = await lists.proposals.load(id, question.signal);
    if (read.kind !== 'proposal') return;
    const node = await this.#session.node();
    await kept.verdicts.read(`${id}`, question, async (signal) => {
      const { proposal, verdict } = await new Judge(node, kept, { ...question, signal }).judge(read, new Date());
      if (proposal !== read) lists.proposals.update([proposal]);
      return { value: verdict };
    });
  }
}

/** Title, status, end and verdict, as far as they were read. */
function hoverOfProposal(session: Session, proposal: Proposal): readonly (string | undefined)[] {
  const { t } = vscode.l10n;
  const { kept, lists, isStill, stillTime: now = new Date() } = session;
  const { id, title, status, wireStatus, votingEndTime } = proposal;
  const verdict = kept.verdicts.get(`${id}`)?.value;
  const bond = kept.staking.get()?.value?.denom;
  const power = powerText(bond, (denom) => lists.supply.unit(denom), t);
  const words = verdict && verdictWords({ proposal, verdict, now, power, t });
  return [
    title,
    t('Status: {0}', statusName(status, wireStatus, t)),
    votingEndTime && endText(votingEndTime, now, language(), isStill ? 'still' : 'running'),
    words && sentencesText([words.lead, words.text], vscode.l10n.t),
  ];
}

const openTitled = (button: Omit<HoverButton, 'title'>): HoverButton => ({
  title: vscode.l10n.t('Open in Chain Inspector'),
  ...button,
});

const openButton = (text: string): HoverButton => openTitled({ command: 'chainInspector.goTo', args: [text] });

async function readChains(distPath: string): Promise<readonly ChainPreset[]> {
  const { loadPresets } = await import('../../session/stored.ts');
  return (await loadPresets(distPath)).chains;
}
