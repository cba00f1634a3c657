import { type BalanceSink, ScriptSummer } from './balances.ts';
import { type Bank, BankReader, type ScanEngine } from './bank.ts';
import { DenomTraceReader, type DenomTraces } from './denomTraces.ts';
import { type Gov, GovReader } from './govReader.ts';
import { type ObjectVisitor, Scanner, type Visitor } from './jsonScanner.ts';
import { isFields, objectVisitor, scalarText, valueVisitor } from './jsonValue.ts';
import { ModuleAccountReader, type ModuleAccounts } from './moduleAccounts.ts';
import { readModuleParams } from './moduleParams.ts';
import { StateFileError, shorten, ValueError } from './serviceErrors.ts';
import { ScriptSkipper } from './skipper.ts';
import { type Holder, type ListAgain, type Split, SplitReader } from './split.ts';
import { type Staking, StakingReader, type StakingSink } from './staking.ts';
import { type Clock, ClockReader, consensusVisitor, momentsVisitor } from './stateClock.ts';
import { buffersOf, toTable } from './table.ts';

/** What a state file says about itself. */
export interface Header {
  /** "" where the file does not name it (a bare `app_state`). */
  readonly chainId: string;
  /** The height that the state is of; undefined where the file does not name it, and before the first block. */
  readonly height: string | undefined;
  /** `genesis_time`, RFC 3339. */
  readonly time: string | undefined;
  readonly appName: string | undefined;
}

/** The indexed content of a state file, by module; header and params are handled like modules. */
export interface State {
  readonly header: Header;
  readonly bank: Bank & Held;
  readonly gov: Gov & Held;
  readonly staking: Staking & Held;
  readonly distribution: Distribution;
  readonly moduleAccounts: ModuleAccounts;
  readonly transfer: DenomTraces;
  /** JSON of the params of each module, by its name. */
  readonly params: Readonly<Record<string, string>>;
  /** Known when all but the split has been read. */
  readonly clock: Clock;
  /** Of bank and its neighbours; the last one that is there. */
  readonly split: Split;
}

/** Whether the state has the module: else nothing is known of it, and nothing is answered. */
interface Held {
  readonly isHeld: boolean;
}

/** `app_state.distribution` (`distr` until SDK 0.35), as far as it is read. */
export interface Distribution {
  /** JSON of the decimal coins of the community pool as they came; "" where the state does not hold them. */
  readonly communityPool: string;
}

export type ModuleName = keyof State;

export const moduleNames: readonly ModuleName[] = [
  'header',
  'bank',
  'gov',
  'staking',
  'distribution',
  'moduleAccounts',
  'transfer',
  'params',
  'clock',
  'split',
];

/** A state while it is being read: a module is there as soon as it has been read whole, or never. */
export class StateSnapshot {
  known: Partial<State> = {};
  /** Looks for them in the file; absent where there is none. Rejects where it has changed. */
  largestHolders?: (split: Split, denom: string, body?: string) => Promise<readonly Holder[]>;
  readonly #failures = new Map<ModuleName, Error>();
  #changed = Promise.withResolvers<void>();

  /** Resolves as soon as the module is there. Rejects with the reason why it cannot be read. */
  async get<M extends ModuleName>(name: M): Promise<State[M]> {
    for (;;) {
      const failure = this.#failures.get(name);
      if (failure) throw failure;
      const module = this.known[name];
      if (module !== undefined) return module;
      await this.#changed.promise;
    }
  }

  add(modules: Partial<State>): void {
    Object.assign(this.known, modules);
    this.#announce();
  }

