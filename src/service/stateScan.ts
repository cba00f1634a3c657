import { BankReader } from './bankReader.ts';
import { GovReader, withParams } from './govReader.ts';
import { type ObjectWant, Scanner, type Take, type Want } from './jsonScanner.ts';
import { parseKept } from './keptValue.ts';
import { type KnownVotes, StakingReader } from './stakingReader.ts';
import { earlyHead, headFields, type PartName, type State, toHead, toStatePlace } from './state.ts';
import { StateFileError } from './stateErrors.ts';

/** What comes out of a scan, as soon as it is known. */
export interface ScanEvents {
  onPart<P extends PartName>(name: P, part: State[P]): void;
  /** A part that cannot be read, while the others still can. */
  onFault(name: PartName, error: StateFileError): void;
  /** Something a person should know; one sentence. */
  onNotice(text: string): void;
}

const notAState = 'This is no state of a Cosmos SDK chain: it has no app_state and no bank or gov module';
/** Modules whose names show that a document without `app_state` is one. */
const modules = new Set(['bank', 'gov', 'staking', 'auth', 'supply', 'accounts', 'mint', 'slashing', 'distribution']);

/**
 * Finds the parts of a state in the bytes of its JSON, whatever the age: a genesis or export, one wrapped in
 * `{jsonrpc, result: {genesis}}`, or a bare `app_state` (contract-facts section 5).
 */
export class StateScan {
  readonly #events: ScanEvents;
  readonly #rebase: Date | undefined;
  readonly #scanner: Scanner;
  readonly #head: Record<string, unknown> = {};
  readonly #params: Record<string, string> = {};
  readonly #bank = new BankReader();
  readonly #gov = new GovReader();
  readonly #staking = new StakingReader();
  #govRead = false;
  readonly #done = new Set<PartName>();
  readonly #faulty = new Set<PartName>();
  /** `app_state`, and the modules that hold anything. */
  readonly #seen = new Set<string>();

  /** `rebase`: the state's own time becomes this moment and all times move with it (decision 8). */
  constructor(events: ScanEvents, rebase?: Date) {
    this.#events = events;
    this.#rebase = rebase;
    this.#scanner = new Scanner(this.#envelope(), (error) => this.#fault(error));
  }

  /** Where the scan stands, as a path. */
  get path(): string {
    return this.#scanner.path;
  }

  /** How many bytes have been taken. */
  get offset(): number {
    return this.#scanner.offset;
  }

  /** Throws `StateFileError` where the bytes cannot be a state. */
  write(chunk: Buffer): void {
    this.#scanner.write(chunk);
  }

  end(): void {
    this.#scanner.end();
    if (this.#seen.size === 0) throw new StateFileError(notAState, 0, '');
    this.#finishHead();
    this.#finishBank();
    this.#finishGov();
    this.#finishStaking();
    const govParams = this.#gov.paramGroups;
    this.#finish('params', () => ({ ...(govParams ? { gov: JSON.stringify(govParams) } : {}), ...this.#params }));
    for (const name of ['bank', 'gov'])
      if (!this.#seen.has(name)) this.#events.onNotice(`This state has no ${name} module.`);
  }

  #envelope(): ObjectWant {
    const member = (key: string): Want | undefined => {
      if (key === 'app_state') {
        this.#seen.add(key);
        return { kind: 'object', member: (name) => this.#module(name) };
      }
      if (key === 'result' || key === 'genesis') return this.#envelope();
      if (headFields.includes(key)) return { kind: 'value', value: this.#keep(this.#head, key) };
      if (key === 'consensus_params') return { kind: 'value', value: this.#keepParams('baseapp') };
      return modules.has(key) ? this.#module(key) : undefined;
    };
    return { kind: 'object', member };
  }

  #module(name: string): Want | undefined {
    if (name === 'supply' || name === 'accounts') this.#seen.add(name);
    switch (name) {
      case 'bank':
        return this.#withParams(
          name,
          this.#bank.want(() => this.#bank.isWhole && this.#finishBank()),
        );
      case 'gov':
        return this.#withParams(
          name,
          this.#gov.want(() => {
            this.#govRead = true;
            if (!this.#rebase) this.#finishGov();
          }),
        );
      case 'staking':
        return this.#withParams(
          name,
          this.#staking.want(this.#votes(), () => this.#votes() && this.#finishStaking()),
        );
      case 'supply':
        return this.#bank.wantSupplyModule();
      case 'accounts':
        return this.#bank.wantAccounts();
      case 'auth':
        return this.#withParams(name, {
          kind: 'object',
          member: (key) => (key === 'accounts' ? this.#bank.wantAccounts() : undefined),
        });
      default:
        return this.#withParams(name, { kind: 'object', member: () => undefined });
    }
  }

  /** Keeps the module's `params` beside what `want` takes. */
  #withParams(name: string, want: ObjectWant): ObjectWant {
    return withParams(want, this.#keepParams(name), () => this.#seen.add(name));
  }

  #keep(into: Record<string, unknown>, key: string): Take {
    return (bytes, start, end) => {
      into[key] = parseKept(bytes, start, end);
    };
  }

  #keepParams(name: string): Take {
    return (bytes, start, end) => {
      this.#params[name] = JSON.stringify(parseKept(bytes, start, end));
    };
  }

  #finish<P extends PartName>(name: P, make: () => State[P]): void {
    if (this.#done.has(name)) return;
    // The head before the first module, so that no answer goes out without the height that the file states above.
    if (name !== 'head' && earlyHead.every((field) => field in this.#head)) this.#finishHead();
    this.#done.add(name);
    this.#events.onPart(name, make());
  }

  #finishHead(): void {
    this.#finish('head', () => toHead(this.#head, this.#rebase));
  }

  #finishBank(): void {
    if (this.#done.has('bank')) return;
    this.#finish('bank', () => this.#bank.finish());
    for (const notice of this.#bank.notices()) this.#events.onNotice(notice);
  }

  #finishGov(): void {
    const time = toHead(this.#head).time;
    const shift = this.#rebase && time ? this.#rebase.getTime() - Date.parse(time) : 0;
    this.#finish('gov', () => this.#gov.finish(shift, this.#bank.address));
  }

  #finishStaking(): void {
    this.#finish('staking', () => this.#staking.finish(this.#gov.liveVotes));
  }

  /** The running votes, once the gov module has been read. */
  #votes(): KnownVotes {
    return this.#govRead ? this.#gov.liveVotes : undefined;
  }

  /** A fault inside one module leaves the others; anywhere else it ends the reading. */
  #fault(error: StateFileError): void {
    const { name, part } = toStatePlace(error.path);
    if (part === undefined) {
      if (modules.has(name) || error.path.includes('app_state.')) return;
      throw error;
    }
    if (this.#faulty.has(part)) return;
    if (this.#done.has(part)) {
      this.#events.onNotice(`${error.message}. The first one counts`);
      return;
    }
    this.#done.add(part);
    this.#faulty.add(part);
    this.#events.onFault(part, error);
  }
}
