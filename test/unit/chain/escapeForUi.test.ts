import { strict as assert } from 'node:assert';
import { escapeForUi } from '../../../src/chain/text.ts';
import { growth } from '../growth.ts';

/** How the editor reads links in messages, prompts and progress (src/vs/base/common/linkedText.ts of VS Code). */
const editorLink = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** How it reads icons in labels (src/vs/base/common/iconLabels.ts). */
const editorIcon = /\$\([a-z0-9-]+(?:~[a-z0-9-]+)?\)/i;

describe('plain', () => {
  const hostile = [
    '[Click](command:workbench.action.files.newUntitledFile)',
    '[x](https://evil.example)',
    '[x](file:///etc/passwd "title")',
    '[[x](command:a)](command:b)',
    '[a\n](command:x)',
    '[a\u202e]\u200b(command:x)](command:y)',
    '[x]\t(command:y)',
    '\\[x\\](command:y)',
    '$(trash)',
    '\\$(trash)',
    '$$((trash)',
    '$(loading~spin) $(x)$(y)',
    '$\u200b(trash)',
  ];

  it('leaves no link and no icon, and the words that were there', () => {
    for (const text of hostile) {
      const shown = escapeForUi(`a ${text} b`);
      assert.doesNotMatch(shown, editorLink, text);
      assert.doesNotMatch(shown, editorIcon, text);
      for (const word of text.match(/\w+/g) ?? []) assert.ok(shown.includes(word), `${word} of ${text}`);
    }
    assert.equal(escapeForUi('[Click](command:x) $(trash)'), '[Click] (command:x) $ (trash)');
  });

  it('changes nothing the second time', () => {
    const texts = [
      ...hostile,
      'a\u202eb',
      'مرحبا [x](command:y)',
      '\u2068abc\u2069',
      '\u2068مرحبا\u2069',
      'x'.repeat(500),
    ];
    for (const text of texts) {
      const once = escapeForUi(text);
      assert.equal(escapeForUi(once, 1000), once, text);
      assert.equal(escapeForUi(`“${once}” 5`, 1000), `“${once}” 5`, text);
    }
  });

  it('leaves ordinary text as it is', () => {
    for (const text of [
      'Upgrade to v2 (beta) [draft]',
      'ibc/ABC',
      'f(x)[0] = $5',
      'https://rest.example.org/a?b=(c)',
      '👩‍🚀 ok',
    ])
      assert.equal(escapeForUi(text), text);
  });

  it('shows control and direction characters, isolates right-to-left text, and is one line', () => {
    assert.equal(escapeForUi('safe\u202egpj.exe\u0007'), 'safe⟦U+202E⟧gpj.exe⟦U+0007⟧');
    assert.equal(escapeForUi('\u2068abc\u2069'), '⟦U+2068⟧abc⟦U+2069⟧');
    assert.equal(escapeForUi('مرحبا'), '\u2068مرحبا\u2069');
    assert.equal(escapeForUi('a\r\n\tb\nc'), 'a b c');
  });

  it('cuts at its limit, never inside a character', () => {
    assert.equal(escapeForUi('x'.repeat(201)), `${'x'.repeat(200)}…`);
    assert.equal(escapeForUi('x'.repeat(200)), 'x'.repeat(200));
    assert.equal(escapeForUi('aaa👍', 4), 'aaa…');
    assert.equal(escapeForUi('aa👍b', 4), 'aa👍…');
  });

  it('takes time that grows no faster than the text', () => {
    for (const part of ['\u2068', '\u2068م', '](', '$(', '[', '\u202e', '\n', 'م\u2069', '\u2068a\u2069']) {
      const factor = growth((size) => escapeForUi(part.repeat(size), Number.POSITIVE_INFINITY), 64 * 1024);
      assert.ok(factor < 3, `${JSON.stringify(part)}: ${factor}`);
    }
  });
});
