import { strict as assert } from 'node:assert';
import { addressOf, type Coins, escrowOf, openChannel, startCoinNode } from '../fixtures/nodeSimulator/coinNode.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { PanelScreen, type ThemeName, themes } from './gallery/panelScreen.ts';

const modules = ['bonded_tokens_pool', 'not_bonded_tokens_pool', 'distribution', 'gov'] as const;
const amounts = { bonded_tokens_pool: 240_876, not_bonded_tokens_pool: 12_816, distribution: 8_423, gov: 51 } as const;
const channels = Array.from({ length: 12 }, (_, at) => openChannel(`channel-${at}`, `channel-${at * 7}`));
const hostile = 'factory/cosmos1qqqq/<img src=x onerror=alert(1)>';

/** Base units of an amount in thousands. */
const base = (thousands: number) => String(BigInt(thousands) * 1_000_000_000n + 19n);

/** Balances of every class, in a state and on a node. */
function accounts(): { address: string; coins: { denom: string; amount: string }[] }[] {
  const uatom = (name: string, thousands: number) => ({
    address: name,
    coins: [{ denom: 'uatom', amount: base(thousands) }],
  });
  return [
    ...modules.map((name) => uatom(addressOf(name), amounts[name])),
    ...channels.map((one, at) => uatom(escrowOf(one.channel_id), 9_000 - at * 700)),
    uatom(addressOf('contract', 32), 4_100),
    uatom(addressOf('vesting'), 24_392),
    uatom(addressOf('operator'), 3_000),
    ...Array.from({ length: 20 }, (_, at) => uatom(addressOf(`user ${at}`), 4_000 + at)),
  ];
}

function stateText(): string {
  const balances = accounts();
  const sum = balances.reduce((whole, { coins }) => whole + BigInt(coins[0]?.amount ?? 0), 0n);
  const vesting = {
    '@type': '/cosmos.vesting.v1beta1.PermanentLockedAccount',
    base_vesting_account: {
      base_account: { address: addressOf('vesting') },
      original_vesting: [{ denom: 'uatom', amount: base(20_000) }],
      delegated_free: [],
      delegated_vesting: [],
      end_time: '0',
    },
  };
  const metadata = {
    base: 'uatom',
    display: 'atom',
    symbol: 'ATOM',
    name: 'Cosmos Hub Atom',
    description: 'The native staking token of <b>the Hub</b> [here](command:evil)',
    denom_units: [
      { denom: 'uatom', exponent: 0 },
      { denom: 'atom', exponent: 6 },
    ],
  };
  // Anyone may give a denom of a factory the symbol of another one.
  const units = [
    { denom: hostile, exponent: 0 },
    { denom: 'atom', exponent: 6 },
  ];
  const borrowed = { ...metadata, base: hostile, denom_units: units };
  const validator = {
    operator_address: addressOf('operator', 20, 'cosmosvaloper'),
    tokens: base(amounts.bonded_tokens_pool),
    status: 'BOND_STATUS_BONDED',
    jailed: false,
    delegator_shares: '1',
    description: { moniker: 'Lantern & Sons' },
    commission: { commission_rates: { rate: '0.05' } },
  };
  return JSON.stringify({
    chain_id: 'lantern-1',
    initial_height: '21930112',
    genesis_time: '2026-11-22T13:02:00Z',
    app_state: {
      auth: { accounts: [vesting] },
      bank: {
        supply: [
          { denom: hostile, amount: '7' },
          { denom: 'uatom', amount: String(sum) },
        ],
        balances,
        denom_metadata: [metadata, borrowed],
      },
      staking: { params: { bond_denom: 'uatom' }, validators: [validator], delegations: [] },
      distribution: {
        fee_pool: { community_pool: [{ denom: 'uatom', amount: '7511204000000.250000000000000000' }] },
        outstanding_rewards: [
          {
            validator_address: validator.operator_address,
            outstanding_rewards: [{ denom: 'uatom', amount: '912338000000.500000000000000000' }],
          },
        ],
      },
      ibc: { client_genesis: { clients: [] }, channel_genesis: { channels } },
      wasm: { contracts: [{ contract_address: addressOf('contract', 32) }] },
    },
  });
}

