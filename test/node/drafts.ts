import { type Fields, isFields } from '../../src/chain/fields.ts';
import { parseJson } from '../../src/chain/json.ts';
import type { ChainFacts } from '../../src/draft/chainFacts.ts';
import { addresses, moduleAddresses } from './accounts.ts';
import type { Features } from './build.ts';

/** A draft that a node is asked about: a good one, or one with a single mistake. */
export interface DraftCase {
  readonly name: string;
  readonly text: string;
}

/** The answer of a node to a simulated submission, and the outcome of a proposal that was put to the vote. */
export interface DraftAnswer extends DraftCase {
  readonly status: number;
  /** The node's sentence; "" where it took the draft. */
  readonly message: string;
  /** `proposal_passed` or `proposal_failed`, where the proposal was really submitted and voted for. */
  readonly executed?: string;
  /** The parameters of the module after it had passed. */
  readonly after?: Fields;
}

type Draft = Readonly<Record<string, unknown>>;
/** A mistake: the name of it, and what it makes of a draft; undefined where the draft has no such part. */
type Mistake = readonly [name: string, make: (draft: Draft) => Draft | undefined];

const authority = moduleAddresses.gov;
const { erin: someone } = addresses;
const foreign = 'osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp';
const deposit = '10000stake,500uosmo';
const expeditedDeposit = '100000stake,5000uosmo';
const coins = (amount: unknown, denom = 'stake') => [{ denom, amount }];

/** The source of the drafts: today's parameters, in the form of the module and in the old one. */
type Params = Pick<ChainFacts, 'moduleParams' | 'legacyParams'>;

