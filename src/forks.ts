import type { PowerModule } from './api/node.ts';
import type { GovParams } from './chain/params.ts';
import type { PowerSource, Variant, VoteKind } from './chain/rules.ts';

/** A family of chains that are asked, or decide votes, in their own way: all that is known of it; docs/governance.md#variants. */
export interface Fork extends Variant {
  /** Whether it is that of a chain with these parameters, whose turnout is counted against `power`. */
  readonly applies: (params: GovParams, power: PowerSource) => boolean;
  /** Where its gov module lies, if not below the node's own segment. */
  readonly govSegment?: string;
  /** Below it lie the operations of `{fork}`, which say more than the SDK's. */
  readonly ownSegment?: string;
  /** The module of its voting power, where that shows the fork. */
  readonly power?: PowerModule;
}

/** cosmos/cosmos-sdk x/gov/keeper/tally.go, 0.40 to 0.54; the only rules that nodes were run against. */
const sdk: Variant = {
  name: 'sdk',
  label: 'Cosmos SDK',
  rules: ['bonded', 'quorum', 'notAllAbstain', 'veto', 'threshold'],
  quorum: () => ['quorum'],
  threshold: ({ expedited }) => [expedited ? 'expeditedThreshold' : 'threshold'],
  retries: true,
  inheritsVotes: true,
};

/** One entry a fork, with the source of its rules; the first that applies is that of a chain. */
export const forks: readonly Fork[] = [
  {
    // atomone-hub/atomone v1 to v3, x/gov/keeper/tally.go: no veto; the highest limits among the kinds of the messages.
    name: 'atomone',
    label: 'AtomOne',
    applies: (params) => params.lawThreshold !== undefined && params.vetoThreshold === undefined,
    govSegment: 'atomone',
    rules: ['bonded', 'quorum', 'notAllAbstain', 'threshold'],
    quorum: (vote) => [
      'quorum',
      ...(has(vote, law) ? (['lawQuorum'] as const) : []),
      ...(has(vote, amendment) ? (['amendmentQuorum'] as const) : []),
    ],
    threshold: (vote) => [
      'threshold',
      ...(has(vote, law) && !vote.endorsed ? (['lawThreshold'] as const) : []),
      ...(has(vote, amendment) ? (['amendmentThreshold'] as const) : []),
    ],
    retries: false,
    inheritsVotes: false,
  },
  {
    // initia-labs/initia x/gov/keeper/tally.go: own voting power; emergencies take the threshold of expedited votes.
    ...sdk,
    name: 'initia',
    label: 'Initia',
    applies: (params, power) => power === 'tally' || params.lowThresholdFunctions !== undefined,
    ownSegment: 'initia',
    power: 'mstaking',
    threshold: (vote, params) => {
      const isHigh = (vote.expedited || vote.emergency) && !isLowThreshold(params, vote);
      return [isHigh ? 'expeditedThreshold' : 'threshold'];
    },
  },
  {
    // sei-protocol/sei-chain sei-cosmos/x/gov/keeper/tally.go: expedited votes have a quorum of their own.
    ...sdk,
    name: 'sei',
    label: 'Sei',
    applies: (params) => params.expeditedQuorum !== undefined,
    quorum: ({ expedited }) => [expedited ? 'expeditedQuorum' : 'quorum'],
  },
  {
    // cosmos/cosmos-sdk enterprise/poa: the power of validators in place of bonded tokens.
    ...sdk,
    name: 'poa',
    label: 'proof of authority',
    applies: (_, power) => power === 'poa',
    power: 'poa',
  },
];

/** How the chain with these parameters, whose turnout is counted against `power`, decides. */
export function variantOf(params: GovParams, power: PowerSource): Variant {
  return forks.find(({ applies }) => applies(params, power)) ?? sdk;
}

const law = 'MsgProposeLaw';
const amendment = 'MsgProposeConstitutionAmendment';

function has({ contents }: VoteKind, message: string): boolean {
  return contents.some(({ typeUrl }) => typeUrl.endsWith(`.${message}`));
}

function isLowThreshold({ lowThresholdFunctions }: GovParams, { contents }: VoteKind): boolean {
  return contents.every(({ typeUrl, fields }) => {
    if (!/\.MsgExecute(JSON)?$/.test(typeUrl)) return false;
    const { module_address: address, module_name: module, function_name: name } = fields;
    return lowThresholdFunctions?.includes(`${String(address)}::${String(module)}::${String(name)}`) ?? false;
  });
}
