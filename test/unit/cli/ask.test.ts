import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { commands } from '../../../src/cli/commandLine.ts';
import { stateFileOf } from '../../node/recording.ts';
import { notImplemented } from '../../support/chainReplies.ts';
import { startFolder } from '../../support/folders.ts';
import { runProcess } from '../../support/processes.ts';
import { writeLargeState } from '../service/largeState.ts';
import { smallState, textProposal } from '../service/smallState.ts';
import { startToolHost } from '../tools/toolHost.ts';
import { type Ended, program, runHere } from './runHere.ts';

const state = stateFileOf('0.53.8');

function start(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** In a process of its own. */
async function spawned(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
  const child = start(args, env);
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, error, code };
}

/** An endpoint that answers nothing, or never; the headers of each request. */
async function startEndpoint(answers: boolean) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers);
    server.emit('asked');
    if (answers) response.writeHead(501, { 'content-type': 'application/json' }).end(notImplemented.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { url, asked, server, [Symbol.dispose]: () => void server.close().closeAllConnections() };
}

/** Arguments, the exit code, and the sentence on stderr. */
const refusals: readonly (readonly [args: string, code: number, error: RegExp])[] = [
  ['proposal 99999', 1, /^Sample chain has no proposal 99999\.\n$/],
  ['proposals --endpoint http://127.0.0.1:1', 2, /^Could not read 127\.0\.0\.1:1: Connection refused\.\n$/],
  ['supply --state missing.json', 2, /^Could not read missing\.json: The file does not exist\.\n$/],
  ['', 64, /^Usage: chain-inspector COMMAND/],
  ['nothing', 64, /^Unknown command: nothing\.\nUsage: chain-inspector COMMAND/],
  [
    'proposal',
    64,
    /^Expected one ID\.\nUsage: chain-inspector proposal ID .*\nFor help, run "chain-inspector proposal --help"\.\n$/,
  ],
  ['proposal 1 2', 64, /^Expected one ID\.\n/],
  ['proposal abc', 64, /^"abc" is not a number\.\n/],
  ['proposals 1', 64, /^Unexpected "1"\.\n/],
  ['proposals --limit 0', 64, /^--limit 0: expected a whole number above 0\.\n/],
  ['proposals --limit x', 64, /^--limit x: expected a whole number/],
  ['proposals --status open', 64, /^--status open: expected one of .*voting/],
  ['proposals --port 1', 64, /^Unknown option '--port'\. Did you mean --sort\?\n/],
  ['proposals --json=1', 64, /^--json takes no value\.\n/],
  ['proposals --endpoint', 64, /^--endpoint needs a value\.\n/],
  ['proposals --endpoint ftp://x', 64, /^\S.*\nUsage: chain-inspector proposals/],
  ['proposals --endpoint http://a --state b', 64, /^Use one --endpoint or one --state\.\n/],
  ['proposals --height 5', 64, /^--height requires --endpoint\.\n/],
  ['proposals --height x --endpoint http://a', 64, /^--height x: expected a block height\.\n/],
  ['proposals --header-env a=NONE', 64, /^--header-env requires exactly one --endpoint\.\n/],
  [
    'proposals --header-env a=NONE_SUCH --endpoint http://a',
    64,
    /^--header-env: the environment variable NONE_SUCH is not set\.\n/,
  ],
  ['proposals --header-env secret --endpoint http://a', 64, /^--header-env secret: expected the name of a header/],
  [
    'mcp --header-env a=HOME --endpoint http://a --endpoint http://b',
    64,
    /^--header-env requires exactly one --endpoint\.\n/,
  ],
];