const legacy = (content: Fields) => ({ '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority });
const words = { title: 'Old', description: 'Old form' };
const plan = { name: 'v9', time: '0001-01-01T00:00:00Z', height: '100000000', info: '' };
const spend = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  authority,
  recipient: someone,
  amount: coins('1'),
};

const { '@type': _type, authority: _authority, ...paid } = spend;
const oldSpend = { '@type': '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal', ...words, ...paid };

/** Drafts that a node of this version takes. */
function goodDrafts({ moduleParams }: Params, { titles }: Features): readonly (readonly [string, Draft])[] {
  const of = (name: string, ...messages: readonly Fields[]): readonly [string, Draft] => [
    name,
    titles
      ? { messages, metadata: '', deposit, title: name, summary: `About ${name}`, expedited: false }
      : { messages, metadata: '', deposit },
  ];
  const upgrade = { '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority, plan };
  const cancel = { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority };
  const send = {
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    from_address: authority,
    to_address: someone,
    amount: coins('1'),
  };
  const inMetadata = JSON.stringify({ title: 'words', summary: 'About words' });
  const text = legacy({ '@type': '/cosmos.gov.v1beta1.TextProposal', ...words });
  const common = [
    ['words', { ...of('words')[1], metadata: inMetadata }] as const,
    of('upgrade', upgrade),
    of('cancel', cancel),
    of('send', send),
    of('legacy', text),
    ['legacyText', { ...words, type: 'Text', deposit }] as const,
  ];
  if (!titles) {
    const oldUpgrade = legacy({ '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal', ...words, plan });
    return [
      ...common,
      of('two', upgrade, text),
      of('oldUpgrade', oldUpgrade),
      of('oldSpend', legacy(oldSpend)),
      ['legacySpend', { ...words, ...paid, amount: '1stake', deposit }],
    ];
  }
  const modules = [...moduleParams].map(([module, { version: _, ...own }]) => {
    const fields = module === 'cosmos.consensus.v1' ? { ...own, abci: undefined } : { params: own };
    return of(module, { '@type': `/${module}.MsgUpdateParams`, authority, ...fields });
  });
  return [
    ...common,
    of('spend', spend),
    of('two', spend, upgrade),
    ['fast', { ...of('fast', spend)[1], expedited: true, deposit: expeditedDeposit }],
    ...modules,
  ];
}

/** Drafts that a node of another version takes: SDK 0.47 has new messages, and no handler of spends in the old form. */
function foreignCases({ titles }: Features): readonly (readonly [string, Draft])[] {
  const common = { metadata: '', deposit };
  if (!titles) return [['spend: of SDK 0.47', { messages: [spend], ...common }]];
  return [
    ['oldSpend: of SDK 0.46', { messages: [legacy(oldSpend)], ...common, title: 'T', summary: 'S' }],
    ['legacySpend: of SDK 0.46', { ...words, ...paid, amount: '1stake', deposit }],
  ];
}

/** Old parameters that a chain may have (ParamSetPairs of the SDK's modules), and some that none has. */
export const legacyKeys: Readonly<Record<string, readonly string[]>> = {
  auth: ['MaxMemoCharacters', 'TxSigLimit', 'TxSizeCostPerByte', 'SigVerifyCostED25519', 'SigVerifyCostSecp256k1'],
  bank: ['SendEnabled', 'DefaultSendEnabled'],
  baseapp: ['BlockParams', 'EvidenceParams', 'ValidatorParams'],
  crisis: ['ConstantFee'],
  distribution: ['communitytax', 'baseproposerreward', 'bonusproposerreward', 'withdrawaddrenabled', 'community_tax'],
  gov: ['depositparams', 'votingparams', 'tallyparams'],
  mint: ['MintDenom', 'InflationRateChange', 'InflationMax', 'InflationMin', 'GoalBonded', 'BlocksPerYear'],
  slashing: ['SignedBlocksWindow', 'MinSignedPerWindow', 'DowntimeJailDuration', 'SlashFractionDowntime'],
  staking: ['UnbondingTime', 'MaxValidators', 'HistoricalEntries', 'BondDenom', 'max_validators', 'Nothing'],
  nothing: ['x'],
};

/** The text in place of a value of an old parameter. Undefined if it has no such form. */
const valueMistakes: Readonly<Record<string, (today: string) => string | undefined>> = {
  'as it is': (today) => today,
  'as words': () => '"many words"',
  'as a number': () => '3.5',
  'as an object': () => '{"x":1}',
  'as true': () => 'true',
  'without quotes': (today) => /^"(.*)"$/.exec(today)?.[1],
  'in quotes': (today) => (today.startsWith('"') ? undefined : JSON.stringify(today)),
};

/** Changes of old parameters, as the file of the command line and as a message. */
function changeCases({ legacyParams }: Params, { titles }: Features): readonly (readonly [string, Draft])[] {
  return [...legacyParams].flatMap(([name, value]) => {
    const [subspace = '', key = ''] = name.split('/');
    return Object.entries(valueMistakes).flatMap(([mistake, write]) => {
      const written = write(value || '"1"');
      if (written === undefined) return [];
      const content = { '@type': '/cosmos.params.v1beta1.ParameterChangeProposal', ...words };
      const message = legacy({ ...content, changes: [{ subspace, key, value: written }] });
      const titled = titles ? { title: 'Old', summary: 'Old form' } : {};
      const inMessage = { messages: [message], metadata: '', deposit, ...titled };
      const ofFile = parseJson(written);
      const inFile = { ...words, changes: [{ subspace, key, value: ofFile }], deposit };
      const file = ofFile === undefined ? [] : [[`file of ${name}: ${mistake}`, inFile] as const];
      return [[`message of ${name}: ${mistake}`, inMessage] as const, ...file];
    });
  });
}

/** A mistake of drafts of messages, which files of legacy proposals cannot have. */
const ofMessages = (name: string, make: (draft: Draft) => Draft): Mistake => [
  name,
  (draft) => ('messages' in draft ? make(draft) : undefined),
];

const set = (name: string, value: unknown): Mistake => [
  `${name} ${JSON.stringify(value)?.slice(0, 60)}`,
  (draft) => ('messages' in draft || name in draft ? { ...draft, [name]: value } : undefined),
];

/** Changes the first message. */
const inMessage = (name: string, change: (message: Fields) => Fields | undefined): Mistake => [
  name,
  (draft) => {
    const [first, ...others] = Array.isArray(draft.messages) ? draft.messages : [];
    const changed = isFields(first) ? change(first) : undefined;
    return changed && { ...draft, messages: [changed, ...others] };
  },
];

const inPlan = (name: string, more: Fields): Mistake =>
  inMessage(`plan ${name}`, (message) =>
    isFields(message.plan) ? { ...message, plan: { ...message.plan, ...more } } : undefined,
  );

/** Changes the content in the first message, where it has this field. */
const inContent = (name: string, more: Fields, field = 'description'): Mistake =>
  inMessage(`content with ${name}`, (message) =>
    isFields(message.content) && field in message.content
      ? { ...message, content: { ...message.content, ...more } }
      : undefined,
  );

/** Changes the file of a legacy proposal, where it has this field. */
const ofFile = (name: string, more: Fields, field = 'description'): Mistake => [
  `file with ${name}`,
  (draft) => (field in draft ? { ...draft, ...more } : undefined),
];

const where = (field: string, value: unknown): Mistake =>
  inMessage(`${field} ${JSON.stringify(value)?.slice(0, 60)}`, (message) =>
    field in message ? { ...message, [field]: value } : undefined,
  );

/** Mistakes that any draft can have. */
const mistakes: readonly Mistake[] = [
  set('title', ''),
  set('summary', ''),
  ofMessages('no title', ({ title: _, ...draft }) => draft),
  ofMessages('no summary', ({ summary: _, ...draft }) => draft),
  set('title', 'x'.repeat(256)),
  set('summary', 'x'.repeat(10_201)),
  set('metadata', 'x'.repeat(256)),
  set('metadata', '{}'),
  set('metadata', 'ipfs://CID'),
  ofMessages('metadata with another title', ({ summary, ...draft }) => ({
    ...draft,
    summary,
    metadata: JSON.stringify({ title: 'x', summary }),
  })),
  ofMessages('metadata with another summary', ({ title, ...draft }) => ({
    ...draft,
    title,
    metadata: JSON.stringify({ title, summary: 'x' }),
  })),
  ofMessages('metadata whose authors are one text', (draft) => ({ ...draft, metadata: '{"title":"x","authors":"a"}' })),
  set('deposit', ''),
  set('deposit', '99stake'),
  set('deposit', '10000uatom'),
  set('deposit', '10000stake,1uatom'),
  ['expedited with the usual deposit', (draft) => (draft.expedited ? { ...draft, deposit: '999stake' } : undefined)],
  ofMessages('nothing', (draft) => ({ ...draft, messages: [], metadata: '' })),
  where('authority', someone),
  where('authority', ''),
  where('authority', foreign),
  inMessage('no authority', ({ authority: _, ...message }) => message),
  inMessage('no type', ({ '@type': _, ...message }) => message),
  inMessage('type without a slash', (message) => ({ ...message, '@type': String(message['@type']).slice(1) })),
  inMessage('unknown type', (message) => ({ ...message, '@type': '/unknown.v1.MsgNothing' })),
  inMessage('unknown field', (message) => ({ ...message, unknown_field: 'x' })),
  where('recipient', 'cosmos1abc'),
  where('recipient', foreign),
  where('amount', coins('99999999999')),
  where('amount', coins('1', 'unheard')),
  where('amount', coins(5)),
  inPlan('height 1', { height: '1' }),
  inPlan('height 0', { height: '0' }),
  inPlan('height without quotes', { height: 100_000_000 }),
  inPlan('name ""', { name: '' }),
  inPlan('time', { time: '2100-01-01T00:00:00Z' }),
  where('to_address', 'cosmos1abc'),
  where('to_address', foreign),
  inContent('title ""', { title: '' }),
  inContent('description ""', { description: '' }),
  inContent('title of 141 letters', { title: 'x'.repeat(141) }),
  inContent('description of 10,001 letters', { description: 'x'.repeat(10_001) }),
  inContent('amount over the pool', { amount: coins('99999999999') }, 'amount'),
  inContent('recipient of another chain', { recipient: foreign }, 'recipient'),
  inContent('height 1', { plan: { ...plan, height: '1' } }, 'plan'),
  inContent('height 0', { plan: { ...plan, height: '0' } }, 'plan'),
  inContent('plan without a name', { plan: { ...plan, name: '' } }, 'plan'),
  inContent('unknown type', { '@type': '/cosmos.unknown.v1.NothingProposal' }),
  ofFile('description ""', { description: '' }),
  ofFile('title of 141 letters', { title: 'x'.repeat(141) }),
  ofFile('description of 10,001 letters', { description: 'x'.repeat(10_001) }),
  ofFile('amount over the pool', { amount: '99999999999stake' }, 'amount'),
  ofFile('amount without a denom', { amount: '5' }, 'amount'),
  ofFile('recipient of another chain', { recipient: foreign }, 'recipient'),
  ofFile('recipient that is none', { recipient: 'cosmos1abc' }, 'recipient'),
  inMessage('content alone', ({ content }) => (isFields(content) ? content : undefined)),
  where('params', {}),
  inMessage('no params', ({ params, ...message }) => (params === undefined ? undefined : message)),
];

/** Each parameter left out, of another type, and in a form that it cannot have. */
function paramMistakes(params: Fields): readonly Mistake[] {
  const change = (name: string, make: (own: Fields) => Fields) =>
    inMessage(name, (message) => {
      if (isFields(message.params)) return { ...message, params: make(message.params) };
      // The consensus has them beside the authority.
      return Object.keys(params).some((field) => field in message) ? make(message) : undefined;
    });
  return Object.keys(params).flatMap((field) => [
    change(`${field} left out`, ({ [field]: _, ...own }) => own),
    change(`${field} as an object`, (own) => ({ ...own, [field]: { x: 1 } })),
    change(`${field} as words`, (own) => ({ ...own, [field]: 'many words' })),
    change(`${field} as a number`, (own) => ({ ...own, [field]: 3.5 })),
  ]);
}

/** Good drafts for a chain with these parameters, each of them with each mistake that it can have, and changes of old parameters. */
export function draftCases(params: Params, features: Features): readonly DraftCase[] {
  const write = (draft: Draft) => JSON.stringify(draft, null, 1);
  const cases = goodDrafts(params, features).flatMap(([name, good]) => {
    const own = [...mistakes, ...paramMistakes(params.moduleParams.get(name) ?? {})];
    const wrong = own.flatMap(([mistake, make]): readonly (readonly [string, Draft])[] => {
      const made = make(good);
      return made ? [[`${name}: ${mistake}`, made]] : [];
    });
    return [[name, good] as const, ...wrong];
  });
  return [...cases, ...foreignCases(features), ...changeCases(params, features)].map(([name, draft]) => ({
    name,
    text: write(draft),
  }));
}

/** Cases whose proposals are put to the vote: the node takes them, and shows what they do only then. */
export function executedCases({ titles }: Features): readonly string[] {
  return titles ? [...executedMessages, ...executedParams] : executedOf046;
}

// A node of SDK 0.46 refuses more when a proposal is submitted, as it validates messages.
const executedOf046 = ['upgrade: plan height 1', 'two: plan height 1'];

const executedMessages = [
  'spend: amount [{"denom":"stake","amount":"99999999999"}]',
  'spend: amount [{"denom":"unheard","amount":"1"}]',
  'spend: recipient "cosmos1abc"',
  'spend: recipient "osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp"',
  'send: to_address "cosmos1abc"',
  'upgrade: plan height 1',
  'upgrade: plan height 0',
  'upgrade: plan name ""',
  'upgrade: plan time',
];

const executedParams = [
  'cosmos.bank.v1beta1: params {}',
  'cosmos.auth.v1beta1: params {}',
  'cosmos.slashing.v1beta1: params {}',
  'cosmos.staking.v1beta1: params {}',
  'cosmos.staking.v1beta1: max_validators left out',
  'cosmos.mint.v1beta1: blocks_per_year left out',
  'cosmos.distribution.v1beta1: withdraw_addr_enabled left out',
  'cosmos.gov.v1: quorum as words',
  'cosmos.gov.v1: voting_period left out',
  'cosmos.consensus.v1: block left out',
];
