import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFolder, startFolder } from '../../support/folders.ts';
import { startProcess } from '../../support/processes.ts';
import { startReplies } from '../../support/servers.ts';
import { smallState } from '../service/smallState.ts';
import { writeHostileState } from '../tools/hostileState.ts';
import { type Ended, program, runHere } from './runHere.ts';

/** Texts that a terminal would obey: clearing, a title, a link, colors, another line, another direction, a hidden letter. */
const hostile =
  '\u001b[2J\u001b]0;t\u0007\u001b]8;;http://evil.example\u0007\u009b31m\u0085\r\nFORGED verdict: passed\u2028\u202egnp\u2066\u200b\t';

/** Fails for a character that a terminal obeys, and for a line that a text from outside has begun. */
function assertPlain({ out, error }: Omit<Ended, 'code'>, name: string): void {
  for (const text of [out, error]) {
    // The marks that isolate text from right to left may stay.
    const found = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2066\u2067]/.exec(text);
    assert.equal(found, null, `${name}: ${JSON.stringify(text.slice(Math.max(0, (found?.index ?? 0) - 200)))}`);
    assert.doesNotMatch(text, /^FORGED/m, name);
  }
}

/** A name with hostile parts that a file may have. */
const fileName = process.platform === 'win32' ? 'odd' : hostile.replaceAll('/', '');

function writeState(folder: string): string {
  const file = join(folder, `${fileName}.json`);
  const state = JSON.parse(readFileSync(fileURLToPath(writeHostileState(folder)), 'utf8'));
  const { gov, staking, auth } = state.app_state;
  const message = { '@type': `/x.v1.Msg${hostile}`, [hostile]: { [`b${hostile}`]: [hostile, { [hostile]: hostile }] } };
  gov.proposals[0].messages = [message];
  gov.proposals[0].title = hostile;
  staking.validators[0].description.moniker = hostile;
  auth.accounts?.push({ '@type': hostile, name: hostile });
  writeFileSync(file, JSON.stringify({ ...state, chain_id: hostile }));
  return file;
}

function writeDraft(folder: string): string {
  const file = join(folder, `draft${fileName}.json`);
  const messages = [
    { '@type': `/x.v1.Msg${hostile}`, [hostile]: 1 },
    { '@type': `/${hostile}.MsgUpdateParams`, authority: hostile, params: { [hostile]: hostile } },
    { '@type': hostile, plan: { name: hostile, height: hostile } },
  ];
  writeFileSync(
    file,
    JSON.stringify({
      messages,
      metadata: hostile,
      deposit: `1${hostile}`,
      title: hostile,
      summary: hostile,
      [hostile]: 1,
    }),
  );
  return file;
}

/** A node that repeats a key, and refuses everything else in hostile words. */
const startHostileNode = () =>
  startReplies(({ pathname, searchParams }) => {
    const denoms = searchParams.get('pagination.key') ? [`b${hostile}`, 'c'] : [hostile];
    const pagination = { next_key: hostile, total: '9' };
    if (pathname.includes('/supply'))
      return { body: JSON.stringify({ supply: denoms.map((denom) => ({ denom, amount: '5' })), pagination }) };
    if (/\/(?:validators|proposals)$/.test(pathname))
      return { body: JSON.stringify({ validators: [], proposals: [], pagination }) };
    if (pathname.includes('block')) return { status: 500, body: JSON.stringify({ code: 2, message: hostile }) };
    return { status: 400, body: JSON.stringify({ code: 3, message: `${hostile} proposals ${hostile}` }) };
  });

