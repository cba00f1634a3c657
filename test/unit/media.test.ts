import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const media = (name: string) => readFileSync(join(import.meta.dirname, '../../media', name));

describe('what ships beside the bundle', () => {
  it('has an icon of 256 by 256 pixels', () => {
    const icon = media('icon.png');
    assert.equal(icon.subarray(1, 4).toString('latin1'), 'PNG');
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
  });

  it('has an activity bar icon of one colour, which the theme chooses', () => {
    const icon = media('activityBar.svg').toString();
    assert.match(icon, /viewBox="0 0 24 24"/);
    assert.match(icon, /stroke="currentColor"/);
    assert.doesNotMatch(icon.replace(/<defs>[\s\S]*<\/defs>/, ''), /#[0-9a-f]{3}/i);
  });
});
