import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addresses, bondDenom, moduleAddresses } from './accounts.ts';
import { wasmdFolder } from './build.ts';
import type { RunningNode } from './chain.ts';
import { jsonFile, type Message, type Signer } from './cli.ts';
import { validators } from './genesis.ts';
import { addChannels } from './ibc.ts';
import { contractMessage, draftDeposit } from './messageDrafts.ts';

/** The stake of the gov account from the start, with the third validator. */
const staked = 1_000;
/** Long enough for proposals to stay open until all drafts are decided, whose votes are expedited. */
const long = '600s';

/** Gives a chain what the drafts of messages are about: channels, a stake of the gov account, and long votes. */
export function editMessageGenesis(home: string): void {
  const file = join(home, 'config/genesis.json');
  const genesis = jsonFile(file);
  const { bank, gov, staking } = genesis.app_state;
  addChannels(genesis.app_state);
  const operator = validators[2]?.operator;
  const validator = staking.validators.find((one: Message) => one.operator_address === operator);
  validator.tokens = String(Number(validator.tokens) + staked);
  validator.delegator_shares = `${validator.tokens}.000000000000000000`;
  const shares = `${staked}.000000000000000000`;
  staking.delegations.push({ delegator_address: moduleAddresses.gov, validator_address: operator, shares });
  const notBonded = bank.balances.find((one: Message) => one.address === moduleAddresses.notBonded).coins[0];
  notBonded.amount = String(Number(notBonded.amount) + staked);
  Object.assign(gov.params, {
    voting_period: long,
    max_deposit_period: long,
    expedited_voting_period: '15s',
    expedited_min_deposit: coins(draftDeposit.stake, draftDeposit.uosmo),
  });
  writeFileSync(file, JSON.stringify(genesis));
}

const proposal = (title: string, initial_deposit: readonly object[], expedited = false): Message => ({
  '@type': '/cosmos.gov.v1.MsgSubmitProposal',
  messages: [],
  initial_deposit,
  proposer: addresses.holder,
  metadata: 'm',
  title,
  summary: title,
  expedited,
});
const coins = (stake: number, uosmo?: number) => [
  { denom: bondDenom, amount: String(stake) },
  ...(uosmo === undefined ? [] : [{ denom: 'uosmo', amount: String(uosmo) }]),
];

/** The proposals that the drafts name (`openProposals`), in the order of their ids. */
const earlier = [
  proposal('in its vote', coins(10_000, 500)),
  proposal('before its vote', coins(100)),
  proposal('decided', coins(draftDeposit.stake, draftDeposit.uosmo), true),
];

/** A contract of wasmd's own tests, which gov may change. */
function firstContract(): readonly Message[] {
  const sender = addresses.holder;
  const code = readFileSync(join(wasmdFolder(), 'x/wasm/keeper/testdata/hackatom.wasm')).toString('base64');
  return [
    { '@type': '/cosmwasm.wasm.v1.MsgStoreCode', sender, wasm_byte_code: code },
    {
      '@type': '/cosmwasm.wasm.v1.MsgInstantiateContract',
      sender,
      admin: moduleAddresses.gov,
      code_id: '1',
      label: 'hackatom',
      msg: contractMessage,
      funds: [],
    },
  ];
}

/**
 * Gives the gov account coins, puts a contract on a chain that can have some, and opens proposals, one of which is decided. Gives the number of proposals
 * then.
 */
export async function setUpMessages(node: RunningNode, signer: Signer, hasContracts: boolean): Promise<number> {
  const { alice } = addresses;
  const amount = [...coins(1_000_000), { denom: 'uosmo', amount: '100000' }];
  const send = {
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    from_address: alice,
    to_address: moduleAddresses.gov,
    amount,
  };
  const vote = {
    '@type': '/cosmos.gov.v1.MsgVote',
    proposal_id: String(earlier.length),
    voter: addresses.val,
    option: 'VOTE_OPTION_YES',
    metadata: '',
  };
  const signed = [
    await signer.sign('alice', [send], 'coins of gov'),
    ...(hasContracts ? [await signer.sign('holder', firstContract(), 'a contract')] : []),
    await signer.sign('holder', earlier, 'earlier proposals'),
    await signer.sign('val', [vote], 'a vote'),
  ];
  for (const transaction of signed) await node.send([transaction]);
  await node.until('the earlier vote has ended', () => node.decisions.some(({ id }) => id === earlier.length));
  return earlier.length;
}
