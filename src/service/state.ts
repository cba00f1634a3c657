import type { Fields } from '../chain/fields.ts';
import type { BalanceSink } from './holders/balances.ts';
import { ModuleAccountReader } from './holders/moduleAccounts.ts';
import { type ListAgain, SplitReader } from './holders/split.ts';
import type { Vesting, VestingTotals } from './holders/vesting.ts';
import { BankReader } from './modules/bank.ts';
import { DenomTraceReader } from './modules/denomTraces.ts';
import { GovReader } from './modules/govReader.ts';
import { readModuleParams } from './modules/moduleParams.ts';
import { createdValidator, maxCreated, newValidatorsNotice } from './modules/newValidators.ts';
import { SigningInfoReader } from './modules/signingInfos.ts';
import { StakingReader, type StakingSink } from './modules/staking.ts';
import { ClockReader, consensusVisitor, momentsVisitor, noteMoments } from './modules/stateClock.ts';
import { type ObjectVisitor, Scanner, type Visitor } from './scan/jsonScanner.ts';
import {
  isParsedObject,
  objectVisitor,
  parseExactly,
  rowsVisitor,
  scalarText,
  toFields,
  valueVisitor,
} from './scan/jsonValue.ts';
import type { ScanEngine } from './scan/scanEngine.ts';
import { StateFileError, shortenMiddle, ValueError } from './serviceErrors.ts';
import { type Header, type ModuleName, moduleNames, type State } from './stateSnapshot.ts';
import { buffersOf, toTable } from './table.ts';

/** Receives the results of a reading as soon as they are known. */
export interface StateEvents {
  readonly onModules?: ((modules: Partial<State>) => void) | undefined;
  /** A module cannot be read, while the others still can. */
  readonly onFault: (name: ModuleName, error: StateFileError) => void;
  /** A notice about the state, in one sentence. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Receives the rows of large lists, which a state does not keep. */
  readonly balances?: BalanceSink | undefined;
  readonly staking?: StakingSink | undefined;
}

const notAState = 'This is not a state file from a Cosmos SDK chain: it has no app_state and no bank or gov module';
const oldState =
  'This state is from an SDK version before 0.38. Only coins, validators, delegations, proposals, deposits and votes are read. Running tallies are not calculated.';
/** Modules by which a document without `app_state` is recognized as one. */
const knownModules = new Set('bank gov staking stake auth supply accounts mint slashing distribution distr'.split(' '));
const headerFields = ['chain_id', 'genesis_time', 'initial_height', 'app_name'];
/**
 * The fields of the header that answers need. They are complete before the first module if the file names them first.
 */
const earlyHeader = headerFields.slice(0, 3);

/** The parameters that stand beside `params` of their module: `crisis` in all versions, the others in SDK 0.37 and 0.38. */
const paramsBeside: Readonly<Record<string, readonly string[]>> = {
  crisis: ['constant_fee'],
  bank: ['send_enabled'],
  distribution: ['community_tax', 'base_proposer_reward', 'bonus_proposer_reward', 'withdraw_addr_enabled'],
};

/** No chain has more modules. */
const maxModules = 1000;

const noSplit = { denoms: toTable([]), accounts: toTable([]) };

export interface StateReaderOptions {
  /** The moment that becomes the time of the state. All its times move with it. */
  readonly rebase?: Date | undefined;
  /** False to leave out the split. */
  readonly split?: boolean | undefined;
  /**
   * The limit for the bytes of all tables, beyond which modules cannot be read, and for the accounts of the split.
   * Absent for no limit.
   */
  readonly maxTables?: number | undefined;
}

/** Reads the modules of a state of any version from the bytes of its JSON. */
export class StateReader {
  /** Takes the bytes. Throws `StateFileError` if they cannot be a state. */
  readonly scanner: Scanner;
  /** Faults by the list that holds them: `bank.balances`, `gov.votes`, `accounts`. */
  readonly faults = new Map<string, { readonly first: StateFileError; count: number }>();
  readonly modules: Partial<State> = {};
  readonly notices: string[] = [];
  readonly #events: StateEvents;
  readonly #rebase: Date | undefined;
  readonly #maxTables: number;
  #tables = 0;
  readonly #header = new Map<string, unknown>();
  readonly #params = new Map<string, string>();
  readonly #bank: BankReader;
  readonly #moduleAccounts = new ModuleAccountReader();
  readonly #denomTraces: DenomTraceReader;
  readonly #split: SplitReader | undefined;
  /** The sums of balances, counted again if accounts became known too late. */
  #counted: BankReader;
  readonly #clock = new ClockReader();
  /** The place of the IBC clients, whose times are close to that of the state. */
  #consensusStates: ListAgain['list'] | undefined;
  readonly #gov = new GovReader(this.#clock);
  readonly #staking: StakingReader;
  readonly #signingInfos: SigningInfoReader;
  /** Modules that were handed over or cannot be read. */
  readonly #done = new Set<ModuleName>();
  /** The names in `app_state`, up to a limit. */
  readonly #names = new Set<string>();
  /** `app_state`, and the modules that hold anything. */
  readonly #seen = new Set<string>();
  #isBefore038 = false;
  /** The transactions of a genesis that create validators with its first block. */
  #newValidators = 0;
  readonly #created: Fields[] = [];
  /** True if the bank module has a supply or balances, even if these are empty. */
  #hasBankCoins = false;
  #communityPool = '';
  readonly #minter: Partial<Record<'inflation' | 'annual_provisions', string>> = {};

