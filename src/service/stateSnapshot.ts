import type { ModuleAccounts } from './holders/moduleAccounts.ts';
import type { AccountAmount, HeldCoin, ListRange, Split } from './holders/split.ts';
import type { Bank } from './modules/bank.ts';
import type { DenomTraces } from './modules/denomTraces.ts';
import type { GovState } from './modules/govReader.ts';
import type { SigningInfos } from './modules/signingInfos.ts';
import type { FoundSchedule, FoundStake, Staking } from './modules/staking.ts';
import type { StateClock } from './modules/stateClock.ts';

/** The header of a state file. */
export interface Header {
  /** The chain id; "" if the file does not name it (a bare `app_state`). */
  readonly chainId: string;
  /** The height of the state; undefined if the file does not name it, and before the first block. */
  readonly height: string | undefined;
  /** The `genesis_time`, RFC 3339. */
  readonly time: string | undefined;
  readonly appName: string | undefined;
}

/** The indexed content of a state file by module. Header and parameters are handled like modules. */
export interface State {
  readonly header: Header;
  readonly bank: Bank & ModulePresence & { readonly hasCoins: boolean };
  readonly gov: GovState & ModulePresence;
  readonly staking: Staking & ModulePresence;
  readonly distribution: Distribution;
  readonly mint: MintState;
  readonly moduleAccounts: ModuleAccounts;
  readonly transfer: DenomTraces;
  readonly slashing: SigningInfos;
  /** The names of all modules of `app_state`. Empty for a bare `app_state`, and for more than a chain has. */
  readonly modules: readonly string[];
  /** The parameters of each module as JSON, by the name of the module. */
  readonly params: Readonly<Record<string, string>>;
  /** The time of the state, known when everything but the split has been read. */
  readonly clock: StateClock;
  /** The split of bank and its neighbors. It comes last. */
  readonly split: Split;
}

/** Tells if the state has the module. Without the module, nothing is known of it and nothing is answered. */
interface ModulePresence {
  readonly isHeld: boolean;
}

/** The values that are read of `app_state.distribution` (`distr` in SDK 0.35 and earlier). */
export interface Distribution {
  /** The decimal coins of the community pool as JSON, as they came; "" if the state does not hold them. */
  readonly communityPool: string;
}

/** The decimal numbers of `app_state.mint.minter`, as they came. Those are absent that the state does not hold. */
interface MintState {
  readonly minter: Readonly<Partial<Record<'inflation' | 'annual_provisions', string>>>;
}

export type ModuleName = keyof State;

export const moduleNames: readonly ModuleName[] = [
  'header',
  'bank',
  'gov',
  'staking',
  'distribution',
  'mint',
  'moduleAccounts',
  'transfer',
  'slashing',
  'modules',
  'params',
  'clock',
  'split',
];

/** Searches in the file of a state. Each rejects with `GatewayError` if the file has changed. */
export interface FileSearches {
  /** Finds the `most` accounts that hold most of a denom, the largest first. */
  largestHolders(list: ListRange, denom: string, most: number): Promise<readonly AccountAmount[]>;
  /** Finds the coins of an account, by `bodyOf` its address: all, or those of a denom. */
  balances(list: ListRange, holder: string, denom?: string): Promise<readonly HeldCoin[]>;
  /** Finds the stake of an account, by `bodyOf` its address, and how it vests at a time. */
  stake(staker: string, at: number | undefined): Promise<FoundStake>;
  /** Finds what of a denom vests and unbonds until a time. */
  schedule(denom: string, until: number): Promise<FoundSchedule>;
}

/** A state while it is read. A module is available once it has been read whole, or never. */
export class StateSnapshot {
  known: Partial<State> = {};
  readonly searches: FileSearches | undefined;
  readonly #failures = new Map<ModuleName, Error>();
  #changed = Promise.withResolvers<void>();

  /** `searches` is absent without a file. */
  constructor(searches?: FileSearches) {
    this.searches = searches;
  }

  /** Resolves as soon as the module is available. Rejects with the reason if it cannot be read. */
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

  /** Marks `name`, or every module that is still missing, as unavailable for good. */
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
