// Root hooks of all levels.
import type Mocha from 'mocha';

/** mocha clones a test to try it again; its types do not list the accessor of the test that was cloned. */
function isSecondTry(test: object): boolean {
  return 'retriedTest' in test && typeof test.retriedTest === 'function' && test.retriedTest() !== undefined;
}

export const mochaHooks = {
  afterEach(this: Mocha.Context): void {
    const test = this.currentTest;
    if (test && isSecondTry(test)) console.log(`A second try was needed: ${test.file} ${test.fullTitle()}`);
  },
};
