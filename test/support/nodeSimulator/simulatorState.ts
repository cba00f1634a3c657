/** What a simulated node holds. Made here; no chain's data. */
export interface SimulatorState {
  readonly chainId: string;
  /** Latest height. */
  readonly height: bigint;
  /** In any order. */
  readonly coins: readonly { readonly denom: string; readonly amount: bigint }[];
  readonly proposals: readonly SimulatorProposal[];
}

export interface SimulatorProposal {
  readonly id: bigint;
  /** 0 to 5, or a number that the node itself has no name for. */
  readonly status: number;
  readonly title: string;
  readonly summary: string;
  /** Legacy content as MsgExecLegacyContent, other messages, several, or none. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** The node no longer knows a type in it: every answer that holds it fails, in v1 as well. */
  readonly unregistered: boolean;
  readonly voters: readonly string[];
  readonly depositors: readonly string[];
}

export const govAccount = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn';

/** A text proposal in the form that every era can say. */
export function textProposal(id: bigint, status: number, more: Partial<SimulatorProposal> = {}): SimulatorProposal {
  const title = `Proposal ${id}`;
  const summary = `What proposal ${id} is about`;
  const content = { '@type': '/cosmos.gov.v1beta1.TextProposal', title, description: summary };
  const message = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority: govAccount };
  return {
    id,
    status,
    title,
    summary,
    messages: [message],
    unregistered: false,
    voters: [],
    depositors: [],
    ...more,
  };
}

/** A proposal that gov v1 can say and v1beta1 cannot: no message, or two. */
export function wordlessProposal(id: bigint, status: number, messages: 0 | 2): SimulatorProposal {
  const spend = { '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend', authority: govAccount, amount: [] };
  return textProposal(id, status, { messages: messages === 0 ? [] : [spend, spend] });
}

/** Denoms of every shape, among them ones that are the beginning of others. */
export function sampleCoins(count: number): { denom: string; amount: bigint }[] {
  const shapes: ((n: number) => string)[] = [
    (n) => `utoken${n}`,
    (n) => `ibc/${n.toString(16).toUpperCase().padStart(64, '0')}`,
    (n) => `factory/cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnrujsuw/sub${n}`,
    (n) => `gamm/pool/${n}`,
  ];
  return Array.from({ length: count }, (_, n) => ({
    denom: shapes[n % shapes.length]?.(n) ?? '',
    amount: BigInt(n % 9) * 10n ** BigInt(n % 30) + BigInt(n + 1),
  }));
}
