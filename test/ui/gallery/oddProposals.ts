import type { GalleryCase } from './galleryState.ts';

const textType = '/cosmos.gov.v1beta1.TextProposal';
const forty = '9'.repeat(40);

const base = {
  content: { '@type': textType, title: 'A title', description: 'A description.' },
  status: 'PROPOSAL_STATUS_PASSED',
  final_tally_result: { yes: '800', abstain: '100', no: '90', no_with_veto: '10' },
  submit_time: '2025-11-14T09:12:00Z',
  deposit_end_time: '2025-11-28T09:12:00Z',
  total_deposit: [{ denom: 'usample', amount: '512000000' }],
  voting_start_time: '2025-11-14T09:12:00Z',
  voting_end_time: '2025-11-28T09:12:00Z',
};

const text = (title: string, description: string) => ({ content: { '@type': textType, title, description } });
const tally = (yes: string, abstain: string, no: string, veto: string) => ({
  final_tally_result: { yes, abstain, no, no_with_veto: veto },
});
const rejected = { status: 'PROPOSAL_STATUS_REJECTED' };
const noTimes = { submit_time: null, deposit_end_time: null, voting_start_time: null, voting_end_time: null };

const longDescription = Array.from(
  { length: 900 },
  (_, at) =>
    `## Part ${at + 1}\n\nSome **words** about part ${at + 1}, [a link](https://part${at}.example.org/) and \`code\`. ${'More of it. '.repeat(12)}`,
).join('\n\n');

const markdown = [
  '# The whole of markdown',
  'Plain, *slanted*, **strong**, ~~gone~~ and `code`. A line\nbreak.',
  '- one\n- two\n  1. three\n  2. four',
  '> Quoted\n> twice',
  '| Option | Votes |\n|---|---:|\n| Yes | 1,200 |\n| No | 7 |',
  '```json\n{ "a": 1 }\n```',
  'A bare https://bare.example.org/path?a=1&b=2, an <https://angle.example.org>, [a named one](https://named.example.org "title"),',
  '[https://google.com](https://evil.example.org), ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/paper.pdf,',
  '![an image](https://image.example.org/a.png), [mail](mailto:gov@example.org), [nowhere](/relative), <b>no HTML</b> &amp; entities &lt;i&gt;.',
  '---',
  'The end.',
].join('\n\n');

