import { orUndefined } from '../api/errors.ts';
import type { ChainNode, Voters } from '../api/node.ts';
import { toAccount } from '../chain/address.ts';
import type { Fields } from '../chain/fields.ts';
import type { Vote } from '../chain/gov/tally.ts';
import { shownText } from '../chain/text.ts';
import type { Judgement } from '../reads/judge.ts';
import {
  readSingleVotes,
  readValidatorVotes,
  type ValidatorVote,
  type VotersProgress,
} from '../reads/proposalReads.ts';
import type { Session } from '../session/session.ts';
import { addressFaultText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import { addressOf, identifier, stated, wordOf } from './answers/answer.ts';
import type { Question } from './question/tool.ts';
import { ToolError } from './question/toolError.ts';
import { readAllValidators } from './validatorsTool.ts';

/** An address that was named, and its account if the address is that of an operator. */
interface NamedAccount {
  readonly named: string;
  readonly account: string;
}

const maxAccounts = 20;

/**
 * Reads addresses and monikers. Throws a `ToolError` for text that is no address of an account or an operator, and no
 * moniker.
 */
export async function readAccounts(
  question: Question,
  session: Session,
  text: string | undefined,
): Promise<readonly NamedAccount[] | undefined> {
  const names = text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names && names.length > maxAccounts)
    throw new ToolError('input', `"votes_of" takes at most ${maxAccounts} addresses at once.`);
  const isMoniker = (name: string): boolean => !('address' in toAccount(name)) && !/^[a-z]+1[a-z0-9]{20,}$/i.test(name);
  const validators = names?.some(isMoniker) ? (await readAllValidators(question, session)).rows : [];
  return names?.map((named) => {
    const alike = isMoniker(named)
      ? validators.filter(({ moniker }) => moniker.toLowerCase() === named.toLowerCase())
      : [];
    const read = toAccount(alike.length === 1 ? (alike[0]?.operator ?? '') : named);
    if ('address' in read) return { named, account: read.address };
    const reason = `${addressFaultText(read, plainEnglish)}.`;
    throw new ToolError(
      'input',
      alike.length > 1
        ? `"votes_of": ${alike.length} validators have this moniker.`
        : `"votes_of" has an entry that is not an account address, operator address or moniker. ${reason}`,
      'Use operator addresses from list_validators.',
    );
  });
}

/** Reads single votes at the height of the tally. Gives a text if they cannot be known. */
export async function singleVotes(
  { signal, onProgress }: Question,
  session: Session,
  { proposal: { id, status }, height: tallyHeight }: Judgement,
  accounts: readonly NamedAccount[],
): Promise<CastVotes | string> {
  if (status !== 'voting') return votesAreGone;
  let done = 0;
  const options = { height: tallyHeight, signal, onVote: (): void => onProgress(++done) };
  const names = [...new Set(accounts.map(({ account }) => account))];
  const { found, height } = await readSingleVotes(await session.node(), id, names, options);
  const rows = accounts.map(({ named, account }) => ({ address: named, vote: voteAnswer(found.get(account)) }));
  return { rows, height, isOfTally: session.isStill || (height !== undefined && height === tallyHeight) };
}

const votesAreGone = 'a chain keeps individual votes only while voting is open';

function voteAnswer(vote: Vote | undefined): unknown {
  return vote?.map(({ option, weight }) => ({ option: wordOf(option), weight })) ?? 'not voted';
}

/** Reads the validators' votes at the height of the tally. Gives a text if they cannot be known. */
export async function validatorVotes(
  { host, signal, onProgress }: Question,
  session: Session,
  { proposal: { id, status }, height: tallyHeight }: Judgement,
): Promise<CastVotes | string> {
  if (status !== 'voting') return votesAreGone;
  const options = { height: tallyHeight, signal, onProgress: ({ done }: VotersProgress): void => onProgress(done) };
  const node = await session.node();
  const { validators, height } = await readValidatorVotes(node, id, options);
  const voters = await node.voters(id, signal);
  const counted = voters?.validators;
  const listed = host.isUnbounded ? validators : validators.filter(({ vote }) => vote !== undefined);
  const rows = listed.map((one) => ({
    ...stated({ operator_address: identifier(one.operator) }),
    untrusted_moniker: shownText(one.moniker, 100),
    ...powerAnswer([one], counted),
    vote: voteAnswer(one.vote),
  }));
  const silent = validators.filter(({ vote }) => vote === undefined);
  const beside = {
    ...(counted || rows.length === 0 ? {} : { unknown: { power: noCountedPower } }),
    validators_not_voted: {
      validators: silent.length,
      ...powerAnswer(silent, counted),
      largest: silent.slice(0, 5).map((one) => ({
        untrusted_moniker: shownText(one.moniker, 100),
        ...powerAnswer([one], counted),
      })),
    },
    ...(voters ? await otherVotes(node, id, voters, signal) : await votesCast(node, id, signal)),
  };
  return { rows, beside, height, isOfTally: session.isStill || (height !== undefined && height === tallyHeight) };
}

const noCountedPower = 'a node does not state how much of gross_power delegators took away who voted themselves';

/**
 * Gives the power of validators as it counts in the tally, if it is known, beside all tokens that are bonded with them
 * (`gross_power`), if that is more.
 */
function powerAnswer(
  validators: readonly Pick<ValidatorVote, 'operator' | 'power'>[],
  counted: ReadonlyMap<string, bigint> | undefined,
): Fields {
  const gross = validators.reduce((sum, { power }) => sum + power, 0n);
  if (!counted) return { gross_power: `${gross}` };
  const net = validators.reduce((sum, { operator, power }) => sum + (counted.get(operator) ?? power), 0n);
  return { power: `${net}`, ...(net === gross ? {} : { gross_power: `${gross}` }) };
}

async function votesCast(node: ChainNode, id: bigint, signal: AbortSignal): Promise<Fields> {
  const page = await orUndefined(node.votes(id, { limit: 1, countTotal: true }, signal));
  const total = page?.total;
  return { votes_cast: total === undefined ? undefined : Number(total), largest_other_votes: undefined };
}

/** Gives the number of all votes, and the largest of those that are not of bonded validators. */
async function otherVotes(
  node: ChainNode,
  id: bigint,
  { votes, largest: others }: Voters,
  signal: AbortSignal,
): Promise<Fields> {
  const names = others.map(({ voter }) => voter);
  const { found } = await readSingleVotes(node, id, names, { height: undefined, signal, onVote: () => undefined });
  const largest = others.map(({ voter, power }) => {
    return { ...addressOf(voter), power: `${power}`, vote: voteAnswer(found.get(voter)) };
  });
  return { votes_cast: Number(votes), largest_other_votes: largest };
}

/** The votes of the validators, and whether power and votes are of the height of the tally. */
export interface CastVotes {
  readonly rows: readonly Fields[];
  /** Members that stand beside the rows. */
  readonly beside?: Fields;
  readonly height: bigint | undefined;
  readonly isOfTally: boolean;
}
