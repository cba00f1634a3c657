import { orUndefined } from '../api/errors.ts';
import type { ChainNode, Voters } from '../api/node.ts';
import { concurrently } from '../api/sharing.ts';
import { toAccount } from '../chain/address.ts';
import type { Fields } from '../chain/fields.ts';
import { shownText } from '../chain/text.ts';
import type { Validator } from '../chain/validator.ts';
import type { Judgement } from '../reads/judge.ts';
import { readSingleVotes, readValidatorVotes, type VotersProgress } from '../reads/proposalReads.ts';
import type { Session } from '../session/session.ts';
import { addressFaultText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import { addressOf, identifier, stated } from './answers/answer.ts';
import { voteAnswer } from './answers/voteAnswer.ts';
import type { Question } from './question/tool.ts';
import { ToolError } from './question/toolError.ts';
import { readAllValidators } from './validatorsTool.ts';
import { powerAnswer, votersPower } from './voterPower.ts';

/** An address that was named, or that of the operator with the moniker that was named, and its account. */
interface NamedAccount {
  readonly address: string;
  readonly moniker?: string | undefined;
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
  const validators = names?.some(isMoniker) ? (await readAllValidators(question, session)).rows : [];
  return names?.map((named) => {
    const { read, alike, validator } = isMoniker(named)
      ? accountNamed(validators, named)
      : { read: toAccount(named), alike: 0, validator: undefined };
    if ('address' in read) {
      const { operator: address = named, moniker } = validator ?? {};
      return { address, moniker, account: read.address };
    }
    const reason = `${addressFaultText(read, plainEnglish)}.`;
    throw new ToolError(
      'input',
      alike > 1
        ? `"votes_of": ${alike} validators have this moniker.`
        : `"votes_of" has an entry that is not an account address, operator address or moniker. ${reason}`,
      useOperators,
    );
  });
}

/** True if a text cannot be meant as an address. */
export function isMoniker(name: string): boolean {
  return !('address' in toAccount(name)) && !/^[a-z]+1[a-z0-9]{20,}$/i.test(name);
}

const useOperators = 'Use operator addresses from list_validators.';

/** Gives the one validator with a moniker and its account, and the number of validators that have it. */
function accountNamed(
  validators: readonly Validator[],
  name: string,
): {
  readonly read: ReturnType<typeof toAccount>;
  readonly alike: number;
  readonly validator: Validator | undefined;
} {
  const alike = validators.filter(({ moniker }) => moniker.toLowerCase() === name.toLowerCase());
  const validator = alike.length === 1 ? alike[0] : undefined;
  return { read: toAccount(validator?.operator ?? name), alike: alike.length, validator };
}

/** Gives the account of the one validator with a moniker. Throws a `ToolError` if none has it, or several. */
export async function accountOfMoniker(
  question: Question,
  session: Session,
  [name, moniker]: readonly [parameter: string, moniker: string],
): Promise<string> {
  const { read, alike } = accountNamed((await readAllValidators(question, session)).rows, moniker);
  if ('address' in read) return read.address;
  const reason = alike > 1 ? `${alike} validators have this moniker` : 'no validator has this moniker';
  throw new ToolError('input', `"${name}" is not an address, and ${reason}.`, useOperators);
}

/** Reads the vote of an account on each of these proposals that is open. */
export async function votesOn(
  node: ChainNode,
  ids: readonly bigint[],
  voter: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, unknown>> {
  const found = new Map<bigint, unknown>();
  await concurrently(ids, 4, async (id) => {
    const vote = await orUndefined(node.vote(id, voter, signal));
    if (vote) found.set(id, voteAnswer(vote));
  });
  return found;
}

/** Reads single votes at the height of the tally. Gives a text if they cannot be known. */
export async function singleVotes(
  question: Question,
  session: Session,
  { proposal: { id, status }, height: tallyHeight }: Judgement,
  accounts: readonly NamedAccount[],
): Promise<CastVotes | string> {
  const { signal, onProgress } = question;
  if (status !== 'voting') return votesAreGone;
  let done = 0;
  const options = { height: tallyHeight, signal, onVote: (): void => onProgress(++done) };
  const names = [...new Set(accounts.map(({ account }) => account))];
  const { found, height } = await readSingleVotes(await session.node(), id, names, options);
  const powers = await votersPower(question, session, id, names);
  const rows = accounts.map(({ address, moniker, account }) => ({
    address,
    ...(moniker === undefined ? {} : { untrusted_moniker: shownText(moniker, 100) }),
    ...powers.get(account),
    vote: voteAnswer(found.get(account)),
  }));
  return { rows, height, isOfTally: isOfTally(session, height, tallyHeight) };
}

/** Whether votes are of the same state as the tally. */
function isOfTally({ isStill }: Session, height: bigint | undefined, tallyHeight: bigint | undefined): boolean {
  return isStill || (height !== undefined && height === tallyHeight);
}

const votesAreGone = 'a chain keeps individual votes only while voting is open';

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
      largest: silent.slice(0, host.isUnbounded ? silent.length : maxSilent).map((one) => ({
        untrusted_moniker: shownText(one.moniker, 100),
        ...powerAnswer([one], counted),
      })),
    },
    ...(voters ? await otherVotes(node, id, voters, signal) : await votesCast(node, id, signal)),
  };
  return { rows, beside, height, isOfTally: isOfTally(session, height, tallyHeight) };
}

/** The limit for the validators that are named because they have not voted. */
const maxSilent = 20;

const noCountedPower = 'nodes do not report how much of gross_power belongs to delegators who cast their own votes';

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
