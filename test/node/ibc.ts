import { createHash } from 'node:crypto';
import { addresses, bondDenom } from './accounts.ts';
import type { Message } from './cli.ts';

/** Channels of the transfer module, which lead from the chain to itself: that connection is always there (*09-localhost*). */
const channels = [
  { id: 'channel-0', to: 'channel-1', state: 'STATE_OPEN' },
  { id: 'channel-1', to: 'channel-0', state: 'STATE_OPEN' },
  { id: 'channel-2', to: 'channel-141', state: 'STATE_OPEN' },
  { id: 'channel-3', to: 'channel-7', state: 'STATE_CLOSED' },
] as const;

/** The amount that the escrow of the closed channel holds from the start. The node is asked for its address as well. */
const leftBehind = { address: 'cosmos1krtrt5dvhnw5j46ljgah7q5f9pm3vvakrrpkjr', amount: 77 };

interface AppState {
  readonly ibc: { readonly channel_genesis: object };
  capability: unknown;
  readonly bank: { readonly balances: object[] };
}

/** Puts the channels into a genesis, and coins into the escrow of the closed one, over which nothing can be sent. */
export function addChannels(app: AppState): void {
  const named = channels.map(({ id, to, state }) => ({
    state,
    ordering: 'ORDER_UNORDERED',
    counterparty: { port_id: 'transfer', channel_id: to },
    connection_hops: ['connection-localhost'],
    version: 'ics20-1',
    port_id: 'transfer',
    channel_id: id,
  }));
  const sequences = channels.map(({ id }) => ({ port_id: 'transfer', channel_id: id, sequence: '1' }));
  Object.assign(app.ibc.channel_genesis, {
    channels: named,
    send_sequences: sequences,
    recv_sequences: sequences,
    ack_sequences: sequences,
    next_channel_sequence: String(channels.length),
  });
  // Each channel belongs to the module that sends over it.
  app.capability = {
    index: String(channels.length + 1),
    owners: channels.map(({ id }, at) => {
      const name = `capabilities/ports/transfer/channels/${id}`;
      const owners = ['ibc', 'transfer'].map((module) => ({ module, name }));
      return { index: String(at + 1), index_owners: { owners } };
    }),
  };
  const coins = [{ denom: bondDenom, amount: String(leftBehind.amount) }];
  app.bank.balances.push({ address: leftBehind.address, coins });
}

/** 2100, in nanoseconds. */
const never = '4102444800000000000';

const transfer = (channel: string, denom: string, amount: number): Message => ({
  '@type': '/ibc.applications.transfer.v1.MsgTransfer',
  source_port: 'transfer',
  source_channel: channel,
  token: { denom, amount: String(amount) },
  sender: addresses.alice,
  receiver: addresses.bob,
  timeout_height: { revision_number: '0', revision_height: '0' },
  timeout_timestamp: never,
  memo: '',
});

/** The first packet that was sent over the first channel, as its other end takes it: proofs of the chain itself are one byte. */
function arrival(denom: string, amount: number): Message {
  const data = { amount: String(amount), denom, receiver: addresses.bob, sender: addresses.alice };
  const none = { revision_number: '0', revision_height: '0' };
  const [from, to] = channels;
  return {
    '@type': '/ibc.core.channel.v1.MsgRecvPacket',
    packet: {
      sequence: '1',
      source_port: 'transfer',
      source_channel: from.id,
      destination_port: 'transfer',
      destination_channel: to.id,
      data: Buffer.from(JSON.stringify(data)).toString('base64'),
      timeout_height: none,
      timeout_timestamp: never,
    },
    proof_commitment: Buffer.of(1).toString('base64'),
    proof_height: { revision_number: '1', revision_height: '1' },
    signer: addresses.alice,
  };
}

/** The transfers: two denoms over one channel, one of them over another as well. One transfer arrives. */
export const transfers: readonly Message[] = [
  transfer('channel-0', bondDenom, 12_345),
  transfer('channel-0', 'uosmo', 678),
  transfer('channel-2', bondDenom, 90),
  arrival(bondDenom, 12_345),
];

/** The denom of what arrived, and what it is made of. */
export const voucherPath = `transfer/${channels[1].id}/${bondDenom}`;
export const voucher = `ibc/${createHash('sha256').update(voucherPath).digest('hex').toUpperCase()}`;

/** The statements of a node about a channel and the balance of its escrow. */
export interface StatedEscrow {
  readonly name: string;
  readonly counterparty: string;
  readonly isOpen: boolean;
  readonly amount: bigint;
}

type Ask = (path: string) => Promise<ReturnType<typeof JSON.parse>>;

/** The escrows of all channels, at the addresses that the node names. */
export async function escrowsOf(
  ask: Ask,
  holds: (address: string) => Promise<bigint>,
): Promise<readonly StatedEscrow[]> {
  const found: StatedEscrow[] = [];
  const { channels: listed } = await ask('/ibc/core/channel/v1/channels?pagination.limit=1000');
  for (const { port_id, channel_id, state, counterparty } of listed) {
    const { escrow_address } = await ask(
      `/ibc/apps/transfer/v1/channels/${channel_id}/ports/${port_id}/escrow_address`,
    );
    found.push({
      name: `${port_id}/${channel_id}`,
      counterparty: `${counterparty.port_id}/${counterparty.channel_id}`,
      isOpen: state === 'STATE_OPEN',
      amount: await holds(escrow_address),
    });
  }
  return found;
}
