import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../support/folders.ts';

describe('the tests that mutation testing runs', () => {
  it('are there under each name, in patterns that mocha reads', () => {
    const settings: unknown = JSON.parse(readFileSync(join(projectFolder, 'test/mutation/stryker.json'), 'utf8'));
    const specs: readonly string[] = Object(settings).mochaOptions.spec;
    assert.notEqual(specs.length, 0);
    for (const spec of specs) {
      // Mocha takes braces for a file name (lib/cli/lookup-files.js), and goes on without it.
      assert.doesNotMatch(spec, /[{}]/);
      assert.notEqual(globSync(spec, { cwd: projectFolder }).length, 0, spec);
    }
  });
});