function coinsOfNode(): Coins {
  return {
    balances: new Map(
      accounts().map(({ address, coins }) => [
        address,
        new Map(coins.map(({ denom, amount }) => [denom, BigInt(amount)] as const)),
      ]),
    ),
    modules: modules.map((name) => [name, addressOf(name)] as const),
    channels,
    communityPool: '7511204000000.250000000000000000',
  };
}

describe('the page of a denom', () => {
  let editor: Editor;
  let screen: PanelScreen;

  before(async () => {
    editor = await startEditor();
    screen = new PanelScreen(editor);
    await editor.openContainer('Chain Inspector');
    await screen.showState('lantern.json', stateText());
    await editor.tree('Supply').click('ATOM');
    await screen.page.getByRole('table', { name: 'Largest holders' }).waitFor();
  });

  after(() => editor?.dispose());

  it('answers at first glance, whatever the width', async () => {
    for (const width of [1280, 400, 300]) {
      // Before there is no room for it: it would come back as narrow as it was made.
      if (width === 400) await editor.execute('workbench.action.closeSidebar');
      await editor.page.setViewportSize({ width, height: 800 });
      for (const place of ['h1', '.ends', '.overview .bar', '.legend']) {
        const bottom = await screen.page
          .locator(place)
          .first()
          .evaluate((one) => one.getBoundingClientRect().bottom);
        assert(bottom <= 700, `${place} ends at ${bottom} in a window of ${width} pixels`);
      }
      assert.equal(await screen.overflow(), 0, `${width} pixels`);
    }
    await editor.page.setViewportSize({ width: 1280, height: 900 });
    await editor.openContainer('Chain Inspector');
    await editor.until(
      'the chain in the title of the tab',
      () => editor.tabs(),
      (tabs) => tabs.join() === 'ATOM · lantern-1',
    );
  });

  it('breaks no word of a class at 300 pixels', () =>
    at300Pixels(async () => {
      const isBroken = () =>
        screen.page
          .locator('table tbody tr > :first-child span:not(.swatch)')
          .evaluateAll((all) =>
            all.filter((one) => /^\w+$/.test(one.textContent ?? '') && one.getClientRects().length > 1),
          )
          .then((broken) => broken.length);
      await editor.until('whole words', isBroken, (count) => count === 0);
    }));

  it('ends all shares of a table at the same place at 300 pixels', () =>
    at300Pixels(async () => {
      const shares = screen.page.getByRole('table', { name: 'Supply split' }).locator('tbody td:nth-child(2) span');
      const ends = () => shares.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
      await editor.until('shares that end at one place', ends, (places) => new Set(places).size === 1);
    }));

  /** Runs `look` while the page has a window of 300 pixels for itself. */
  async function at300Pixels(look: () => Promise<void>): Promise<void> {
    await editor.execute('workbench.action.closeSidebar');
    await editor.page.setViewportSize({ width: 300, height: 800 });
    await look();
    await editor.page.setViewportSize({ width: 1280, height: 900 });
    await editor.openContainer('Chain Inspector');
  }

  it('says where the coins are, and who holds most', async () => {
    const text = await screen.text();
    assert.match(text, /heading "ATOM uatom" \[level=1\]/);
    assert.match(text, /row "Bonded bonded_tokens_pool \d+\.\d\d % 240,876,000"/);
    assert.match(text, /row "IBC escrow transfer\/channel-0 to transfer\/channel-0 /);
    assert.match(text, /row "IBC escrow 7 other channels /);
    assert.match(text, /row "Vesting, locked not vested .* 20,000,000"/);
    assert.doesNotMatch(text, /row "Residue/);
    const largest = screen.page.getByRole('table', { name: 'Largest holders' });
    assert.equal(await largest.locator('tbody tr').count(), 10);
    await screen.page.getByText('In the distribution module').click();
    await screen.page.getByText('7,511,204.00000025').waitFor();
    await screen.page.getByText('7 other channels').last().click();
    await screen.page.getByText('transfer/channel-11').waitFor();
  });

  it('copies, and watches and stops to', async () => {
    await screen.copy('Copy Denom', /^uatom$/);
    await screen.copy('Copy Amount', /^\d{15,}$/);
    await screen.copy(
      'Copy as TSV',
      /^denom\tclass\tname\tamount\nuatom\tmodule\tbonded_tokens_pool\t240876000000019\n/,
    );
    await screen.copy('Copy as JSON', /"class": "residue"/);
    await screen.watchAndUnwatch();
    assert.equal(await screen.action('Show at Block Height…').count(), 0, 'a state has one height');
  });

  it('reads again by key', async () => {
    await screen.heading.click();
    await screen.markRead();
    await editor.page.keyboard.press('Control+r');
    await screen.wasRead();
  });

  it('gives axe nothing to find in four themes', async () => {
    const found: string[] = [];
    for (const theme of Object.keys(themes).filter((one): one is ThemeName => one in themes)) {
      await screen.wear(theme);
      await editor.screenshot(`denom-${theme}-1280`);
      for (const violation of await screen.axe(theme === 'light' ? 'all' : 'contrast'))
        found.push(`${theme}: ${violation}`);
    }
    await editor.execute('workbench.action.closeSidebar');
    // A part that sticks out does so in each theme. The other theme is for its picture.
    const narrow: readonly ThemeName[] = process.env.SCREENSHOTS === '0' ? ['light'] : ['dark', 'light'];
    for (const theme of narrow) {
      await screen.wear(theme);
      for (const width of [300, 400]) {
        await editor.page.setViewportSize({ width, height: 1400 });
        await editor.until(
          `a page of ${width} pixels`,
          () => screen.page.locator('body').evaluate((body) => body.ownerDocument.defaultView.innerWidth),
          (inner) => inner <= width,
        );
        await editor.screenshot(`denom-${theme}-${width}`);
        if ((await screen.overflow()) > 0) found.push(`sticks out at ${width} pixels`);
      }
    }
    await editor.page.setViewportSize({ width: 1280, height: 900 });
    await editor.openContainer('Chain Inspector');
    assert.deepEqual(found, []);
  });

  it('shows the denom of a stranger as text', async () => {
    await editor.execute('editorDriver.closeEditors');
    await editor.quickInput.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.waitFor(/^Go to proposal or denom on /);
    await editor.quickInput.type(hostile);
    await editor.quickInput.accept();
    await screen.page.getByText('Factory denom').waitFor();
    assert.equal(await screen.page.locator('img').count(), 0);
    assert.doesNotMatch((await editor.tabs()).join(), /^ATOM/);
    await editor.execute('editorDriver.closeEditors');
  });

  it('asks a node with progress, stops, goes on, and shows another height', async () => {
    let balances = 0;
    let isOpen = false;
    const held: (() => void)[] = [];
    const gate = (path: string) => {
      const isHeld = path.includes('/balances/') && ++balances > 3 && !isOpen;
      return isHeld ? new Promise<void>((resolve) => held.push(resolve)) : undefined;
    };
    const node = await startCoinNode(coinsOfNode(), { gate });
    try {
      await editor.setSettings({ 'chainInspector.baseUrl': `${node.url}/cosmos` });
      await editor.tree('Supply').click('uatom');
      await screen.page.getByText('Loading module accounts and escrows: 3 of 16').waitFor();
      await editor.screenshot('denom-node-progress');
      await screen.page.getByRole('button', { name: 'Stop' }).click();
      const goOn = screen.page.getByRole('button', { name: 'Continue' });
      // One answer after the other: with all of them told, a busy editor would stop too late.
      const answering = setInterval(() => held.shift()?.(), 500);
      await goOn.waitFor().finally(() => clearInterval(answering));
      isOpen = true;
      assert.match(await screen.text(), /stopped after transfer\/channel-\d+, so the rest is counted as other/);
      await goOn.click();
      // The button gives way to the progress first.
      await screen.page.getByText('includes vesting accounts and contracts').waitFor();
      assert.match(await screen.text(), /Nodes do not list holders/);
      await editor.screenshot('denom-node');
      await screen.press('Show at Block Height…', () => editor.quickInput.widget.isVisible());
      await editor.quickInput.waitFor(/at block height/);
      await editor.quickInput.type('900');
      await editor.quickInput.accept();
      await screen.page.locator('.over').getByText('at height 900').waitFor();
      await screen.page.getByRole('table', { name: 'Supply split' }).waitFor();
      assert.ok(node.seen.includes('900'));
      const past = screen.page.locator('.over').getByText('at height 900');
      await screen.press('Show Latest Block', () => past.isHidden());
    } finally {
      await editor.setSettings({ 'chainInspector.baseUrl': '' });
      await node.stop();
    }
  });
});
