import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stateFileOf } from '../../node/recording.ts';
import { projectFolder, startFolder } from '../../support/folders.ts';
import { coins, draft, gov, ofMessages, spend, update } from '../draft/exampleDrafts.ts';
import { program, runHere } from './runHere.ts';

const state = stateFileOf('0.53.8');
const good = draft({ messages: [spend(coins('1'))], metadata: '', deposit: '10000stake,500uosmo' });
const bad = ofMessages({ ...update('staking', {}), params: { max_validators: 120 } });

describe('the formats of chain-inspector check', () => {
  const folder = startFolder('check formats');
  after(() => folder.dispose());
  const write = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  const file = write('bad draft.json', bad);
  const other = write('other.json', '{"name":"other"}');
  const missing = join(folder.path, 'none.json');

  const checked = (format: string, ...files: readonly string[]) =>
    runHere(['check', ...files, '--state', state, '--format', format]);

  it('state in JSON the chain, its height, and what was not checked', async () => {
    const { out, code } = await checked('json', write('good.json', good), file, other, missing);
    const { chain, height, drafts, notChecked, notDrafts } = JSON.parse(out);
    assert.equal(chain, 'chain-inspector-1');
    assert.match(height, /^[1-9]\d*$/);
    assert.deepEqual(
      drafts.map((one: { file: string; errors: number }) => [one.file, one.errors > 0]),
      [
        [join(folder.path, 'good.json'), false],
        [file, true],
      ],
    );
    assert.deepEqual(notDrafts, [other]);
    assert.equal(notChecked.length, 1);
    assert.equal(notChecked[0].file, missing);
    assert.match(notChecked[0].reason, /Cannot read/);
    assert.equal(code, 1, 'the errors, not the files');
  });

  it('state in JSON the edits that mend a draft, which mend it', async () => {
    const { out } = await checked('json', file);
    const [{ findings }] = JSON.parse(out).drafts;
    const { repairs } = findings.find(({ code }: { code: string }) => code === 'params-incomplete');
    const lines = bad.split('\n');
    const offset = (at: { line: number; column: number }): number =>
      lines.slice(0, at.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + at.column - 1;
    const mended = [...repairs[0].edits]
      .sort((a, b) => offset(b) - offset(a))
      .reduce((text, edit) => text.slice(0, offset(edit)) + edit.newText + text.slice(offset(edit.end)), bad);
    assert.notEqual(mended, bad);
    const again = JSON.parse((await checked('json', write('mended.json', mended))).out);
    assert.deepEqual(
      again.drafts[0].findings.filter(({ code }: { code: string }) => code === 'params-incomplete'),
      [],
    );
  });

  it('place findings in SARIF, with their repairs, and say what was not checked', async () => {
    const { out } = await checked('sarif', file, missing);
    const { version, runs } = JSON.parse(out);
    assert.equal(version, '2.1.0');
    const [{ tool, results, invocations, columnKind }] = runs;
    assert.equal(columnKind, 'utf16CodeUnits');
    assert.equal(tool.driver.version, JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version);
    const [{ ruleId, ruleIndex, level, locations, fixes }] = results;
    assert.deepEqual([ruleId, level, tool.driver.rules[ruleIndex].id], ['params-incomplete', 'error', ruleId]);
    const { artifactLocation, region } = locations[0].physicalLocation;
    assert.match(artifactLocation.uri, /^file:\/\/\/.*bad%20draft\.json$/);
    assert.equal(
      bad.split('\n')[region.startLine - 1]?.slice(region.startColumn - 1, region.endColumn - 1),
      '"params"',
    );
    assert.ok(fixes[0].artifactChanges[0].replacements[0].insertedContent.text.includes('unbonding_time'));
    assert.equal(invocations[0].executionSuccessful, false);
    assert.match(JSON.stringify(invocations[0].toolExecutionNotifications), /Cannot read/);
  });

  it('write annotations of a GitHub workflow, in which a draft begins no command', async () => {
    const named = JSON.parse(bad);
    named.messages[0].params['x\n::stop-commands::end\n,:%'] = 1;
    const { out } = await checked('github', write('a,b.json', JSON.stringify(named, null, 1)), missing);
    const lines = out.trimEnd().split('\n');
    for (const line of lines) assert.match(line, /^::(?:error|warning|notice) file=/);
    assert.match(
      out,
      /^::error file=[^,]*a%2Cb\.json,line=\d+,endLine=\d+,title=params-incomplete,col=\d+,endColumn=\d+::/m,
    );
    assert.match(out, /^::error file=[^,]*none\.json::Cannot read/m);
    assert.match(out, /^::notice file=[^,]*a%2Cb\.json::.*checked against chain-inspector-1 at height \d+: 1 error/m);
  });

  it('count the messages of types without a table beside the errors', async () => {
    const unknown = draft({
      messages: [spend(coins('1')), { '@type': '/example.v1.MsgSet', authority: gov }],
      metadata: '',
      deposit: '10000stake,500uosmo',
    });
    const path = write('unknown.json', unknown);
    const { out } = await checked('text', path);
    assert.match(out, /: 0 errors, .*1 message not checked$/m);
    assert.equal(JSON.parse((await checked('json', path)).out).drafts[0].uncheckedMessages, 1);
    assert.match((await checked('github', path)).out, /0 errors, .*1 message not checked/);
    assert.match((await checked('sarif', path)).out, /fields of some messages/);
  });
});

describe('the files of chain-inspector check', () => {
  const folder = startFolder('check files');
  after(() => folder.dispose());
  mkdirSync(join(folder.path, 'in/deep'), { recursive: true });
  mkdirSync(join(folder.path, 'in/node_modules'), { recursive: true });
  mkdirSync(join(folder.path, 'none'));
  writeFileSync(join(folder.path, 'in/a.json'), bad);
  writeFileSync(join(folder.path, 'in/deep/b.json'), good);
  writeFileSync(join(folder.path, 'in/[x].json'), good);
  writeFileSync(join(folder.path, 'in/package.json'), '{"name":"other"}');
  writeFileSync(join(folder.path, 'in/node_modules/c.json'), bad);
  const at = (name: string): string => join(folder.path, name);

  const names = async (...operands: readonly string[]) => {
    const { out, code } = await runHere(['check', ...operands, '--state', state, '--format', 'json']);
    const { drafts, notDrafts } = JSON.parse(out);
    const short = (file: string): string => file.slice(folder.path.length + 1).replaceAll('\\', '/');
    return [drafts.map(({ file }: { file: string }) => short(file)), notDrafts.map(short), code];
  };

  it('are those of a folder, each once, without node_modules; what is no draft is passed over', async () => {
    const all = ['in/[x].json', 'in/a.json', 'in/deep/b.json'];
    assert.deepEqual(await names(at('in')), [all, ['in/package.json'], 1]);
    assert.deepEqual(await names(at('in/a.json'), at('in')), [
      ['in/a.json', 'in/[x].json', 'in/deep/b.json'],
      ['in/package.json'],
      1,
    ]);
    assert.deepEqual(await names(at('in/deep'), at('in/[x].json')), [['in/deep/b.json', 'in/[x].json'], [], 0]);
  });

  it('are those of a pattern', async () => {
    assert.deepEqual(await names(at('in/*/b*.json')), [['in/deep/b.json'], [], 0]);
    assert.deepEqual(await names(at('in/package.json')), [[], ['in/package.json'], 2]);
  });

  it('are missed with 2 where a pattern or a folder has none', async () => {
    for (const operand of [at('in/*.yaml'), at('none')]) {
      const { error, code } = await runHere(['check', operand, '--state', state]);
      assert.equal(code, 2, operand);
      assert.ok(error.includes(operand), error);
    }
  });
});

describe('chain-inspector check -', () => {
  it('checks what stands on stdin', async () => {
    const child = spawn(process.execPath, [program, 'check', '-', '--state', state]);
    child.stdin.end(bad);
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.match(out, /^-:6:4: error: 4 parameters are missing/m);
    assert.deepEqual([error, code], ['', 1]);
  });
});

describe('chain-inspector check of a chain that does not answer', () => {
  const folder = startFolder('check no chain');
  after(() => folder.dispose());
  for (const [name, content] of [
    ['a.json', good],
    ['b.json', bad],
    ['c.json', '{}'],
  ] as const)
    writeFileSync(join(folder.path, name), content);

  it('names each draft as not checked, in each format, and exits with 2', async () => {
    const ask = (format: string) =>
      runHere(['check', folder.path, '--endpoint', 'http://127.0.0.1:1', '--format', format]);
    const { out, code } = await ask('json');
    const { drafts, notChecked, notDrafts } = JSON.parse(out);
    assert.deepEqual([drafts, notChecked.length, notDrafts, code], [[], 2, [join(folder.path, 'c.json')], 2]);
    for (const { reason } of notChecked) assert.match(reason, /was not checked: .*127\.0\.0\.1:1/);
    const said = await ask('text');
    assert.deepEqual([said.out, said.code], ['', 2]);
    assert.match(said.error, /a\.json was not checked.*\n.*b\.json was not checked.*\n1 file is not a draft/);
    assert.match((await ask('github')).out, /^::error file=[^:]*a\.json::.*\n::error file=[^:]*b\.json::/);
  });
});

describe('chain-inspector check --fail-on', () => {
  const folder = startFolder('check fail-on');
  after(() => folder.dispose());
  const path = join(folder.path, 'draft.json');
  writeFileSync(
    path,
    draft({ messages: [{ ...spend(coins('1')), memo: 'x' }], metadata: '', deposit: '10000stake,500uosmo' }),
  );

  it('takes warnings for errors where it is wanted', async () => {
    const { out, code } = await runHere(['check', path, '--state', state]);
    assert.match(out, /0 errors, 1 warning/);
    assert.equal(code, 0);
    assert.equal((await runHere(['check', path, '--state', state, '--fail-on', 'warning'])).code, 1);
    assert.equal((await runHere(['check', path, '--state', state, '--fail-on', 'hint'])).code, 64);
  });
});
