/** A command of the extension. */
export interface Command {
  /** Without `chainInspector.`; one that begins with `_` is internal: registered, but not in the manifest. */
  readonly id: string;
  readonly failure: string;
  /** Links and other extensions give arguments: only `commandArguments` reads them; none names a file to write. */
  readonly run: (first: unknown, second: unknown) => Promise<void> | void;
}

/** Commands by their ids that fail with the same words. */
export function commandsOf(failure: string, runs: Readonly<Record<string, Command['run']>>): readonly Command[] {
  return Object.entries(runs).map(([id, run]) => ({ id, failure, run }));
}
