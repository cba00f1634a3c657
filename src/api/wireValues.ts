/**
 * The limit for the members of one list inside a row (messages, coins, options of a vote, units), and of an object in a
 * proposal.
 */
export const maxMembers = 10_000;

/** The statuses of proposals, by their number on the wire (docs/nodes.md#status). */
export const statusNames = [
  'PROPOSAL_STATUS_UNSPECIFIED',
  'PROPOSAL_STATUS_DEPOSIT_PERIOD',
  'PROPOSAL_STATUS_VOTING_PERIOD',
  'PROPOSAL_STATUS_PASSED',
  'PROPOSAL_STATUS_REJECTED',
  'PROPOSAL_STATUS_FAILED',
] as const;

/**
 * Reads a time of RFC 3339 in nanoseconds since 1970. A `Date` would keep only milliseconds. Undefined for an invalid
 * time.
 */
export function toNanoseconds(text: string): bigint | undefined {
  const [, seconds = text, fraction = '', zone = ''] = /^(.+:\d\d)\.(\d+)(Z|[+-]\d\d:\d\d)$/i.exec(text.trim()) ?? [];
  const milliseconds = Date.parse(seconds + zone);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}