/** Proposals that no sample of believable ones holds. */
export function oddProposals(): readonly GalleryCase[] {
  const odd: Readonly<Record<string, object>> = {
    'null content': { content: null },
    'no title': text('', 'A description.'),
    'a message as content': {
      content: {
        '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
        authority: 'sample10d07y265gmmuvt4z0w9aw880jnsr700jd6p7nf',
        plan: {
          name: 'v9',
          height: '123456',
          info: 'plain words',
          time: '0001-01-01T00:00:00Z',
          upgraded_client_state: null,
        },
      },
    },
    'a message that updates parameters': {
      content: {
        '@type': '/cosmos.staking.v1beta1.MsgUpdateParams',
        authority: 'sample10d07y265gmmuvt4z0w9aw880jnsr700jd6p7nf',
        params: { unbonding_time: '1814400s', max_validators: 200, historical_entries: 10000, bond_denom: 'usample' },
      },
    },
    'no times': noTimes,
    '40-digit amounts': {
      ...tally(forty, forty, forty, forty),
      total_deposit: [
        { denom: 'usample', amount: forty },
        { denom: `factory/${'x'.repeat(60)}/y`, amount: forty },
      ],
    },
    'an unknown type': {
      content: {
        type_url: '/some.chain.v1.NobodyKnowsProposal',
        value: Buffer.from(
          '0a055469746c65120b4465736372697074696f6e1a0431323334220808011204646565702a02fffe3096013a0568656c6c6f',
          'hex',
        ).toString('base64'),
      },
    },
    'broken bytes': {
      content: {
        type_url: '/cosmos.params.v1beta1.ParameterChangeProposal',
        value: Buffer.from(
          '0a055469746c65120b4465736372697074696f6e1a170a077374616b696e67120d4d617856616c69640a',
          'hex',
        ).toString('base64'),
      },
    },
    'no base64': { content: { type_url: textType, value: 'CgVUaXRsZQ==!!! not base64' } },
    'an unknown type as JSON': {
      content: {
        '@type': '/some.chain.v1.OtherProposal',
        title: 'T',
        description: 'D',
        list: [{ a: '1', b: [] }, {}],
        on: true,
        none: null,
        empty: '',
      },
    },
    'a type that does not look like it says': {
      content: {
        '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
        title: 'T',
        description: 'D',
        changes: 'none',
      },
    },
    'hostile HTML': text(
      '<img src=x onerror=alert(1)><script>alert(2)</script>',
      '<script>alert(3)</script>\n\n<iframe src="https://evil.example.org"></iframe>\n\n<svg onload=alert(4)>\n\n<a href="javascript:alert(5)">here</a>',
    ),
    'hostile markdown': text(
      '**strong** [title](https://evil.example.org)',
      '[a](javascript:alert(1)) [b](command:workbench.action.quit) [c](vscode:extension/x.y) [d](data:text/html,x)\n\n![e](javascript:alert(2))\n\n[f]: javascript:alert(3)\n\n[f] <javascript:alert(4)>\n\n[ok\u202emoc.elgoog](https://evil.example.org)',
    ),
    'bidi and invisible characters': text(
      'Send to \u202egnp.exe\u202c or \u2066there\u2069 zero\u200bwidth',
      'שלום עולם, a Hebrew start.\n\nEnglish with مرحبا بالعالم inside, and \u202ereversed\u202c.\n\n`code \u2067here\u2069`',
    ),
    'airdrop phishing': text(
      'ATOM Airdrop for stakers',
      'Claim your airdrop now: connect your wallet at https://atom-airdrop.example.com before it ends!',
    ),
    'quoted line breaks': text('Quoted', '# Why\\n\\nBecause \\"this\\".\\n\\n- one\\n- two'),
    'Windows line ends': text('Lines', 'One\r\n\r\nTwo\rThree'),
    'the whole of markdown': text('Markdown', markdown),
    'a long description': text('Long', longDescription),
    'a long title': text('Title '.repeat(60), 'D'),
    'a description of one very long word': text('Word', 'x'.repeat(3_000)),
    'an empty tally': { ...rejected, ...tally('0', '0', '0', '0') },
    'no tally': { final_tally_result: null },
    'all abstain': { ...rejected, ...tally('0', '1000', '0', '0') },
    'a tie at the threshold': { ...rejected, ...tally('500', '100', '400', '100') },
    'one unit over the threshold': tally('501', '0', '500', '0'),
    'exactly at the veto limit': tally('666', '0', '0', '334'),
    'one unit over the veto limit': { ...rejected, ...tally('665', '0', '0', '335') },
    'rejected though every known rule is met': { ...rejected, ...tally('999', '1', '0', '0') },
    'passed against the parameters of today': tally('400', '0', '600', '0'),
    'a status that nobody knows': { status: 'PROPOSAL_STATUS_UNSPECIFIED' },
    'a deposit in other denoms': {
      status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD',
      ...tally('0', '0', '0', '0'),
      total_deposit: [
        { denom: 'uother', amount: '5' },
        { denom: 'usample', amount: '1' },
      ],
      voting_start_time: '0001-01-01T00:00:00Z',
      voting_end_time: '0001-01-01T00:00:00Z',
      deposit_end_time: '2026-01-03T09:12:00Z',
    },
    'no deposit': {
      status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD',
      ...tally('0', '0', '0', '0'),
      total_deposit: [],
      voting_start_time: null,
      voting_end_time: null,
      deposit_end_time: '2026-01-03T09:12:00Z',
    },
    'a tally while voting, from a first round': {
      status: 'PROPOSAL_STATUS_VOTING_PERIOD',
      ...tally('10', '0', '20', '0'),
      voting_start_time: '2025-12-30T09:12:00Z',
      voting_end_time: '2026-01-13T09:12:00Z',
    },
    'a mebibyte of byte code': {
      content: {
        '@type': '/cosmwasm.wasm.v1.StoreCodeProposal',
        title: 'Store a contract',
        description: 'D',
        run_as: 'sample10d07y265gmmuvt4z0w9aw880jnsr700jd6p7nf',
        wasm_byte_code: Buffer.alloc(1 << 20, 'code').toString('base64'),
      },
    },
  };
  return Object.entries(odd).map(([name, changes]) => ({ name, form: 'v1beta1', proposal: { ...base, ...changes } }));
}
