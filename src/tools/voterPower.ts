import type { Stake, Voters } from '../api/node.ts';
import { concurrently } from '../api/sharing.ts';
import { toAccount } from '../chain/address.ts';
import type { Fields } from '../chain/fields.ts';
import { shownText } from '../chain/text.ts';
import { readSingleVotes, type ValidatorVote, validatorsByAccount } from '../reads/proposalReads.ts';
import type { Session } from '../session/session.ts';
import { identifier, stated } from './answers/answer.ts';
import { voteAnswer } from './answers/voteAnswer.ts';
import type { Question } from './question/tool.ts';
import { readAllValidators } from './validatorsTool.ts';

/** The limit for accounts whose stake is searched. Each takes a search of the whole state. */
const maxSearched = 3;
/** The limit for the validators of an account. */
const maxValidators = 5;

/**
 * Reads the power that accounts have, or would have, in an open vote, by account. The accounts of bonded validators have
 * that of the validator, all others what they have delegated. Empty for nodes, which do not report it.
 */
export async function votersPower(
  question: Question,
  session: Session,
  id: bigint,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, Fields>> {
  const node = await session.node();
  const voters = await node.voters(id, question.signal);
  if (!voters) return new Map();
  const { rows } = await readAllValidators(question, session);
  const validators = validatorsByAccount(rows.filter(({ status }) => status === 'bonded'));
  const found = new Map<string, Fields>();
  for (const account of accounts) {
    const own = validators.get(account);
    if (own) found.set(account, powerAnswer([{ operator: own.operator, power: own.tokens }], voters.validators));
  }
  const others = accounts.filter((account) => !validators.has(account));
  const isFew = others.length <= maxSearched;
  await concurrently(others, 1, async (account) => {
    const stake = isFew ? await node.stake(account, undefined, question.signal) : undefined;
    if (!isFew) found.set(account, stated({ power: undefined }, { power: tooMany }));
    if (stake) found.set(account, await stakeAnswer(question, session, id, stake));
  });
  return found;
}

const tooMany = `stake can be looked up for at most ${maxSearched} accounts at once`;

/** Gives what an account has delegated to bonded validators, and their votes. */
async function stakeAnswer(
  { signal }: Question,
  session: Session,
  id: bigint,
  { votingPower, delegations, delegationCount }: Stake,
): Promise<Fields> {
  const bonded = delegations.filter(({ isBonded }) => isBonded);
  const shown = bonded.slice(0, maxValidators);
  const more = bonded.length - shown.length + (delegationCount - delegations.length);
  const rows = shown.map((one) => ({ ...one, account: accountOf(one.validator) }));
  const options = { height: undefined, signal, onVote: (): void => undefined };
  const names = rows.flatMap(({ account }) => account ?? []);
  const { found } = await readSingleVotes(await session.node(), id, names, options);
  const validators = rows.map(({ validator, moniker, amount, account = '' }) => ({
    ...stated({ operator_address: identifier(validator), power: amount?.toString() }),
    untrusted_moniker: shownText(moniker, 100),
    vote: voteAnswer(found.get(account)),
  }));
  return {
    power: `${votingPower}`,
    ...(validators.length > 0 ? { validators } : {}),
    ...(more > 0 ? { more_validators: more } : {}),
  };
}

function accountOf(operator: string): string | undefined {
  const read = toAccount(operator);
  return 'address' in read ? read.address : undefined;
}

/**
 * Gives the power of validators as it counts in the tally, if it is known, beside all tokens that are bonded with them
 * (`gross_power`), if that is another number. `own_stake` is the part of `power` that their operators have delegated.
 */
export function powerAnswer(
  validators: readonly Pick<ValidatorVote, 'operator' | 'power'>[],
  counted: Voters['validators'] | undefined,
): Fields {
  const gross = validators.reduce((sum, { power }) => sum + power, 0n);
  if (!counted) return { gross_power: `${gross}` };
  const net = validators.reduce((sum, { operator, power }) => sum + (counted.get(operator)?.power ?? power), 0n);
  const own = validators.reduce((sum, { operator }) => sum + (counted.get(operator)?.own ?? 0n), 0n);
  return {
    power: `${net}`,
    ...(own > 0n ? { own_stake: `${own}` } : {}),
    ...(net === gross ? {} : { gross_power: `${gross}` }),
  };
}
