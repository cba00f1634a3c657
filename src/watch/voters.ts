import * as z from 'zod/mini';
import { type Bech32Fault, type RoleFault, toAccount } from '../chain/address.ts';
import { castOptions } from '../chain/proposal.ts';

/** An account of the user whose votes are followed. */
export interface Voter {
  /** As the setting has it: an account address, or the operator address of a validator. */
  readonly text: string;
  readonly name: string | undefined;
  /** The account that votes, and its prefix: endpoints of chains with that prefix are asked. */
  readonly address: string;
  readonly prefix: string;
}

const voterSchema = z.object({ address: z.string(), name: z.catch(z.optional(z.string()), undefined) });

/** A voter of an address that a person typed; why it is none. */
export function toVoter(text: string, name?: string): Voter | Bech32Fault | RoleFault {
  const account = toAccount(text.trim());
  return 'kind' in account ? account : { text: text.trim(), name: name?.trim() || undefined, ...account };
}

/** The voters in an array of the setting `chainInspector.voters`, each account once; what cannot be read is left out. */
export function readVoters(value: unknown): readonly Voter[] {
  const voters = Array.isArray(value) ? value.flatMap((one) => readVoterItem(one) ?? []) : [];
  return [...new Map(voters.map((voter) => [voter.address, voter])).values()];
}

function readVoterItem(value: unknown): Voter | undefined {
  const { success, data } = voterSchema.safeParse(value);
  const voter = success ? toVoter(data.address, data.name) : undefined;
  return voter && 'address' in voter ? voter : undefined;
}

/** The setting's array with a voter, in the place of one of the same account; elements that cannot be read stay as they are. */
export function addVoter(value: unknown, { text, name, address }: Voter): readonly unknown[] {
  return [...removeVoter(value, address), { address: text, ...(name === undefined ? {} : { name }) }];
}

/** The setting's array without an account. */
export function removeVoter(value: unknown, address: string): readonly unknown[] {
  return Array.isArray(value) ? value.filter((one) => readVoterItem(one)?.address !== address) : [];
}

/**
 * How each of the user's accounts voted on a proposal, by address: empty for one that has not. Accounts that the node was not
 * asked about are absent.
 */
export const votesSchema = z.record(
  z.string(),
  z.readonly(z.array(z.object({ option: z.enum(castOptions), weight: z.string() }))),
);
export type Votes = z.infer<typeof votesSchema>;

/** Whether none of the user's accounts has voted, as far as is known. */
export function isUnvoted(votes: Votes | undefined): boolean {
  const known = Object.values(votes ?? {});
  return known.length > 0 && known.every(({ length }) => length === 0);
}
