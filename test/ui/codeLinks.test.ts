import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { ibcDenomOf } from '../../src/code/trace.ts';
import { toBech32 } from '../fixtures/addresses.ts';
import { chainData } from '../fixtures/chainData.ts';
import { type ChainParts, chainReplies } from '../support/chainReplies.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { actUntil } from '../support/editorWait.ts';
import { startReplies } from '../support/servers.ts';

const osmo = ibcDenomOf('transfer/channel-141/uosmo');
const unheard = ibcDenomOf('transfer/channel-4/unheardof');
const operator = toBech32('cosmosvaloper', new Uint8Array(20).fill(7));
const factory = `factory/${toBech32('osmo', new Uint8Array(20).fill(7))}/coin`;
const page = 'https://www.mintscan.io/cosmos/proposals/705';
const title = 'Raise the set [run](command:editorDriver.canary)';

/** The answers of a node of the Hub to the requests of a hover. */
const replies: ChainParts['paths'] = {
  '/cosmos/base/tendermint/v1beta1/node_info': { default_node_info: { network: 'cosmoshub-4' } },
  [`/ibc/apps/transfer/v1/denom_traces/${unheard.slice(4)}`]: {
    denom_trace: { path: 'transfer/channel-4', base_denom: 'unheardof' },
  },
  '/cosmos/bank/v1beta1/supply/by_denom': { amount: { denom: unheard, amount: '1234' } },
  '/cosmos/gov/v1beta1/proposals/705': {
    proposal: {
      proposal_id: '705',
      content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title, description: 'D' },
      status: 'PROPOSAL_STATUS_REJECTED',
      final_tally_result: { yes: '6', abstain: '0', no: '60', no_with_veto: '0' },
      voting_end_time: '2022-06-01T10:00:00Z',
    },
  },
};

