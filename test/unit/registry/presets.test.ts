import assert from 'node:assert/strict';

import {
  type ChainFile,
  type Registry,
  toDenomTable,
  toPresets,
  toProposalPage,
  toRestAddresses,
} from '../../../src/registry/buildPresets.ts';

const chain = (chainName: string, rest: Partial<ChainFile> = {}): ChainFile => ({
  chainName,
  chainType: 'cosmos',
  chainId: `${chainName}-1`,
  networkType: 'mainnet',
  apis: { rest: [{ address: `https://rest.${chainName}.example.org` }] },
  ...rest,
});

describe('addresses of presets', () => {
  const urls = (...addresses: string[]) =>
    toRestAddresses(addresses.map((address) => ({ address }))).map((one) => one.url);

  it('are base URLs without a trailing slash, each once', () => {
    assert.deepEqual(
      urls('https://a.example.org/', ' https://a.example.org', 'https://b.example.org:8443/chain/api//'),
      ['https://a.example.org', 'https://b.example.org:8443/chain/api'],
    );
  });

  it('are http or https, nothing else, and carry no credentials and no query', () => {
    assert.deepEqual(
      urls(
        'a.example.org',
        '',
        'ws://a.example.org',
        'javascript:alert(1)',
        'https://me:pw@a.example.org',
        'https://a.example.org?key=1',
      ),
      [],
    );
  });

  it('put https first and drop http where the same host answers https', () => {
    assert.deepEqual(urls('http://old.example.org', 'http://a.example.org', 'https://a.example.org'), [
      'https://a.example.org',
      'http://old.example.org',
    ]);
  });

  it('leave RPC out, unless the address says that it is REST', () => {
    assert.deepEqual(
      urls(
        'https://rpc.example.org',
        'https://x.rpc.example.org:443',
        'http://a-rpc2.example.org',
        'http://1.2.3.4:26657',
      ),
      [],
    );
    const kept = ['https://rest-rpc1.example.org', 'https://rpc.example.org/chain/rest', 'https://mercury.example.org'];
    assert.deepEqual(urls(...kept), kept);
    assert.deepEqual(urls('http://rpc.example.org:1317'), ['http://rpc.example.org:1317']);
  });

  it('keep the name of the provider', () => {
    assert.deepEqual(toRestAddresses([{ address: 'https://a.example.org', provider: ' Heron ' }]), [
      { url: 'https://a.example.org', provider: 'Heron' },
    ]);
  });
});

describe('proposal pages of presets', () => {
  const mark = (path: string, word: string) => `https://${path}/$\{${word}}`;

  it('are what the registry states', () => {
    const explorers = [
      { proposalPage: 'https://a.example.org/governance' },
      { proposalPage: mark('b.example.org/votes', 'proposalId') },
    ];
    assert.equal(toProposalPage(explorers), 'https://b.example.org/votes/{id}');
  });

  it('are derived for ping.pub only, and only where its paths agree', () => {
    const page = (url: string, tx: string) => toProposalPage([{ url, txPage: mark(`${tx}/tx`, 'txHash') }]);
    assert.equal(page('https://ping.pub/fjord/', 'ping.pub/fjord'), 'https://ping.pub/fjord/gov/{id}');
    assert.equal(page('https://ping.pub/fjord', 'ping.pub/fjord-network'), undefined);
    assert.equal(page('https://ping.example.org/fjord', 'ping.example.org/fjord'), undefined);
  });
});

describe('presets', () => {
  const registry: Registry = {
    chains: [
      chain('zephyr', {
        prettyName: 'Zephyr',
        bech32Prefix: 'zep',
        staking: { stakingTokens: [{ denom: 'uzep' }] },
        codebase: { sdk: { version: 'v0.50.9' } },
      }),
      chain('alder', { networkType: 'testnet' }),
      chain('gone', { status: 'killed' }),
      chain('birch', { prettyName: '[DEPRECATED] Birch, will be sunset', networkType: 'testnet' }),
      chain('ether', { chainType: 'eip155' }),
      chain('silent', { apis: { rest: [{ address: 'https://rpc.silent.example.org' }] } }),
    ],
    assetLists: [
      {
        chainName: 'zephyr',
        assets: [
          {
            base: 'uzep',
            display: 'zep',
            symbol: 'ZEP',
            denomUnits: [
              { denom: 'uzep', exponent: 0 },
              { denom: 'zep', exponent: 6 },
            ],
          },
          { base: 'uzep', display: 'zep', symbol: 'TWICE', denomUnits: [{ denom: 'zep', exponent: 3 }] },
          { base: 'ibc/AB', display: 'nowhere', symbol: 'NO', denomUnits: [{ denom: 'ibc/AB', exponent: 0 }] },
          { base: 'cw20:zep1abc', display: 'abc', symbol: 'ABC', denomUnits: [{ denom: 'abc', exponent: 6 }] },
          { base: '0xabc', display: 'abc', symbol: 'ABC', denomUnits: [{ denom: 'abc', exponent: 6 }] },
        ],
      },
      {
        chainName: 'gone',
        assets: [{ base: 'ugone', display: 'ugone', symbol: 'GONE', denomUnits: [{ denom: 'ugone', exponent: 0 }] }],
      },
    ],
  };

  it('are the chains that run and have a REST address, by name', () => {
    const { chains, attribution } = toPresets(registry);
    assert.deepEqual(
      chains.map((one) => one.name),
      ['alder', 'Birch, will be sunset', 'Zephyr'],
    );
    assert.match(attribution, /^CC-BY-4\.0, chain-registry 2\.0\.251, 2026-09-13$/);
    assert.deepEqual(
      chains.map(({ isDeprecated }) => isDeprecated),
      [undefined, true, undefined],
    );
    assert.deepEqual(chains[2], {
      name: 'Zephyr',
      chainId: 'zephyr-1',
      network: 'mainnet',
      bech32Prefix: 'zep',
      sdkVersion: '0.50.9',
      rest: [{ url: 'https://rest.zephyr.example.org' }],
      proposalPage: undefined,
      stakingTokens: [{ denom: 'uzep', symbol: 'ZEP' }],
    });
  });

  it('come with the exponents that are stated, of coins that a bank module can hold', () => {
    assert.deepEqual(toDenomTable(registry, new Set(['zephyr-1', 'alder-1'])), { 'zephyr-1': { uzep: ['ZEP', 6] } });
  });
});
