/** A command of the extension. */
export interface Command {
  /** The id without `chainInspector.`. An id that begins with `_` is registered, but not in the manifest. */
  readonly id: string;
  readonly failure: string;
  /**
   * Runs the command. Links and other extensions may pass any arguments, so they are read only by `commandArguments`.
   * No argument is the name of a file to write.
   */
  readonly run: (first: unknown, second: unknown) => Promise<void> | void;
}

/** Commands by their ids. If one fails, the message begins with `failure`. */
export function commandsOf(failure: string, runs: Readonly<Record<string, Command['run']>>): readonly Command[] {
  return Object.entries(runs).map(([id, run]) => ({ id, failure, run }));
}