  /** `name`, or every module that is still missing, will never be there. */
  fail(error: Error, name?: ModuleName): void {
    for (const missing of name ? [name] : moduleNames)
      if (this.known[missing] === undefined && !this.#failures.has(missing)) this.#failures.set(missing, error);
    this.#announce();
  }

  withdraw(error: Error): void {
    this.known = {};
    this.#failures.clear();
    this.fail(error);
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

/** What comes out of a reading, as soon as it is known. */
export interface StateEvents {
  readonly onModules?: ((modules: Partial<State>) => void) | undefined;
  /** A module that cannot be read, while the others still can. */
  readonly onFault: (name: ModuleName, error: StateFileError) => void;
  /** Something to know about the state; one sentence. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Receive what is read of large lists, which a state does not keep. */
  readonly balances?: BalanceSink | undefined;
  readonly staking?: StakingSink | undefined;
}

const notAState = 'This is no state of a Cosmos SDK chain: it has no app_state and no bank or gov module';
const oldState =
  'This state is of an SDK before 0.38 and read in part: coins, validators, delegations, proposals, deposits and votes. Running votes are not worked out.';
/** Modules whose names show that a document without `app_state` is one. */
const knownModules = new Set('bank gov staking stake auth supply accounts mint slashing distribution distr'.split(' '));
const headerFields = ['chain_id', 'genesis_time', 'initial_height', 'app_name'];
/** All that answers need of the header: it is complete before the first module where the file names them first. */
const earlyHeader = headerFields.slice(0, 3);

const noSplit = { denoms: toTable([]), accounts: toTable([]) };

/** The engine in JavaScript. */
export function scriptEngine(): ScanEngine {
  return { skipper: new ScriptSkipper(), balances: new ScriptSummer() };
}

export interface StateReaderOptions {
  /** The state's own time becomes this moment and all times move with it. */
  readonly rebase?: Date | undefined;
  /** false: where the coins are is not worked out. */
  readonly split?: boolean | undefined;
  /** Bytes of all tables, beyond which modules cannot be read, and of the memory of the accounts of the split. No limit where absent. */
  readonly maxTables?: number | undefined;
}

/** Reads the modules of a state from the bytes of its JSON, whatever its version. */
export class StateReader {
  /** Takes the bytes; throws `StateFileError` where they cannot be a state. */
  readonly scanner: Scanner;
  /** What could not be read, by the list that holds it: `bank.balances`, `gov.votes`, `accounts`. */
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
  /** What balances come to, read again where accounts became known too late. */
  #counted: BankReader;
  readonly #clock = new ClockReader();
  /** Where the clocks of other chains are. */
  #consensusStates: ListAgain['list'] | undefined;
  readonly #gov = new GovReader(this.#clock);
  readonly #staking: StakingReader;
  /** Modules that were handed over, or cannot be read. */
  readonly #done = new Set<ModuleName>();
  /** `app_state`, and the modules that hold anything. */
  readonly #seen = new Set<string>();
  #isBefore038 = false;
  #communityPool = '';

  constructor(events: StateEvents, engine: ScanEngine, options: StateReaderOptions = {}) {
    const { rebase, split = true, maxTables = Number.POSITIVE_INFINITY } = options;
    this.#events = events;
    this.#maxTables = maxTables;
    this.#denomTraces = new DenomTraceReader(maxTables);
    this.#rebase = rebase;
    this.#split = split ? new SplitReader(engine.balances, maxTables) : undefined;
    this.#bank = new BankReader(engine, { sink: events.balances, split: this.#split, modules: this.#moduleAccounts });
    this.#counted = this.#bank;
    this.#staking = new StakingReader(this.#clock, events.staking, engine.delegations);
    const root: ObjectVisitor = { kind: 'object', member: this.#envelope };
    this.scanner = new Scanner(root, (error) => this.#fault(error), engine.skipper);
    if (rebase) this.#finish('clock');
  }

  /** Whether accounts became known after their balances. To be asked after `end`. */
  get isToBeReadAgain(): boolean {
    return this.#split?.isLate === true && this.#bank.list !== undefined;
  }

  /** Counts balances anew, as the list is read again. */
  again(engine: ScanEngine): ListAgain {
    const list = this.#bank.list ?? { kind: 'balances', start: 0, end: 0 };
    this.#split?.restart(engine.balances);
    this.#counted = new BankReader(engine, { split: this.#split });
    return { list, visitor: this.#counted.listOf(list.kind) };
  }

  /** The list that is to be read again where nothing else tells the time. To be asked after `end`. */
  get clocksOfOthers(): ListAgain | undefined {
    const list = this.#consensusStates;
    if (!list || this.#makers.clock().time !== undefined) return undefined;
    return { list, visitor: consensusVisitor(this.#clock) };
  }

  /** To be called at the very end. */
  endSplit(): void {
    this.#finish('clock');
    if (this.#counted !== this.#bank) this.#counted.sum();
    if (this.#split) this.#finish('split');
  }

  /** To be called after the last byte. */
  end(): void {
    this.scanner.end();
    if (this.#seen.size === 0) throw new StateFileError('syntax', notAState, 0, '');
    for (const name of moduleNames) if (name !== 'split' && name !== 'clock') this.#finish(name);
    if (this.#isBefore038 || this.#gov.isBefore036) this.#notice(oldState);
    for (const [place, { first, count }] of this.faults)
      this.#notice(count === 1 ? first.message : `${first.message}, and ${count - 1} more in ${place}`);
    if (!this.#hasCoins) this.#notice('This state has no bank module.');
    if (!this.#seen.has('gov')) this.#notice('This state has no gov module.');
  }

  /** Coins are in the bank module, and before SDK 0.40 in its neighbours. */
  get #hasCoins(): boolean {
    return this.#bank.hasAccounts || ['bank', 'accounts', 'supply'].some((name) => this.#seen.has(name));
  }

  #notice(text: string): void {
    this.notices.push(text);
    this.#events.onNotice?.(text);
  }

  /** A genesis or export, one that is wrapped in `{jsonrpc, result: {genesis}}`, or a bare `app_state` (docs/nodes.md#state-files). */
  readonly #envelope = (name: string): Visitor | undefined => {
    if (name === 'result' || name === 'genesis') return { kind: 'object', member: this.#envelope };
    if (knownModules.has(name)) return this.#module(name);
    if (name === 'consensus_params') return this.#paramsOf('consensus');
    if (name === 'consensus') return objectVisitor({ params: this.#paramsOf('consensus') });
    if (headerFields.includes(name)) return valueVisitor((value) => this.#header.set(name, value));
    if (name !== 'app_state') return undefined;
    this.#seen.add(name);
    return { kind: 'object', member: (module) => this.#module(module) };
  };

  #module(name: string): Visitor | undefined {
    if (name === 'accounts') return this.#accounts();
    const visitor = this.#moduleVisitor(name);
    return {
      ...visitor,
      member: (member): Visitor | undefined => {
        this.#seen.add(name);
        return member === 'params' ? this.#paramsOf(name) : visitor.member(member);
      },
    };
  }

  /** A list of this name stood there until SDK 0.37. */
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
      // Its name until SDK 0.28.
      case 'stake': {
        if (name === 'stake') this.#isBefore038 = true;
        const votes = this.#done.has('gov') ? this.#gov.liveVotes : undefined;
        // Whether votes are counted as today, and what stands on the accounts of the pools, is known with the bank module.
        const isReady = votes !== undefined && this.#done.has('bank');
        return this.#staking.visitor(votes, () => isReady && this.#finish('staking'));
      }
      case 'distribution':
      // Its name until SDK 0.35.
      case 'distr':
        if (name === 'distr') {
          this.#isBefore038 = true;
          if (this.#split) this.#split.hasDistributionAccount = false;
        }
        return objectVisitor({
          fee_pool: objectVisitor({ community_pool: this.#poolVisitor() }),
          ...(this.#split ? { outstanding_rewards: this.#split.rewards() } : {}),
        });
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
        return momentsVisitor(this.#clock, name);
    }
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
      if (isFields(value)) this.#params.set(module, JSON.stringify(value));
      if (module === 'gov') this.#gov.readParams(value);
      else if (module === 'staking' || module === 'stake') this.#staking.readParams(value);
    });
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
    bank: () => ({ ...this.#bank.finish(this.#staking, (text) => this.#notice(text)), isHeld: this.#hasCoins }),
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
        this.#notice(`The running votes are not counted: ${uncounted} delegations would have to be counted for them.`);
      return { ...staking, isHeld: this.#seen.has('staking') || this.#seen.has('stake') };
    },
    moduleAccounts: () => this.#moduleAccounts.finish(),
    transfer: () => this.#denomTraces.finish(),
    distribution: () => ({ communityPool: this.#communityPool }),
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
    // The header before the first module, so that no answer goes out without the height that the file names above.
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
      const reason = `Its rows and those before have ${has} MiB, at most ${most} MiB are kept`;
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
      return typeof value === 'string' && value !== '' ? shorten(value, 200) : undefined;
    };
    const time = text('genesis_time');
    return {
      chainId: text('chain_id') ?? '',
      height: exportedHeight(scalarText(this.#header.get('initial_height'))),
      time: time !== undefined && this.#rebase ? this.#rebase.toISOString() : time,
      appName: text('app_name'),
    };
  }

  /** A fault costs the value; only where a list or an object of a module is something else, the module. */
  #fault(error: StateFileError): void {
    const inside = error.path.replace(/^(result\.)?(genesis\.)?/, '');
    const place = inside.replace(/^app_state\./, '');
    const module = readFrom(/^\w*/.exec(place)?.[0]);
    if (error.code === 'shape' && (inside === '' || inside === 'app_state')) throw error;
    if (error.code === 'shape' && !place.includes('[')) {
      if (module === undefined) return;
      if (!this.#done.has(module)) {
        this.#done.add(module);
        // The split is made of the same lists.
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

/** Of a duration in seconds, as `readModuleParams` has it; undefined for anything else. */
function millisecondsOf(duration: unknown): number | undefined {
  const [, seconds] = /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(scalarText(duration)) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** An export at height H names H + 1 (docs/nodes.md#state-files); a genesis names 1, or nothing. */
function exportedHeight(initialHeight: string): string | undefined {
  const height = /^\d{1,20}$/.test(initialHeight) ? BigInt(initialHeight) - 1n : 0n;
  return height > 0n ? String(height) : undefined;
}

/** The module that is read from this one of the file. */
export function readFrom(name: string | undefined): ModuleName | undefined {
  if (name === 'gov' || name === 'staking') return name;
  if (name === 'stake') return 'staking';
  return ['bank', 'supply', 'accounts', 'auth'].includes(name ?? '') ? 'bank' : undefined;
}
