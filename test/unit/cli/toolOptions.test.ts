import assert from 'node:assert/strict';
import { optionName } from '../../../src/cli/cliCommand.ts';
import { commands } from '../../../src/cli/commandLine.ts';
import { toolsByName } from '../../../src/tools/toolTable.ts';
import { sampleFile } from '../../support/folders.ts';
import { runHere } from './runHere.ts';

/** The commands whose options are parameters of a tool. */
const asking = {
  proposals: 'list_proposals',
  supply: 'get_supply',
  validators: 'list_validators',
  compare: 'compare_sources',
} as const;

describe('the options that are parameters of a tool', () => {
  for (const [name, tool] of Object.entries(asking))
    it(`accept the values of ${tool} in ${name}`, () => {
      const { properties } = toolsByName[tool].inputSchema;
      for (const option of commands.get(name)?.options ?? []) {
        const parameter = properties[optionName(option).replaceAll('-', '_')];
        if (parameter?.enum) assert.deepEqual(option[2], parameter.enum, option[0]);
      }
    });

  it('say with --at what has not vested or unbonded by a time', async () => {
    const at = ['supply', 'usample', '--state', sampleFile, '--at', '2026-02-01'];
    const { out, code } = await runHere([...at, '--json']);
    assert.deepEqual([code, JSON.parse(out).schedule.at], [0, '2026-02-01T00:00:00.000Z']);
    const said = await runHere(at);
    assert.match(said.out, /^Schedule\n {2}At +2026-02-01 00:00:00 UTC\n {2}Not vested +0 \(0\)$/m);
    assert.equal((await runHere([...at.slice(0, 4), '--at', 'soon'])).code, 64);
  });

  it('compare with --module the parameters of some modules alone', async () => {
    const { out } = await runHere(['compare', 'sample', sampleFile, '--module', 'gov,mint', '--json']);
    const { counts, metadata } = JSON.parse(out);
    assert.deepEqual([Object.keys(counts), metadata.total], [['params'], 0]);
  });
});
