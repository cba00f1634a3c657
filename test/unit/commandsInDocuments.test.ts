import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { projectFolder, startFolder } from '../support/folders.ts';
import { runProcess, startProcess } from '../support/processes.ts';
import { readStartOptions } from '../support/startCommand.ts';
import { program, runHere } from './cli/runHere.ts';

/** The lines between fences that run our own commands or DuckDB, and change the folder for them. */
function linesOf(document: string): readonly string[] {
  const text = readFileSync(join(projectFolder, document), 'utf8');
  const fenced = text.split(/^```\w*$/m).filter((_, at) => at % 2 === 1);
  return fenced
    .flatMap((block) => block.split('\n'))
    .filter((line) => /^(?:npm run (?:serve|export)|duckdb|cd) /.test(line));
}

describe('the commands that documents show', () => {
  if (process.platform === 'win32') return;

  for (const [document, expected] of [
    ['README.md', { serve: 1, export: 1, duckdb: 2 }],
    ['docs/stateFiles.md', { serve: 1, export: 0, duckdb: 0 }],
    ['docs/tables.md', { serve: 0, export: 1, duckdb: 2 }],
  ] as const)
    it(`run as they stand in ${document}`, async () => {
      const hasDuckDb = await runProcess('duckdb', ['--version']).then(
        () => true,
        () => false,
      );
      if (!hasDuckDb) console.log(`skipped: the lines of DuckDB in ${document}, which is not installed`);
      const checkout = startFolder('documents');
      // The files of a checkout by which npm finds our scripts. Tables are written beside them.
      for (const name of ['package.json', 'media', 'test'])
        symlinkSync(join(projectFolder, name), join(checkout.path, name));
      const run = { cwd: checkout.path };
      const counts = { export: 0, serve: 0, duckdb: 0 };
      try {
        for (const line of linesOf(document)) {
          const [, command, folder] = /^(?:npm run )?(\w+) (\S+)/.exec(line) ?? [];
          if (command === 'cd' && folder) run.cwd = join(run.cwd, folder);
          else if (command === 'serve') {
            counts.serve++;
            await answers(line, run.cwd);
          } else if (command === 'export') {
            counts.export++;
            assert.match(await runProcess('sh', ['-c', line], run), /^balances\.parquet: [1-9]\d* rows$/m);
          } else {
            counts.duckdb++;
            if (!hasDuckDb) continue;
            const [header = '', ...rows] = (
              await runProcess('sh', ['-c', line.replace('duckdb', 'duckdb -csv')], run)
            ).split('\n');
            assert.ok(header.includes(',') && rows.length > 3, `${line}\n${header}\n${rows.join('\n')}`);
            await runProcess('sh', ['-c', line], run);
          }
        }
        assert.deepEqual({ ...counts, duckdb: Math.min(2, counts.duckdb) }, expected);
      } finally {
        checkout.dispose();
      }
    });

  it('print what README.md and docs/scripts.md show', async () => {
    const texts = ['README.md', 'docs/scripts.md'].map((name) => readFileSync(join(projectFolder, name), 'utf8'));
    const shown = texts.flatMap((text) => [...text.matchAll(/^```\n\$ (chain-inspector .*)\n([\s\S]*?)^```$/gm)]);
    assert.equal(shown.length, 4);
    const run = `"${process.execPath}" dist/commandLine.cjs `;
    for (const [, line = '', output = ''] of shown)
      if (line.includes('|'))
        assert.equal(
          await runProcess('sh', ['-c', line.replace('chain-inspector ', run)], { cwd: projectFolder }),
          output,
        );
      else {
        const { out, ...rest } = await runHere(line.split(' ').slice(1));
        // A key is bound to the path of its source.
        const withoutKey = (text: string) => text.replace(/--key '[\w.-]+'/, '--key KEY');
        assert.deepEqual({ out: withoutKey(out), ...rest }, { out: withoutKey(output), error: '', code: 0 });
      }
  });

  it('start the server that README.md and docs/agents.md give to agents', async () => {
    const [line = '', other] = ['README.md', 'docs/agents.md'].map(
      (name) => /^```json\n(.*mcpServers.*)\n```$/m.exec(readFileSync(join(projectFolder, name), 'utf8'))?.[1],
    );
    assert.equal(other, line);
    const { command, args } = JSON.parse(line).mcpServers['chain-inspector'];
    assert.equal(command, 'chain-inspector');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, ...args] }));
    assert.equal((await client.listTools()).tools.length, 8);
    await client.close();
  });

  it('stand beside links that lead to files', () => {
    const documents = [...globSync('*.md', { cwd: projectFolder }), ...globSync('docs/*.md', { cwd: projectFolder })];
    assert.ok(documents.includes('README.md') && documents.length > 10);
    for (const document of documents) {
      const text = readFileSync(join(projectFolder, document), 'utf8');
      const links = [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path);
      for (const link of links)
        assert.ok(existsSync(join(projectFolder, dirname(document), link)), `${document} leads to ${link}`);
    }
  });

  it('refuse options that they do not have', async () => {
    assert.throws(() => readStartOptions(['--nothing']), /Unknown option '--nothing'/);
    for (const command of ['serve', 'export']) {
      const { error, code } = await runHere([command, '--nothing']);
      assert.match(error, /^Unknown option '--nothing'\./);
      assert.equal(code, 64);
    }
  });
});

/** Every address that a server prints has to answer. */
async function answers(line: string, cwd: string): Promise<void> {
  const server = startProcess('sh', ['-c', line], { cwd });
  try {
    await server.printed(/cosmos\S+\n/, 60_000);
    const addresses = server.output().match(/http:\S+/g) ?? [];
    assert.equal(addresses.length, 3, server.output());
    for (const address of addresses) assert.equal((await fetch(address)).status, 200, address);
  } finally {
    await server.dispose();
  }
}
