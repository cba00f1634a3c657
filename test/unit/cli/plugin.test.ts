import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import mcp from '../../../mcp.json' with { type: 'json' };
import manifest from '../../../package.json' with { type: 'json' };
import plugin from '../../../plugin.json' with { type: 'json' };
import server from '../../../server.json' with { type: 'json' };
import { tools } from '../../../src/tools/toolTable.ts';
import { projectFolder } from '../../support/folders.ts';

const skillsFolder = join(projectFolder, 'skills');

describe('the plugin for agents', () => {
  it('starts a server that it ships, by the path that a client puts in', async () => {
    const { command, args } = mcp.mcpServers['chain-inspector'];
    assert.equal(command, 'node');
    const own = args.map((one) => one.replace(/\$\{PLUGIN_ROOT\}/g, projectFolder));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: own }));
    const listed = await client.listTools();
    await client.close();
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
  });

  it('has one version and one name everywhere', () => {
    const [npm] = server.packages;
    assert.deepEqual([plugin.version, server.version, npm?.version], Array(3).fill(manifest.version));
    assert.deepEqual([plugin.name, npm?.identifier], Array(2).fill(manifest.name));
    assert.equal(server.name, manifest.mcpName);
    assert.ok(server.description.length <= 100);
  });

  it('has skills that are named as their folders, and name only tools that there are', () => {
    const names = readdirSync(skillsFolder);
    assert.deepEqual(
      manifest.contributes.chatSkills.map(({ path }) => path),
      names.map((name) => `./skills/${name}/SKILL.md`),
    );
    for (const name of names) {
      const file = join(skillsFolder, name, 'SKILL.md');
      assert.ok(existsSync(file));
      const text = readFileSync(file, 'utf8');
      assert.match(text, new RegExp(`^---\\nname: ${basename(name)}\\ndescription: .{20,1024}\\n---\\n`));
      const called = [...text.matchAll(/`((?:list|get|check|compare)_\w+)`/g)].map(([, tool]) => tool);
      assert.ok(called.length > 5);
      for (const tool of called)
        assert.ok(
          tools.some((one) => one.name === tool),
          tool,
        );
    }
  });
});
