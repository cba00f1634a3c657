import { accountAddress, base64Hash, validatorAddress } from './sampleAddresses.ts';
import { bondDenom } from './sampleCoins.ts';

const dec = (amount: bigint) => `${amount}.000000000000000000`;
const bonded = [
  'Aurora Works',
  'Blue Heron',
  'Cairn',
  'Driftwood',
  'Evergreen Staking',
  'Foxglove',
  'Granite',
  'Hollow Oak',
  'Isthmus',
  'Juniper Row',
  'Kelp',
  'Lighthouse',
  'Marble Arch',
  'Northern Pike',
  'Old Mill',
  'Puffin',
  'Quiet Harbor',
  'Redwood',
];
const unbonded = ['Salt Flat', 'Thicket', 'Umber'];

/** A validator and what stands behind it, in base units of the bond denom. */
export interface SampleValidator {
  readonly name: string;
  readonly bonded: boolean;
  readonly tokens: bigint;
}

/** Tokens fall with the rank; the sum of the bonded ones is 213,750,000 SAMPLE, a multiple of 1,000 base units. */
export const sampleValidators: readonly SampleValidator[] = [
  ...bonded.map((name, rank) => ({ name, bonded: true, tokens: BigInt(20_375 - rank * 1_000) * 1_000_000_000n })),
  ...unbonded.map((name, rank) => ({ name, bonded: false, tokens: BigInt(120 - rank * 35) * 1_000_000_000n })),
];

const sum = (isBonded: boolean) =>
  sampleValidators.filter((one) => one.bonded === isBonded).reduce((total, one) => total + one.tokens, 0n);

export const bondedTokens = sum(true);
export const notBondedTokens = sum(false);

/** x/staking of the export, with delegations that add up to the validators' shares. */
export function sampleStaking() {
  return {
    params: {
      unbonding_time: '1814400s',
      max_validators: 100,
      max_entries: 7,
      historical_entries: 10000,
      bond_denom: bondDenom,
    },
    last_total_power: String(bondedTokens / 1_000_000n),
    last_validator_powers: sampleValidators
      .filter((one) => one.bonded)
      .map((one) => ({ address: validatorAddress(one.name), power: String(one.tokens / 1_000_000n) })),
    validators: sampleValidators.map(toValidator),
    delegations: sampleValidators.flatMap(toDelegations),
    unbonding_delegations: [],
    redelegations: [],
    exported: true,
  };
}

function toValidator({ name, bonded: isBonded, tokens }: SampleValidator) {
  return {
    operator_address: validatorAddress(name),
    consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: base64Hash(`consensus/${name}`) },
    jailed: !isBonded,
    status: isBonded ? 'BOND_STATUS_BONDED' : 'BOND_STATUS_UNBONDED',
    tokens: String(tokens),
    delegator_shares: dec(tokens),
    description: { moniker: name, identity: '', website: '', security_contact: '', details: '' },
    unbonding_height: '0',
    unbonding_time: '1970-01-01T00:00:00Z',
    commission: {
      commission_rates: {
        rate: '0.050000000000000000',
        max_rate: '0.200000000000000000',
        max_change_rate: '0.010000000000000000',
      },
      update_time: '1970-01-01T00:00:00Z',
    },
    min_self_delegation: '1',
  };
}

/** Nine tenths are the validator's own, one tenth is that of one delegator. */
function toDelegations({ name, tokens }: SampleValidator, rank: number) {
  const lent = tokens / 10n;
  const delegate = (delegator: string, shares: bigint) => ({
    delegator_address: accountAddress(delegator),
    validator_address: validatorAddress(name),
    shares: dec(shares),
  });
  return [delegate(name, tokens - lent), delegate(`holder ${rank % 12}`, lent)];
}
