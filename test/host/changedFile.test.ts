import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  activateExtension,
  type HostApi,
  pollUntil,
  showSource,
  treeText,
  workspaceFolder,
} from '../support/hostApi.ts';

const { showInformationMessage } = vscode.window;

/** A state with a proposal in voting, and the supply of its staking denom with this exponent. */
function writeState(file: string, title: string, symbol: string, exponent: number): void {
  const denom_units = [
    { denom: 'ucoin', exponent: 0 },
    { denom: symbol, exponent },
  ];
  const metadata = { base: 'ucoin', display: symbol, symbol, name: symbol, denom_units };
  const supply = [{ denom: 'ucoin', amount: '7000000000000000000' }];
  const bank = { params: {}, balances: [], supply, denom_metadata: [metadata] };
  const proposals = [{ id: '7', title, messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD' }];
  const staking = { params: { bond_denom: 'ucoin' }, validators: [], delegations: [] };
  writeFileSync(file, JSON.stringify({ chain_id: 'x-1', app_state: { bank, gov: { proposals }, staking } }));
}

describe('a state file that changes while it is shown', () => {
  let api: HostApi;
  const file = join(workspaceFolder(), 'changing.json');
  before(async () => {
    api = await activateExtension();
  });
  after(async () => {
    Object.assign(vscode.window, { showInformationMessage });
    await showSource(api, undefined);
    rmSync(file, { force: true });
  });

  it('is offered to be reloaded, and shown whole from the new file then', async () => {
    const asked: string[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: async (text: string, ...buttons: string[]) => {
        asked.push([text, ...buttons].join(' | '));
        return buttons[0];
      },
    });
    writeState(file, 'Old', 'OLD', 6);
    await showSource(api, vscode.Uri.file(file).toString());
    const proposals = () => treeText(api.trees.proposals, (label) => label === 'Voting period');
    const supply = () => treeText(api.trees.supply);
    await pollUntil('the old supply', supply, (text) => text === 'OLD | 7,000,000,000,000');
    assert.match(await proposals(), /#7 Old/);
    writeState(file, 'New', 'NEW', 18);
    await pollUntil('the new supply', supply, (text) => text === 'NEW | 7');
    await pollUntil('the new proposal', proposals, (text) => /#7 New/.test(text));
    assert.deepEqual(asked, ['changing.json changed on disk. | Reload']);
  });
});
