/** Published on the diagnostics channel `chain-inspector:test-failed`; who can show what went wrong adds to `pending`. */
export class FailedTest {
  readonly title: string;
  readonly pending: Promise<unknown>[] = [];

  constructor(title: string) {
    this.title = title;
  }
}