describe('code', () => {
  let editor: Editor;
  let node: Awaited<ReturnType<typeof startReplies>>;

  before(async () => {
    node = await startReplies(chainReplies({ paths: replies }));
    editor = await startEditor({ settings: { 'terminal.integrated.gpuAcceleration': 'off' } });
    const endpoints = [{ name: 'Cosmos Hub', url: node.url, chain: 'cosmoshub-4' }];
    await editor.setSettings({ 'chainInspector.endpoints': endpoints, 'chainInspector.baseUrl': node.url });
  });
  after(async () => {
    await editor?.dispose();
    await node?.stop();
  });

  async function open(name: string, lines: readonly string[]): Promise<void> {
    const file = join(editor.workspace, name);
    writeFileSync(file, lines.join('\n'));
    await editor.execute('vscode.open', { $uri: `file://${file}` });
    await editor.page
      .locator('.view-line', { hasText: lines[1]?.trim() ?? '' })
      .first()
      .waitFor();
  }

  const openDenoms = () => open('denoms.json', JSON.stringify([osmo, unheard, operator, page], null, 2).split('\n'));

  /** Rests the pointer on a text of the open file; gives the hover once it says what is expected. */
  async function hover(text: string, expected: string | RegExp) {
    const word = editor.page.locator('.view-line', { hasText: text }).first();
    const shown = editor.page.locator('.monaco-hover:visible', { hasText: expected });
    const rest = async () => {
      await editor.page.keyboard.press('Escape');
      await editor.page.mouse.move(5, 5);
      await word.hover({ position: { x: 200, y: 8 } });
    };
    await actUntil(editor.page, rest, `a hover "${expected}"`, () => shown.first().isVisible());
    return shown.first();
  }

  it('shows what a denom is, in both themes', async () => {
    await openDenoms();
    for (const theme of ['light', 'dark'] as const) {
      await editor.setTheme(theme);
      const shown = await hover(osmo, 'Path: transfer/channel-141');
      assert.match(await textOf(shown), /Base denom: uosmo[\s\S]*On Cosmos Hub: OSMO from Osmosis/);
      await editor.screenshot(`code-hover-denom-${theme}`);
      await hover(operator, 'Validator operator address with the prefix cosmos');
      await editor.screenshot(`code-hover-address-${theme}`);
    }
  });

  it('asks the node by the button of a hover, and shows there what it said', async () => {
    await openDenoms();
    const asked = () => node.requests.filter((path) => path.includes('denom_traces'));
    const shown = await hover(unheard, 'does not list its path');
    assert.deepEqual(asked(), []);
    await shown.getByRole('link', { name: 'Ask Cosmos Hub' }).click();
    const answer = editor.page.locator('.monaco-hover:visible', { hasText: 'Base denom: unheardof' });
    await answer.first().waitFor();
    assert.match(await textOf(answer.first()), /Supply on Cosmos Hub: 1,234/);
    assert.equal(asked().length, 1);
    await editor.screenshot('code-hover-asked');
  });

  it('opens the proposal of an explorer’s page, whose title does nothing', async () => {
    await openDenoms();
    const shown = await hover(page, 'Proposal 705 on Cosmos Hub');
    await shown.getByRole('link', { name: 'Ask Cosmos Hub' }).click();
    const answer = editor.page.locator('.monaco-hover:visible', { hasText: 'Status: Rejected' }).first();
    await answer.waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await editor.setTheme(theme);
      const told = await hover(page, 'Status: Rejected');
      assert.equal(await told.getByRole('link', { name: 'run' }).count(), 0);
      await editor.screenshot(`code-hover-proposal-${theme}`);
    }
    await (await hover(page, 'Status: Rejected')).getByRole('link', { name: 'Open in Chain Inspector' }).click();
    await editor.page.locator('.tab', { hasText: '#705 Raise the set' }).waitFor();
    assert.equal((await editor.harm()).canaryRuns, 0);
  });

  it('marks a base of an asset list whose trace does not hash to it', async () => {
    const trace = { type: 'ibc', chain: { path: 'transfer/channel-0/uatom' } };
    const list = JSON.stringify({ assets: [{ base: osmo, traces: [trace] }] }, null, 2);
    await open('assetlist.json', list.split('\n'));
    await editor.page.locator('.squiggly-error').first().waitFor();
    const shown = await hover(osmo, 'does not match its trace');
    assert.match(await textOf(shown), /transfer\/channel-0\/uatom hashes to ibc\/27394FB0/);
    await editor.screenshot('code-asset-list');
  });

  it('opens Go to from a denom that a terminal shows, as simd prints a supply', async () => {
    const coins = [...recorded(), { denom: factory, amount: '5' }, { denom: osmo, amount: '43210' }];
    const lines = coins.flatMap(({ denom, amount }) => [`- amount: "${amount}"`, `  denom: ${denom}`]);
    const head = ['$ simd query bank total', 'pagination:', '  next_key: null', '  total: "0"', 'supply:'];
    await editor.execute('editorDriver.play', [...head, ...lines]);
    const word = (text: string) => editor.page.locator('.xterm-rows span', { hasText: text.slice(0, 20) }).last();
    const isOpen = () => editor.quickInput.widget.isVisible();
    for (const denom of [osmo, factory]) {
      const follow = async () => {
        // A layer over the text takes the pointer.
        const { x, y } = (await word(denom).boundingBox()) ?? { x: 0, y: 0 };
        await editor.page.mouse.move(x + 110, y + 8);
        await editor.page.mouse.move(x + 120, y + 8);
        await editor.page.keyboard.down('Control');
        await editor.page.mouse.down();
        await editor.page.mouse.up();
        await editor.page.keyboard.up('Control');
      };
      await actUntil(editor.page, follow, `Go to ${denom}`, isOpen);
      assert.equal(await editor.quickInput.widget.locator('input').first().inputValue(), denom);
      await editor.screenshot(`code-terminal-${denom.slice(0, 3)}`);
      await editor.quickInput.cancel();
    }
  });
});

const textOf = async (shown: Locator): Promise<string> => (await shown.textContent()) ?? '';

/** The last coins of a recorded supply, where recordings are at hand. */
function recorded(): readonly { readonly denom: string; readonly amount: string }[] {
  const text = chainData()?.text('responses/emeris_cosmoshub_supply_page1.json');
  return text === undefined ? [] : JSON.parse(text).supply.slice(0, 4);
}
