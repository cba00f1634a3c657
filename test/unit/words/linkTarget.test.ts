import assert from 'node:assert/strict';
import { namesAnotherHost, startsWithHost, toLinkTarget } from '../../../src/words/linkTarget.ts';

describe('links of a description', () => {
  it('lead to the web, to IPFS or to a mail address, and say their true host', () => {
    const hosts = {
      'https://forum.example.org/t/1': 'forum.example.org',
      'HTTP://Example.ORG:8080/x': 'example.org:8080',
      'https://google.com@evil.example/': 'evil.example',
      'https://evil.example\\@google.com/': 'evil.example',
      'https://аpple.com/': 'xn--pple-43d.com',
      'https://evil.example/https://google.com': 'evil.example',
      'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/a.pdf': 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
      'mailto:gov@example.org?subject=x': 'example.org',
    };
    for (const [address, host] of Object.entries(hosts)) assert.equal(toLinkTarget(address)?.host, host, address);
  });

  it('are nothing else', () => {
    const others = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      'command:workbench.action.quit',
      'vscode:extension/x.y',
      'vscode-insiders://x',
      'data:text/html,<script>1</script>',
      'file:///etc/passwd',
      'blob:https://x/1',
      'vbscript:x',
      'about:blank',
      '//evil.example/',
      '/path',
      'path',
      '#top',
      '?x',
      '',
      'http:',
      'http://',
      'https:evil.example',
      'https:///evil.example',
      'http://\nevil.example',
      'https://exa mple.org',
      'ftp://example.org',
      'ws://example.org',
      'view-source:https://x.y',
    ];
    for (const address of others) assert.equal(toLinkTarget(address), undefined, JSON.stringify(address));
  });

  it('are marked where their text names another host', () => {
    const target = toLinkTarget('https://evil.example/');
    assert(target);
    const texts = [
      'https://google.com',
      'google.com',
      'www.google.com/login',
      'Google.COM',
      'ｇｏｏｇｌｅ．ｃｏｍ',
      'goo\u200bgle.com',
      'see forum.cosmos.network',
      'gооgle.com',
    ];
    for (const text of texts) assert.equal(namesAnotherHost(text, target), true, text);
    for (const text of [
      'forum thread',
      'here',
      'evil.example',
      'www.evil.example',
      'https://evil.example/google.com',
      'README.md',
      'v1.2.3',
      '',
    ]) {
      assert.equal(namesAnotherHost(text, target), false, text);
    }
    const sub = toLinkTarget('https://forum.cosmos.network/t/1');
    assert(sub);
    assert.equal(namesAnotherHost('cosmos.network', sub), false);
    assert.equal(namesAnotherHost('notcosmos.network', sub), true);
  });

  it('need no host beside them only where their text begins with it', () => {
    const target = toLinkTarget('https://evil.example/a');
    assert(target);
    assert.equal(startsWithHost('https://evil.example/a', target), true);
    assert.equal(startsWithHost('https://evil.example', target), true);
    assert.equal(startsWithHost('https://evil.example.google.com', target), false);
    assert.equal(startsWithHost('https://google.com@evil.example', target), false);
  });
});