describe('chain-inspector', () => {
  const folder = startFolder('cli');
  const host = startToolHost([pathToFileURL(state).href]);
  after(async () => {
    await host.dispose();
    folder.dispose();
  });

  const questions: readonly (readonly [args: readonly string[], tool: string, input: object, shown: RegExp])[] = [
    [
      ['proposals', '--limit', '2'],
      'list_proposals',
      { limit: 2 },
      /^ *ID {2}Status +Ends +Outcome +Title\n *\d+ {2}\w+ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}\w+ \w+ +\S/,
    ],
    [
      ['proposals', '--status', 'passed', '--text', 'e'],
      'list_proposals',
      { status: 'passed', text: 'e' },
      /^ *ID {2}Status/,
    ],
    [['proposal', '1'], 'get_proposal', { id: '1' }, /^ID +1\nStatus +\w+\n[\s\S]*\nVerdict\n +Outcome +\w+\n/],
    [['supply'], 'get_supply', {}, /^ *Amount {2}Denom .*\n +\d+ {2}\S+/],
    [['supply', 'stake'], 'get_supply', { denom: 'stake' }, /^Amount +\d+\nDenom +stake\n/],
    [
      ['validators', '--text', 'val'],
      'list_validators',
      { text: 'val' },
      /^Status +Tokens {2}|^\n?.*0 of 0 validators/,
    ],
  ];

  it('names the chain where its id is no plain name, too', async () => {
    const file = join(folder.path, 'odd.json');
    writeFileSync(file, JSON.stringify(smallState()).replace('small-1', 'odd id'));
    for (const args of [['proposals'], ['supply', 'ustake']])
      assert.match((await runHere([...args, '--state', file])).out, /^odd\.json, chain odd id, height /m);
  });

  for (const [args, tool, input, shown] of questions)
    it(`${args.join(' ')} prints what the tool answers, for people and as JSON`, async () => {
      const expected = await host.ask(tool, input);
      const json = await runHere([...args, '--state', state, '--json']);
      assert.deepEqual([json.error, json.code], ['', 0]);
      assert.deepEqual(JSON.parse(json.out), JSON.parse(JSON.stringify(expected)));
      const people = await runHere([...args, '--state', state]);
      assert.deepEqual([people.error, people.code], ['', 0]);
      assert.match(people.out, shown);
      assert.match(
        people.out,
        /^0\.53\.8.*, chain chain-inspector-1, height \d+, .* UTC \(estimated from gov\.[\w.]+\)$/m,
      );
    });

  it('asks the sample chain where nothing is named, and says how to go on', async () => {
    const first = await runHere(['supply', '--limit', '3']);
    assert.equal(first.code, 0);
    const [, key = ''] = /^3 of 183 denoms\. For the next rows: --key '(\S+)'$/m.exec(first.out) ?? [];
    let rest = '';
    for (let from: string | undefined = key; from !== undefined; ) {
      const { out } = await runHere(['supply', '--limit', '200', '--key', from]);
      rest += out;
      from = /--key '(\S+)'$/m.exec(out)?.[1];
    }
    const denoms = `${first.out}${rest}`.match(/^ *\d+ {2}\S+/gm) ?? [];
    assert.equal(new Set(denoms).size, 183);
    // Numbers end at one place, and what follows begins at one.
    const ends = first.out
      .split('\n')
      .slice(1, 4)
      .map((line) => /^ *\d+ {2}/.exec(line)?.[0].length);
    assert.equal(new Set(ends).size, 1, first.out);
  });

  it('exits with 1 where there is no such thing, 2 where the chain cannot be asked, 64 with the usage', async () => {
    for (const [line, code, sentence] of refusals) {
      const args = line.split(' ').filter((arg) => arg !== '');
      const found = await runHere(args);
      assert.deepEqual([found.code, found.out], [code, ''], `${line}: ${found.error}`);
      assert.match(found.error, sentence);
      if (code !== 64) assert.equal(found.error.split('\n').length, 2);
      // One of each in a process of its own.
      if (/^$|^proposal 99999$|^supply/.test(line)) assert.deepEqual(await spawned(args), found);
    }
  });

  it('says with --help how each command is called, and what its exit codes mean', async () => {
    for (const command of commands.keys()) {
      const help = await runHere([command, '--help']);
      assert.deepEqual([help.code, help.error], [0, '']);
      assert.match(
        help.out,
        new RegExp(
          `^Usage: chain-inspector ${command} .*\\n[\\s\\S]*\\nExit codes: 0 [\\s\\S]*64\\s+usage\\s+error[^.]*\\.\\n$`,
        ),
      );
    }
  });

  it('shows the controls of hostile texts, and keeps each in its place', async () => {
    const { app_state, ...rest } = smallState();
    const title =
      '\u001b[2J\u001b]8;;http://evil.example\u0007Click\u001b]8;;\u0007 \u202egnp.exe\r\n 9  passed  by me';
    const proposal = {
      ...textProposal(7, 'PASSED'),
      content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title, description: `${title}\nStatus  passed` },
    };
    const file = join(folder.path, 'hostile.json');
    writeFileSync(
      file,
      JSON.stringify({ ...rest, app_state: { ...app_state, gov: { ...app_state.gov, proposals: [proposal] } } }),
    );
    for (const args of [['proposals'], ['proposal', '7'], ['proposals', '--json']]) {
      const { out, code } = await runHere([...args, '--state', file]);
      assert.equal(code, 0);
      assert.doesNotMatch(out, /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
      assert.match(out, /⟦U\+001B⟧\[2J/);
      assert.doesNotMatch(out, /^ ?(9|Status) {2}passed/m);
    }
  });

  it('sends the header that an environment variable holds to the endpoint, with the height, and prints it nowhere', async () => {
    using endpoint = await startEndpoint(true);
    const args = ['supply', '--endpoint', endpoint.url, '--height', '77', '--header-env', 'x-api-key=OUR_KEY'];
    const { out, error, code } = await spawned(args, { ...process.env, OUR_KEY: 'secret-4711' });
    assert.equal(code, 2);
    assert.ok(endpoint.asked.length > 0);
    assert.ok(endpoint.asked.every((headers) => headers['x-api-key'] === 'secret-4711'));
    assert.ok(endpoint.asked.some((headers) => headers['x-cosmos-block-height'] === '77'));
    assert.doesNotMatch(`${out}${error}`, /secret-4711/);
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    it(`ends on ${signal} with a sentence and the code of shells`, async () => {
      using endpoint = await startEndpoint(false);
      const child = start(['supply', '--endpoint', endpoint.url]);
      const ended = Promise.all([text(child.stderr), once(child, 'exit')]);
      await once(endpoint.server, 'asked');
      child.kill(signal);
      assert.deepEqual(await ended, ['Stopped\n', [code, null]]);
    });

  // Takes half a minute: `script` (util-linux) gives the terminal that a line of progress needs.
  if (process.env.TEST_FULL && process.platform === 'linux')
    it('shows how far it has read a state of 1 GB, and ends on SIGTERM with nothing running', async () => {
      const file = join(folder.path, 'large.json');
      const sums = await writeLargeState(file, 1000);
      const asked = `"${process.execPath}" "${program}" supply uatom --json --state "${file}"`;
      const seen = await runProcess('script', ['-qec', asked, '/dev/null']);
      const percents = [...seen.matchAll(/Reading large\.json: (\d+) %, \d+ s/g)].map(([, percent]) => Number(percent));
      assert.ok(percents.length > 1, seen.slice(0, 500));
      assert.deepEqual(
        percents,
        percents.toSorted((a, b) => a - b),
      );
      assert.ok(seen.includes(`"amount": "${sums.get('uatom')}"`));
      const child = spawn('script', ['-qec', `exec ${asked}`, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] });
      let shown = '';
      for await (const part of child.stdout) {
        shown += String(part);
        if (!/Reading large\.json: \d+ %/.test(shown)) continue;
        const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').map(Number);
        if (pid) process.kill(pid, 'SIGTERM');
        shown = '';
      }
      const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
      assert.equal(code, 143);
    });

  it('starts without what only cut cells need, which takes 10 ms to make', async () => {
    const refusing = "Intl.Segmenter = class { constructor() { throw new Error('made at the start'); } };";
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(refusing)}`,
      program,
      'supply',
      '--limit',
      '1',
      '--json',
    ];
    assert.match(await runProcess(process.execPath, args), /"supply"/);
  });

  it('ends without a word where what reads its output ends first', async function () {
    if (process.platform === 'win32') this.skip();
    const piped = `"${process.execPath}" "${program}" supply --limit 200 --json | head -n 1`;
    assert.equal(await runProcess('sh', ['-c', piped]), '{\n');
  });
});
