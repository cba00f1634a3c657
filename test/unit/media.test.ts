import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registryRelease } from '../../src/registry/buildPresets.ts';

const media = (name: string) => readFileSync(join(import.meta.dirname, '../../media', name));

describe('what ships beside the bundle', () => {
  it('names the release of the chain data and every bundled library', () => {
    const notices = media('THIRD-PARTY-NOTICES.txt').toString();
    assert.ok(notices.includes(`npm package chain-registry ${registryRelease.version} of ${registryRelease.date}`));
    assert.match(notices, /CC-BY-4\.0/);
    for (const name of [
      'undici',
      'llhttp',
      'zod',
      'markdown-it',
      'linkify-it',
      'mdurl',
      'uc.micro',
      'punycode.js',
      'entities',
      '@scure/base',
      '@bufbuild/protobuf',
      'diff',
      'hyparquet',
    ]) {
      assert.match(notices, new RegExp(`^${name} .*Copyright `, 'm'));
    }
  });

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
