import * as z from 'zod/mini';
import { type AddressFault, toAccount } from '../chain/address.ts';
import { elementsOf } from './watchList.ts';

/** An account of the user whose votes are followed. */
export interface Voter {
  /** The text in the setting: an account address, or the operator address of a validator. */
  readonly text: string;
  readonly name: string | undefined;
  /** The account that votes, and its prefix. Endpoints of chains with that prefix are asked. */
  readonly address: string;
  readonly prefix: string;
}

const voterSchema = z.object({ address: z.string(), name: z.catch(z.optional(z.string()), undefined) });

/** Makes a voter of a typed address, or says why the address is invalid. */
export function toVoter(text: string, name?: string): Voter | AddressFault {
  const account = toAccount(text.trim());
  return 'kind' in account ? account : { text: text.trim(), name: name?.trim() || undefined, ...account };
}

/** The limit for voters. Each of them is asked for on every endpoint of its chain. */
const maxVoters = 100;

/**
 * Reads the voters of the setting `chainInspector.voters`, at most 100 and each account once. Elements that cannot be
 * read are left out.
 */
export function readVoters(value: unknown): readonly Voter[] {
  const voters = elementsOf(value)
    .slice(0, maxVoters)
    .flatMap((one) => readVoter(one) ?? []);
  return [...new Map(voters.map((voter) => [voter.address, voter])).values()];
}

function readVoter(value: unknown): Voter | undefined {
  const { data } = voterSchema.safeParse(value);
  const voter = data && toVoter(data.address, data.name);
  return voter && 'address' in voter ? voter : undefined;
}

/**
 * Gives the setting's array with a voter, in the place of one of the same account. Elements that cannot be read stay as
 * they are.
 */
export function addVoter(value: unknown, { text, name, address }: Voter): readonly unknown[] {
  return [...removeVoter(value, address), { address: text, ...(name === undefined ? {} : { name }) }];
}

/** Gives the setting's array without an account. */
export function removeVoter(value: unknown, address: string): readonly unknown[] {
  return elementsOf(value).filter((one) => readVoter(one)?.address !== address);
}
