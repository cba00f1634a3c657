import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');

describe('docs/drafts.md', () => {
  it('has one section for each code of a finding, and no other', () => {
    const files = globSync('src/draft/checks/*/*Findings.ts', { cwd: root });
    const codes = files
      .map((file) => /^export interface \w+Findings \{[\s\S]*?^\}/m.exec(text(file))?.[0] ?? '')
      .join('\n');
    const named = [...codes.matchAll(/^ {2}'?([a-z]+(?:-[a-z]+)*)'?: /gm)].map(([, code]) => code);
    const sections = [...text('docs/drafts.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.ok(named.length > 30, named.join());
    assert.deepEqual(sections.toSorted(), named.toSorted());
  });

  it('is shipped', () => {
    assert.match(text('.vscodeignore'), /^!docs\/drafts\.md$/m);
  });
});