describe('the terminal', () => {
  const folder = startFolder('terminal');
  let state = '';
  let draftFile = '';
  let node: Awaited<ReturnType<typeof startHostileNode>>;
  before(async () => {
    state = writeState(folder.path);
    draftFile = writeDraft(folder.path);
    node = await startHostileNode();
  });
  after(async () => {
    await node.stop();
    folder.dispose();
  });

  const asking = [
    ['proposals', '--limit', '200'],
    ['proposals', '--status', 'voting', '--text', 'IGNORE'],
    ['proposal', '1', '--votes'],
    ['proposal', '2'],
    ['proposal', '5'],
    ['supply', '--limit', '200'],
    ['supply', 'usample', '--split'],
    ['votes', '1'],
    ['holders', 'usample', '--all'],
    ['params'],
    ['supply', hostile],
    ['validators', '--text', ''],
    ['validators', '--text', hostile],
  ];
  for (const args of asking)
    it(`gets no control, line or direction of a chain from ${JSON.stringify(args.join(' ')).slice(0, 40)}`, async () => {
      // The sample chain is no source of hostile text: only an argument can be.
      for (const from of [['--state', state], ['--endpoint', node.url], ...(args.includes(hostile) ? [[]] : [])])
        for (const form of [[], ['--json'], ['--tsv']]) {
          const ended = await runHere([...args, ...from, ...form]);
          const isTabs = form.includes('--tsv');
          // Tabs stand between cells alone, of which every line has as many.
          const tabs = ended.out
            .split('\n')
            .slice(0, -1)
            .map((line) => line.split('\t').length);
          if (isTabs) assert.equal(new Set(tabs).size, ended.out === '' ? 0 : 1, ended.out);
          const out = isTabs ? ended.out.replaceAll('\t', ' ') : ended.out;
          assertPlain({ out, error: ended.error }, [...args, ...from, ...form].join(' '));
          assert.ok(`${ended.out}${ended.error}`.length > 10);
        }
    });

  it('gets none from a name of a field, which is shown', async () => {
    const { out, code } = await runHere(['proposal', '1', '--state', state]);
    assert.equal(code, 0);
    assert.match(out, /^ .*⟦U\+001B⟧\[2J.*FORGED verdict/m);
  });

  it('gets none from a key that a node repeats, and no key to paste that a shell would read otherwise', async () => {
    const { out, error, code } = await runHere(['supply', '--limit', '200', '--endpoint', node.url]);
    assert.deepEqual([out, code], ['', 2]);
    assert.match(error, /repeated the next key ⟦U\+001B⟧/);
    const first = await runHere(['supply', '--limit', '2', '--endpoint', node.url]);
    assert.match(first.out, /For the next rows: --key '[0-9a-f]{16}\.[\w-]+'$/m);
  });

  it('gets none from a draft, its name, and the chain that it is checked against', async () => {
    for (const from of [
      ['--state', state],
      ['--endpoint', node.url],
      ['--state', join(folder.path, `${hostile}none`)],
    ])
      for (const format of ['text', 'json'])
        for (const file of [draftFile, state, join(folder.path, `${hostile}none`)]) {
          const ended = await runHere(['check', file, ...from, '--format', format]);
          assertPlain(ended, `check ${format}`);
          if (format === 'json' && ended.out) assert.ok('drafts' in JSON.parse(ended.out), file);
        }
  });

  it('gets none from an argument that is wrong', async () => {
    const options = [
      'endpoint',
      'state',
      'height',
      'header-env',
      'format',
      'status',
      'limit',
      'key',
      'to',
      'tables',
      'port',
      hostile,
    ];
    const commands = ['proposals', 'proposal', 'supply', 'validators', 'check', 'mcp', 'serve', 'export'];
    for (const command of commands) {
      assertPlain(await runHere([command, hostile, hostile]), command);
      for (const option of options) {
        if (command === 'mcp' && option === 'state') continue;
        const ended = await runHere([command, 'x', `--${option}`, hostile]);
        assertPlain(ended, `${command} --${option}`);
        assert.notEqual(ended.code, 0);
      }
    }
    assertPlain(await runHere([hostile]), 'no command');
  });

  it('gets none from a state that is exported', async () => {
    const odd = join(folder.path, `export${fileName}.json`);
    writeFileSync(odd, JSON.stringify({ ...smallState(), chain_id: hostile }));
    for (const file of [odd, state, draftFile])
      assertPlain(await runHere(['export', file, '--to', join(folder.path, `tables${fileName}`), '--force']), 'export');
  });

  it('gets none from a state that is served, nor from a line to the server of agents', async () => {
    const served = startProcess(process.execPath, [program, 'serve', state]);
    await served.printed(/proposals\n/, 60_000);
    await served.dispose();
    assertPlain({ out: served.output(), error: '' }, 'serve');
    // It is no JSON, and the answer quotes it.
    const line = `no JSON: ${hostile}`;
    const script = `printf '%s\\n' "$1" | "$2" "$3" mcp`;
    const agents = startProcess('sh', ['-c', script, 'sh', line, process.execPath, program]);
    assert.equal(await agents.exited, 0);
    await agents.closed;
    assert.match(agents.output(), /⟦U\+202E⟧/);
    assertPlain({ out: agents.output(), error: '' }, 'mcp');
  });

  it('is written to by one file', () => {
    const writers = globSync('src/**/*.ts', { cwd: projectFolder }).filter((file) =>
      /process\.(stdout|stderr)\.write|console\./.test(readFileSync(join(projectFolder, file), 'utf8')),
    );
    assert.deepEqual(writers.map((file) => file.replaceAll('\\', '/')).toSorted(), [
      'src/cli/chainInspector.ts',
      'src/cli/terminal.ts',
    ]);
  });
});