  constructor(events: StateEvents, engine: ScanEngine, options: StateReaderOptions = {}) {
    const { rebase, split = true, maxTables = Number.POSITIVE_INFINITY } = options;
    this.#events = events;
    this.#maxTables = maxTables;
    this.#denomTraces = new DenomTraceReader(maxTables);
    this.#signingInfos = new SigningInfoReader(maxTables);
    this.#rebase = rebase;
    this.#split = split ? new SplitReader(engine.balances, maxTables) : undefined;
    this.#bank = new BankReader(engine, { sink: events.balances, split: this.#split, modules: this.#moduleAccounts });
    this.#counted = this.#bank;
    this.#staking = new StakingReader(this.#clock, events.staking, engine.delegations);
    const root: ObjectVisitor = { kind: 'object', member: this.#envelope };
    this.scanner = new Scanner(root, (error) => this.#fault(error), engine.skipper);
    if (rebase) this.#finish('clock');
  }

  /** True if accounts became known after their balances. Ask after `end`. */
  get isToBeReadAgain(): boolean {
    return this.#split?.isLate === true && this.#bank.list !== undefined;
  }

  /** Counts balances anew while the list is read again. */
  again(engine: ScanEngine): ListAgain {
    const list = this.#bank.list ?? { kind: 'balances', start: 0, end: 0 };
    this.#split?.restart(engine.balances);
    this.#counted = new BankReader(engine, { split: this.#split });
    return { list, visitor: this.#counted.listOf(list.kind) };
  }

  /** The list to read again if nothing else tells the time. Ask after `end`. */
  get clocksOfOthers(): ListAgain | undefined {
    const list = this.#consensusStates;
    if (!list || this.#makers.clock().time !== undefined) return undefined;
    return { list, visitor: consensusVisitor(this.#clock) };
  }

  /** Gives how the coins of an account vest, by `bodyOf` its address. Undefined for any other account. */
  vestingOf(body: string): Vesting | undefined {
    return this.#split?.accountOf(body)?.vesting;
  }

  /** Sums the vesting of a denom. Undefined if the state lists no accounts, or a schedule is not known. Ask last. */
  vestingBy(denom: string, until: Date): VestingTotals | undefined {
    return this.modules.moduleAccounts?.accounts === undefined ? undefined : this.#split?.vestingBy(denom, until);
  }

  /** Ends the split. Call it last. */
  endSplit(): void {
    this.#finish('clock');
    if (this.#counted !== this.#bank) this.#counted.sum();
    if (this.#split) this.#finish('split');
  }

  /** Ends the reading. Call it after the last byte. */
  end(): void {
    this.scanner.end();
    if (this.#seen.size === 0) throw new StateFileError('syntax', notAState, 0, '');
    for (const name of moduleNames) if (name !== 'split' && name !== 'clock') this.#finish(name);
    if (this.#isBefore038 || this.#gov.isBefore036) this.#notice(oldState);
    for (const [place, { first, count }] of this.faults)
      this.#notice(count === 1 ? first.message : `${first.message}, and ${count - 1} more in ${place}`);
    if (this.#newValidators > 0) this.#notice(newValidatorsNotice(this.#newValidators));
    if (!this.#isBankHeld) this.#notice('This state has no bank module.');
    else if (!this.#hasCoins) this.#notice('This state has no supply and no balances.');
    if (!this.#seen.has('gov')) this.#notice('This state has no gov module.');
  }

  /** True if the state has the bank module, or its neighbors that hold coins before SDK 0.40. */
  get #isBankHeld(): boolean {
    return this.#hasCoins || this.#seen.has('bank');
  }

  /** True if the state lists coins, even none. They are in the bank module, and before SDK 0.40 in its neighbors. */
  get #hasCoins(): boolean {
    return this.#bank.hasAccounts || this.#hasBankCoins || ['accounts', 'supply'].some((name) => this.#seen.has(name));
  }

  #notice(text: string): void {
    this.notices.push(text);
    this.#events.onNotice?.(text);
  }

  /**
   * Visits a genesis or export, one that is wrapped in `{jsonrpc, result: {genesis}}`, or a bare `app_state`
   * (docs/nodes.md#state-files).
   */
  readonly #envelope = (name: string): Visitor | undefined => {
    if (name === 'result' || name === 'genesis') return { kind: 'object', member: this.#envelope };
    if (knownModules.has(name)) return this.#module(name);
    if (name === 'consensus_params') return this.#paramsOf('consensus');
    if (name === 'consensus') return objectVisitor({ params: this.#paramsOf('consensus') });
    if (headerFields.includes(name)) return valueVisitor((value) => this.#header.set(name, value));
    if (name !== 'app_state') return undefined;
    this.#seen.add(name);
    return {
      kind: 'object',
      member: (module): Visitor | undefined => {
        if (this.#names.size <= maxModules) this.#names.add(module);
        return this.#module(module);
      },
    };
  };

  #module(name: string): Visitor | undefined {
    if (name === 'accounts') return this.#accounts();
    // A module of its own, `genutil`, has these since SDK 0.36.
    if (name === 'gentxs') return this.#genesisTransactions();
    const visitor = this.#moduleVisitor(name);
    const moments = momentsVisitor(this.#clock, name);
    return {
      ...visitor,
      member: (member): Visitor | undefined => {
        this.#seen.add(name);
        if (name === 'bank' && (member === 'supply' || member === 'balances')) this.#hasBankCoins = true;
        if (member === 'params') return this.#paramsOf(name);
        return this.#paramBeside(name, member) ?? visitor.member(member) ?? moments.member(member);
      },
    };
  }

  /** Visits `accounts`, which is a list in SDK 0.37 and earlier. */
  #accounts(): Visitor {
    const { otherwise, ...visitor } = this.#bank.accounts();
    if (otherwise?.kind !== 'list') return visitor;
    const element = (): Visitor | undefined => {
      this.#isBefore038 = true;
      this.#seen.add('accounts');
      return otherwise.element();
    };
    return { ...visitor, otherwise: { ...otherwise, element } };
  }

  #moduleVisitor(name: string): ObjectVisitor {
    switch (name) {
      case 'bank':
        return this.#bank.bank(() => this.#bank.isWhole && this.#finish('bank'));
      case 'gov':
        return this.#gov.visitor(() => (!this.#rebase || this.#header.has('genesis_time')) && this.#finish('gov'));
      case 'staking':
      // The name of `staking` in SDK 0.28 and earlier.
      case 'stake': {
        if (name === 'stake') this.#isBefore038 = true;
        const votes = this.#done.has('gov') ? this.#gov.liveVotes : undefined;
        // Counting votes needs parameters from the bank module, and the accounts of the pools.
        const isReady = votes !== undefined && this.#done.has('bank');
        return this.#staking.visitor(votes, () => isReady && this.#finish('staking'));
      }
      case 'distribution':
      // The name of `distribution` in SDK 0.35 and earlier.
      case 'distr':
        if (name === 'distr') {
          this.#isBefore038 = true;
          if (this.#split) this.#split.hasDistributionAccount = false;
        }
        return objectVisitor({
          fee_pool: objectVisitor({ community_pool: this.#poolVisitor() }),
          ...(this.#split ? { outstanding_rewards: this.#split.rewards() } : {}),
        });
      case 'mint':
        return this.#mint();
      case 'slashing':
        return this.#signingInfos.visitor();
      case 'genutil':
        return objectVisitor({ gen_txs: this.#genesisTransactions(), gentxs: this.#genesisTransactions() });
      case 'supply':
        return this.#bank.supplyModule();
      case 'auth':
        return objectVisitor(
          { accounts: this.#bank.accounts() },
          () => this.#moduleAccounts.hasAccounts && this.#finish('moduleAccounts'),
        );
      case 'transfer':
        return this.#denomTraces.visitor(() => this.#finish('transfer'));
      case 'ibc':
        return this.#ibc();
      case 'interchainaccounts':
        return objectVisitor({
          controller_genesis_state: objectVisitor({ params: this.#paramsOf('controller') }),
          host_genesis_state: objectVisitor({ params: this.#paramsOf('host') }),
        });
      case 'wasm':
        return objectVisitor(this.#split ? { contracts: this.#split.contracts() } : {});
      default:
        // Times in any module are noted while it is skipped.
        return objectVisitor({});
    }
  }

  /** Visits a mint module. The minter of SDK 0.2x names a moment of the past, too. */
  #mint(): ObjectVisitor {
    const minter: Visitor = {
      ...valueVisitor((value) => {
        if (!isParsedObject(value)) return;
        noteMoments(this.#clock, 'mint.minter', value);
        for (const name of ['inflation', 'annual_provisions'] as const) {
          const text = value[name];
          if (typeof text === 'string' && /^\d{1,100}(\.\d{1,18})?$/.test(text)) this.#minter[name] = text;
        }
      }),
      isOptional: true,
    };
    return objectVisitor({ minter });
  }

  #ibc(): ObjectVisitor {
    const clients_consensus: Visitor = {
      kind: 'list',
      isOptional: true,
      element: () => undefined,
      end: (start, end) => {
        if (end > start) this.#consensusStates = { start, end };
      },
    };
    const split = this.#split;
    return objectVisitor({
      client_genesis: objectVisitor({
        clients_consensus,
        params: this.#paramsOf('client'),
        ...(split ? { clients: split.clients() } : {}),
      }),
      connection_genesis: objectVisitor({ params: this.#paramsOf('connection') }),
      channel_genesis: objectVisitor({
        params: this.#paramsOf('channel'),
        ...(split ? { channels: split.channels() } : {}),
      }),
    });
  }

  #paramsOf(module: string): Visitor {
    return valueVisitor((value) => {
      if (isParsedObject(value)) {
        const beside = toFields(parseExactly(this.#params.get(module) ?? '{}'));
        this.#params.set(module, JSON.stringify({ ...beside, ...value }));
      }
      if (module === 'gov') this.#gov.readParams(value);
      else if (module === 'staking' || module === 'stake') this.#staking.readParams(value);
    });
  }

  /** Visits a parameter that stands beside `params`. Since SDK 0.47, `bank.send_enabled` is a list by denom, which is none. */
  #paramBeside(module: string, name: string): Visitor | undefined {
    if (!Object.hasOwn(paramsBeside, module) || !paramsBeside[module]?.includes(name)) return undefined;
    const visitor = valueVisitor((value) => {
      if (Array.isArray(value)) {
        if (module === 'bank') this.#bank.readSendEnabled(value);
        return;
      }
      const known = toFields(parseExactly(this.#params.get(module) ?? '{}'));
      this.#params.set(module, JSON.stringify({ [name]: value, ...known }));
    });
    return { ...visitor, isOptional: true };
  }

  /** Reads the transactions of a genesis that create validators. */
  #genesisTransactions(): Visitor {
    const visitor = rowsVisitor((transaction) => {
      const created = createdValidator(transaction);
      if (!created) return;
      this.#newValidators++;
      if (this.#created.length < maxCreated) this.#created.push(created);
    });
    return { ...visitor, isOptional: true };
  }

  #poolVisitor(): Visitor {
    return valueVisitor((value) => {
      // Amino writes an empty list as null.
      if (Array.isArray(value) || value === null) this.#communityPool = JSON.stringify(value ?? []);
      this.#split?.readCommunityPool(value);
    });
  }

  readonly #makers: { readonly [M in ModuleName]: () => State[M] } = {
    header: () => this.#toHeader(),
    bank: () => ({
      ...this.#bank.finish(this.#staking, (text) => this.#notice(text)),
      isHeld: this.#isBankHeld,
      hasCoins: this.#hasCoins,
    }),
    gov: () => {
      const time = Date.parse(scalarText(this.#header.get('genesis_time')));
      const gov = this.#gov.finish((this.#rebase ? this.#rebase.getTime() - time : 0) || 0, this.#bank.address);
      return { ...gov, isHeld: this.#seen.has('gov') };
    },
    staking: () => {
      const countsAsNow = !this.#isBefore038 && !this.#gov.isBefore036;
      const staking = this.#staking.finish(this.#gov.liveVotes, this.#bank.pools, countsAsNow);
      const { uncounted } = this.#staking;
      if (uncounted !== undefined)
        this.#notice(`Running tallies are not calculated: there are too many delegations (${uncounted}).`);
      return { ...staking, created: [...this.#created], isHeld: this.#seen.has('staking') || this.#seen.has('stake') };
    },
    moduleAccounts: () => this.#moduleAccounts.finish(),
    transfer: () => this.#denomTraces.finish(),
    slashing: () => this.#signingInfos.finish(),
    modules: () => (this.#names.size > maxModules ? [] : [...this.#names]),
    distribution: () => ({ communityPool: this.#communityPool }),
    mint: () => ({ minter: this.#minter }),
    params: () => {
      const groups = this.modules.gov?.params ?? '{}';
      return { ...(groups === '{}' ? {} : { gov: groups }), ...Object.fromEntries(this.#params) };
    },
    clock: () => {
      if (this.#rebase) return { time: this.#rebase.getTime(), from: undefined };
      const params = Object.fromEntries(this.#params);
      const staking = readModuleParams(params, 'staking') ?? readModuleParams(params, 'stake');
      return this.#clock.finish({
        genesisTime: this.#header.get('genesis_time'),
        isGenesis: exportedHeight(scalarText(this.#header.get('initial_height'))) === undefined,
        unbondingTime: millisecondsOf(staking?.unbonding_time),
      });
    },
    split: () => {
      const now = new Date(this.modules.clock?.time ?? 0);
      const { others = new Map() } = this.#counted;
      const space = this.#maxTables - this.#tables;
      const { denoms, accounts } = this.#split?.finish(this.#bank.supply, others, now, space) ?? noSplit;
      return { denoms, accounts, list: this.#bank.list };
    },
  };

  #finish<M extends ModuleName>(name: M): void {
    if (this.#done.has(name)) return;
    // The header comes before the first module, so that no answer goes out without the height that the file names above
    // it.
    if (name !== 'header' && earlyHeader.every((field) => this.#header.has(field))) this.#finish('header');
    this.#done.add(name);
    const modules: Partial<State> = {};
    try {
      modules[name] = this.#makers[name]();
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      this.#events.onFault(name, new StateFileError('value', error.message, this.scanner.offset, name));
      return;
    }
    const size = buffersOf(modules).reduce((sum, { byteLength }) => sum + byteLength, this.#tables);
    if (size > this.#maxTables) {
      const [has, most] = [size, this.#maxTables].map((bytes) => Math.round(bytes / 1024 ** 2));
      const reason = `The rows up to this point take up ${has} MiB, more than the limit of ${most} MiB`;
      this.#events.onFault(name, new StateFileError('value', reason, this.scanner.offset, name));
      return;
    }
    this.#tables = size;
    Object.assign(this.modules, modules);
    this.#events.onModules?.(modules);
  }

  #toHeader(): Header {
    const text = (name: string): string | undefined => {
      const value = this.#header.get(name);
      return typeof value === 'string' && value !== '' ? shortenMiddle(value, 200) : undefined;
    };
    const time = text('genesis_time');
    return {
      chainId: text('chain_id') ?? '',
      height: exportedHeight(scalarText(this.#header.get('initial_height'))),
      time: time !== undefined && this.#rebase ? this.#rebase.toISOString() : time,
      appName: text('app_name'),
    };
  }

  /**
   * Notes a fault. A value that cannot be read costs only itself. If a list or an object of a module has another JSON
   * type, the whole module cannot be read.
   */
  #fault(error: StateFileError): void {
    const inside = error.path.replace(/^(result\.)?(genesis\.)?/, '');
    const place = inside.replace(/^app_state\./, '');
    const module = stateModuleOf(/^\w*/.exec(place)?.[0]);
    if (error.code === 'shape' && (inside === '' || inside === 'app_state')) throw error;
    if (error.code === 'shape' && !place.includes('[')) {
      if (module === undefined) return;
      if (!this.#done.has(module)) {
        this.#done.add(module);
        // The split needs the balances of the bank module.
        if (module === 'bank') this.#done.add('split');
        this.#events.onFault(module, error);
        return;
      }
    }
    const list = /^\w+(?:\.\w+)?(?=\[)/.exec(place)?.[0] ?? 'the file';
    const known = this.faults.get(list);
    if (known) known.count++;
    else this.faults.set(list, { first: error, count: 1 });
  }
}

/** Gives the milliseconds of a duration in seconds, as `readModuleParams` writes it; undefined for anything else. */
function millisecondsOf(duration: unknown): number | undefined {
  const [, seconds] = /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(scalarText(duration)) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/**
 * Gives the height of an export, which names H + 1 for height H (docs/nodes.md#state-files). A genesis names 1 or
 * nothing.
 */
function exportedHeight(initialHeight: string): string | undefined {
  const height = /^\d{1,20}$/.test(initialHeight) ? BigInt(initialHeight) - 1n : 0n;
  return height > 0n ? String(height) : undefined;
}

/** Gives the module of `State` that a module of the file is read into. */
export function stateModuleOf(name: string | undefined): ModuleName | undefined {
  if (name === 'gov' || name === 'staking') return name;
  if (name === 'stake') return 'staking';
  return ['bank', 'supply', 'accounts', 'auth'].includes(name ?? '') ? 'bank' : undefined;
}
