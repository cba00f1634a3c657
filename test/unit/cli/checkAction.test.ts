import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFileOf } from '../../node/recording.ts';
import { projectFolder, startFolder } from '../../support/folders.ts';
import { coins, draft, spend } from '../draft/exampleDrafts.ts';
import { runHere } from './runHere.ts';

const state = stateFileOf('0.53.8');
const bad = draft({ messages: [spend(coins('1'), 'nobody')], metadata: '' });
const plan = (url: string): string =>
  draft({
    messages: [
      {
        '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
        authority: 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn',
        plan: { name: 'v9', height: '900', info: JSON.stringify({ binaries: { any: url } }) },
      },
    ],
    metadata: '',
  });

/** The script of the one step of action.yml. */
function stepOf(action: string): string {
  const [, script = ''] = action.split('      run: |\n');
  return script.replaceAll(/^ {8}/gm, '');
}

describe('the action at the top of the repository', () => {
  const folder = startFolder('action');
  after(() => folder.dispose());
  const action = readFileSync(join(projectFolder, 'action.yml'), 'utf8');

  function run(inputs: Readonly<Record<string, string>>) {
    const defaults = {
      FILES: '.',
      ENDPOINT: '',
      STATE: '',
      FAIL_ON: 'error',
      BINARIES: 'false',
      ACTION: projectFolder,
    };
    // As a runner starts a step of bash.
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', stepOf(action)];
    const env = { ...process.env, ...defaults, ...inputs };
    const { stdout, stderr, status } = spawnSync('bash', args, { cwd: folder.path, encoding: 'utf8', env });
    return { stdout, stderr, status };
  }

  it('gives each of its inputs to the step', () => {
    const inputs = [...action.matchAll(/^ {2}([\w-]+):\n {4}description/gm)].map(([, name]) => name);
    const used = [...action.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name);
    assert.deepEqual(used, inputs);
    assert.equal(inputs.length, 5);
  });

  it('marks what it finds, and fails', () => {
    writeFileSync(join(folder.path, 'draft.json'), bad);
    const { stdout, status, stderr } = run({ STATE: state });
    assert.match(stdout, /^::error file=\.?\/?draft\.json,line=\d+/m, stderr);
    assert.equal(status, 1);
  });

  it('takes no option from the name of a file', () => {
    writeFileSync(join(folder.path, '--help.json'), bad);
    const { status, stdout } = run({ STATE: state, FILES: '--help.json\n\ndraft.json' });
    assert.equal(status, 1);
    assert.match(stdout, /file=--help\.json/);
  });

  it('fails as on wrong usage where neither endpoint nor state is named', () => {
    assert.equal(run({}).status, 64);
  });
});

describe('the hook for pre-commit', () => {
  it('runs the same program, which is in the repository', () => {
    const hooks = readFileSync(join(projectFolder, '.pre-commit-hooks.yaml'), 'utf8');
    const [, entry = ''] = /^ {2}entry: (\S+) \.$/m.exec(hooks) ?? [];
    const { stdout, status } = spawnSync(join(projectFolder, entry), ['--help'], { encoding: 'utf8' });
    assert.match(stdout, /^Usage: chain-inspector check FILE…/);
    assert.equal(status, 0);
  });
});

describe('chain-inspector check --binaries', () => {
  const folder = startFolder('binaries');
  after(() => folder.dispose());

  it('names addresses of this machine as not read, in a warning', async () => {
    const file = join(folder.path, 'draft.json');
    writeFileSync(file, plan('https://127.0.0.1:9/app'));
    const { out } = await runHere(['check', file, '--state', state, '--binaries']);
    assert.match(out, /warning: any: not checked\. .*a private network address.* \(upgrade-binary\)/);
  });

  it('is the only way to a download', async () => {
    const file = join(folder.path, 'other.json');
    writeFileSync(file, plan('https://127.0.0.1:9/app'));
    const { out } = await runHere(['check', file, '--state', state]);
    assert.doesNotMatch(out, /upgrade-binary/);
  });
});
