import { type PartName, partNames, type State } from './state.ts';

/** A state while it is being read: each part is there as soon as its module has been read whole (decision 27), or never. */
export class StateParts {
  readonly #parts: Partial<State>;
  readonly #failures = new Map<PartName, Error>();
  #changed = Promise.withResolvers<void>();

  constructor(parts: Partial<State> = {}) {
    this.#parts = { ...parts };
  }

  /** The part, or undefined where it is not there, for whatever reason. */
  peek<P extends PartName>(name: P): State[P] | undefined {
    return this.#parts[name];
  }

  /** The part, or undefined where it is not read yet. Throws why it cannot be read. */
  get<P extends PartName>(name: P): State[P] | undefined {
    const part = this.peek(name);
    const failure = part === undefined ? this.#failures.get(name) : undefined;
    if (failure) throw failure;
    return part;
  }

  /** Resolves with the next change: a part that is there now, or one that never will be. */
  changed(): Promise<void> {
    return this.#changed.promise;
  }

  put(parts: Partial<State>): void {
    Object.assign(this.#parts, parts);
    this.#announce();
  }

  /** Says that `name`, or every part that is still missing, will never be there. */
  fail(error: Error, name?: PartName): void {
    const names = name ? [name] : partNames;
    for (const missing of names)
      if (this.#parts[missing] === undefined && !this.#failures.has(missing)) this.#failures.set(missing, error);
    this.#announce();
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
