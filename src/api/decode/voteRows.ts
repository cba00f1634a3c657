import { isFields } from '../../chain/fields.ts';
import { type Tally, type Vote, type VoteOption, type VoterRow, voteOptions } from '../../chain/gov/tally.ts';
import type { WireVote } from '../replySchemas.ts';

/** Reads the options whose counts have decimals. Undefined if one is not known. */
export function toFractions(names: readonly string[]): readonly VoteOption[] | undefined {
  const options = names.map((name) =>
    voteOptions.find((known) => known === name.replace('no_with_veto', 'noWithVeto')),
  );
  const known = options.filter((option) => option !== undefined);
  return known.length === names.length ? known : undefined;
}

/** Reads a tally in any form. Undefined if it is not understood, which is not a tally of zeros. */
export function toTally(wire: unknown): Tally | undefined {
  if (!isFields(wire)) return undefined;
  const power = toCount(wire.power);
  const tally: Partial<Record<VoteOption, bigint>> = {};
  for (const [name, value] of Object.entries(wire)) {
    const plain = name.replace(/_count$/, '').replace('no_with_veto', 'noWithVeto');
    const option = voteOptions.find((known) => known === plain);
    const count = toCount(value);
    if (option === undefined && (count === 0n || !/_count$/.test(name))) continue;
    if (option === undefined || count === undefined) return undefined;
    tally[option] = count;
  }
  const { yes, abstain, no, noWithVeto = 0n } = tally;
  if (yes === undefined || abstain === undefined || no === undefined) return undefined;
  return { yes, abstain, no, noWithVeto, ...(power === undefined ? {} : { power }) };
}

function toCount(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^\d{1,100}$/.test(value) ? BigInt(value) : undefined;
}

/**
 * Names in the order of `voteOptions`. On the wire, these are numbered from 1 (proto/cosmos/gov/v1/gov.proto of the
 * SDK).
 */
const castNames = ['VOTE_OPTION_YES', 'VOTE_OPTION_ABSTAIN', 'VOTE_OPTION_NO', 'VOTE_OPTION_NO_WITH_VETO'];

/**
 * Reads `options`. Reads `option`, always unspecified since 0.46, only if there are no options (docs/nodes.md#votes).
 */
export function toVote({ option, options: parts }: WireVote): Vote {
  const read = (value: string | number, weight: string): Vote[number] => {
    const at = castNames.indexOf(String(value));
    return { option: voteOptions[at < 0 ? Number(value) - 1 : at] ?? 'unknown', weight };
  };
  if (parts?.length) return parts.map((part) => read(part.option, part.weight));
  return option === undefined ? [] : [read(option, '1')];
}

/** Reads a VoterRow. */
export function toVoterRow(wire: WireVote): VoterRow {
  return { voter: wire.voter, vote: toVote(wire) };
}
