import type { GovParams } from './params.ts';
import type { PowerModule, PowerSource, Variant, VoteKind } from './rules.ts';

/** A family of chains with its own gov: how its chains are recognized and asked, and how they decide votes. */
export interface Fork {
  readonly variant: Variant;
  /** True for a chain with these parameters, whose turnout is counted against `power`. */
  readonly applies: (params: GovParams, power: PowerSource) => boolean;
  /** The segment of its gov module, if it differs from the node's own. */
  readonly govSegment?: string;
  /** The segment of the operations of `{fork}`, which say more than the SDK's. */
  readonly ownSegment?: string;
  /** The module of its voting power, if that shows the fork. */
  readonly powerModule?: PowerModule;
}

/** The rules of cosmos/cosmos-sdk x/gov/keeper/tally.go, 0.40 to 0.54. Only these were tested with nodes. */
const sdk: Variant = {
  name: 'sdk',
  label: 'Cosmos SDK',
  rules: ['bonded', 'quorum', 'notAllAbstain', 'veto', 'threshold'],
  quorum: () => ['quorum'],
  threshold: ({ expedited }) => [expedited ? 'expeditedThreshold' : 'threshold'],
  retries: true,
  inheritsVotes: true,
};

/** The forks, each with the source of its rules. The first one that applies is that of a chain. */
export const forks: readonly Fork[] = [
  {
    // atomone-hub/atomone v1 to v3, x/gov/keeper/tally.go: no veto; the highest limits among the kinds of the messages.
    applies: (params) => params.lawThreshold !== undefined && params.vetoThreshold === undefined,
    govSegment: 'atomone',
    variant: {
      name: 'atomone',
      label: 'AtomOne',
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
  },
  {
    // initia-labs/initia x/gov/keeper/tally.go: own voting power; emergencies take the threshold of expedited votes.
    applies: (params, power) => power === 'tally' || params.lowThresholdFunctions !== undefined,
    ownSegment: 'initia',
    powerModule: 'mstaking',
    variant: {
      ...sdk,
      name: 'initia',
      label: 'Initia',
      threshold: (vote, params) => {
        const isHigh = (vote.expedited || vote.emergency) && !isLowThreshold(params, vote);
        return [isHigh ? 'expeditedThreshold' : 'threshold'];
      },
    },
  },
  {
    // sei-protocol/sei-chain sei-cosmos/x/gov/keeper/tally.go: expedited votes have a quorum of their own.
    applies: (params) => params.expeditedQuorum !== undefined,
    variant: {
      ...sdk,
      name: 'sei',
      label: 'Sei',
      quorum: ({ expedited }) => [expedited ? 'expeditedQuorum' : 'quorum'],
    },
  },
  {
    // cosmos/cosmos-sdk enterprise/poa: the power of validators in place of bonded tokens.
    applies: (_, power) => power === 'poa',
    powerModule: 'poa',
    variant: { ...sdk, name: 'poa', label: 'proof of authority' },
  },
];

/** Gives the variant of a chain with these parameters, whose turnout is counted against `power`. */
export function variantOf(params: GovParams, power: PowerSource): Variant {
  return forks.find(({ applies }) => applies(params, power))?.variant ?? sdk;
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
