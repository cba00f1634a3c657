import { type Fields, isFields } from '../../src/api/wireValues.ts';
import { addresses, moduleAddresses } from './accounts.ts';

/** A draft that a node is asked about: a good one, or one with a single mistake. */
export interface DraftCase {
  readonly name: string;
  readonly text: string;
}

/** What a node said to a simulated submission, and what became of a proposal that was put to the vote. */
export interface DraftAnswer extends DraftCase {
  readonly status: number;
  /** The node's sentence; "" where it took the draft. */
  readonly message: string;
  /** `proposal_passed` or `proposal_failed`, where the proposal was really submitted and voted for. */
  readonly executed?: string;
  /** What the parameters of the module were after it had passed. */
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

function goodDrafts(params: ReadonlyMap<string, Fields>): readonly (readonly [string, Draft])[] {
  const of = (name: string, ...messages: readonly Fields[]) =>
    [name, { messages, metadata: '', deposit, title: name, summary: `About ${name}`, expedited: false }] as const;
  const spend = {
    '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
    authority,
    recipient: someone,
    amount: coins('1'),
  };
  const plan = { name: 'v9', time: '0001-01-01T00:00:00Z', height: '100000000', info: '' };
  const upgrade = { '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority, plan };
  const content = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'Old', description: 'Old form' };
  const legacy = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority };
  const modules = [...params].map(([module, { version: _, ...own }]) => {
    const fields = module === 'cosmos.consensus.v1' ? { ...own, abci: undefined } : { params: own };
    return of(module, { '@type': `/${module}.MsgUpdateParams`, authority, ...fields });
  });
  const metadata = JSON.stringify({ title: 'words', summary: 'About words' });
  return [
    ['words', { messages: [], metadata, deposit, title: 'words', summary: 'About words', expedited: false }],
    of('spend', spend),
    of('upgrade', upgrade),
    of('legacy', legacy),
    of('two', spend, upgrade),
    ['fast', { ...of('fast', spend)[1], expedited: true, deposit: expeditedDeposit }],
    ...modules,
  ];
}

const set = (name: string, value: unknown): Mistake => [
  `${name} ${JSON.stringify(value)?.slice(0, 60)}`,
  (draft) => ({ ...draft, [name]: value }),
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

const where = (field: string, value: unknown): Mistake =>
  inMessage(`${field} ${JSON.stringify(value)?.slice(0, 60)}`, (message) =>
    field in message ? { ...message, [field]: value } : undefined,
  );

/** Mistakes that any draft can have. */
const mistakes: readonly Mistake[] = [
  set('title', ''),
  set('summary', ''),
  ['no title', ({ title: _, ...draft }) => draft],
  ['no summary', ({ summary: _, ...draft }) => draft],
  set('title', 'x'.repeat(256)),
  set('summary', 'x'.repeat(10_201)),
  set('metadata', 'x'.repeat(256)),
  set('metadata', '{}'),
  set('metadata', 'ipfs://CID'),
  [
    'metadata with another title',
    ({ summary, ...draft }) => ({ ...draft, summary, metadata: JSON.stringify({ title: 'x', summary }) }),
  ],
  [
    'metadata with another summary',
    ({ title, ...draft }) => ({ ...draft, title, metadata: JSON.stringify({ title, summary: 'x' }) }),
  ],
  ['metadata whose authors are one text', (draft) => ({ ...draft, metadata: '{"title":"x","authors":"a"}' })],
  set('deposit', ''),
  set('deposit', '99stake'),
  set('deposit', '10000uatom'),
  set('deposit', '10000stake,1uatom'),
  ['expedited with the usual deposit', (draft) => (draft.expedited ? { ...draft, deposit: '999stake' } : undefined)],
  ['nothing', (draft) => ({ ...draft, messages: [], metadata: '' })],
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

/** Good drafts for a chain with these parameters, and each of them with each mistake that it can have. */
export function draftCases(params: ReadonlyMap<string, Fields>): readonly DraftCase[] {
  const write = (draft: Draft) => JSON.stringify(draft, null, 1);
  return goodDrafts(params).flatMap(([name, good]) => {
    const own = [...mistakes, ...paramMistakes(params.get(name) ?? {})];
    const wrong = own.flatMap(([mistake, make]) => {
      const made = make(good);
      return made ? [{ name: `${name}: ${mistake}`, text: write(made) }] : [];
    });
    return [{ name, text: write(good) }, ...wrong];
  });
}

/** Cases whose proposals are put to the vote: the node takes them, and shows what they do only then. */
export const executedCases: readonly string[] = [
  'spend: amount [{"denom":"stake","amount":"99999999999"}]',
  'spend: amount [{"denom":"unheard","amount":"1"}]',
  'spend: recipient "cosmos1abc"',
  'spend: recipient "osmo10d07y265gmmuvt4z0w9aw880jnsr700jjeq4qp"',
  'upgrade: plan height 1',
  'upgrade: plan height 0',
  'upgrade: plan name ""',
  'upgrade: plan time',
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
