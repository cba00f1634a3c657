import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../../src/cli/commandLine.ts';
import { startFolder } from '../../support/folders.ts';
import { runProcess } from '../../support/processes.ts';
import { runHere } from './runHere.ts';

/** How each shell is asked for what stands behind a line; undefined where it is not installed. */
const shells = {
  bash: (script: string, words: readonly string[]) => [
    'bash',
    '-c',
    `source ${script}; COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _chain_inspector; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  fish: (script: string, words: readonly string[]) => [
    'fish',
    '-c',
    `source ${script}; complete -C '${words.join(' ')}'`,
  ],
} as const;

const cases: readonly (readonly [words: readonly string[], expected: RegExp])[] = [
  [['chain-inspector', 'val'], /^validators\b/m],
  [['chain-inspector', 'proposals', '--st'], /^--status\b[\s\S]*|^--state\b/m],
  [['chain-inspector', 'proposals', '--status', 'vo'], /^voting\b/m],
  [['chain-inspector', 'completion', 'z'], /^zsh\b/m],
  [['chain-inspector', 'help', 'hol'], /^holders\b/m],
];

describe('completion', () => {
  if (process.platform === 'win32') return;
  const folder = startFolder('completion');
  after(() => folder.dispose());

  for (const [shell, ask] of Object.entries(shells))
    it(`completes commands, options and words in ${shell}`, async function () {
      const isThere = await runProcess(shell, ['--version']).then(
        () => true,
        () => false,
      );
      if (!isThere) this.skip();
      const script = join(folder.path, shell);
      writeFileSync(script, (await runHere(['completion', shell])).out);
      for (const [words, expected] of cases) {
        const [program = '', ...args] = ask(script, words);
        assert.match(await runProcess(program, args), expected, words.join(' '));
      }
    });

  it('is read by zsh without an error', async function () {
    const script = join(folder.path, 'zsh');
    writeFileSync(script, (await runHere(['completion', 'zsh'])).out);
    const isThere = await runProcess('zsh', ['--version']).then(
      () => true,
      () => false,
    );
    if (!isThere) this.skip();
    const loaded = `autoload -Uz compinit && compinit -u -D && source ${script} && whence -w _chain_inspector`;
    assert.equal(await runProcess('zsh', ['-f', '-c', loaded]), '_chain_inspector: function\n');
  });

  // PowerShell is on few machines of developers, so its text is held: what it offers, and that its brackets are in pairs.
  it('offers in PowerShell the options of each command, and the values of each option', async () => {
    const { out } = await runHere(['completion', 'powershell']);
    const wordsIn = (list = '') => [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word);
    for (const [name, { options }] of commands) {
      const [, listed, values = ''] =
        new RegExp(
          `^    '${name}' = @\\{ options = @\\((.*?)\\); operands = @\\(.*?\\); values = @\\{ (.*) \\} \\}$`,
          'm',
        ).exec(out) ?? [];
      const long = wordsIn(listed).filter((word) => word.startsWith('--'));
      assert.deepEqual(long, [...options.map(([form]) => form.split(' ', 1)[0] ?? ''), '--help'], name);
      for (const [form, , words] of options.filter(([, , words]) => words)) {
        const own = values.split('; ').find((one) => one.startsWith(`'${form.split(' ', 1)[0]}' = `));
        assert.deepEqual(wordsIn(own?.split(' = ')[1]), words, `${name} ${form}`);
      }
    }
    const bare = out.replace(/'(?:[^']|'')*'/g, '').replace(/"[^"]*"/g, '');
    assert.doesNotMatch(bare, /['"]/);
    const open: string[] = [];
    for (const bracket of bare.replace(/[^()[\]{}]/g, ''))
      if (')]}'.includes(bracket)) assert.equal(open.pop(), { ')': '(', ']': '[', '}': '{' }[bracket]);
      else open.push(bracket);
    assert.deepEqual(open, []);
    assert.match(out, /^Register-ArgumentCompleter -Native -CommandName chain-inspector -ScriptBlock \{$/m);
  });

  it('names every command and each of its options in every shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { out, code } = await runHere(['completion', shell]);
      assert.equal(code, 0);
      for (const [name, { options }] of commands) {
        assert.ok(out.includes(name), `${shell}: ${name}`);
        for (const [form] of options) {
          const option = form.split(' ', 1)[0]?.slice(2) ?? '';
          assert.ok(out.includes(shell === 'fish' ? `-l ${option}` : `--${option}`), `${shell}: ${form}`);
        }
      }
    }
  });
});
