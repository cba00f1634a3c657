import type { Coin } from '../../chain/coin.ts';
import type { Fields } from '../../chain/fields.ts';
import { type ChainFacts, isSince } from '../chainFacts.ts';
import { isExpeditedDraft, readDeposit } from '../checks/file/depositChecks.ts';
import { opening } from '../checks/file/formChecks.ts';
import { type Draft, member, messagesOf, rangeOf, type TextRange, textOf } from '../draftText.ts';
import { memberValues, toValue, withTexts } from './draftValues.ts';

/** The message that submits a draft in the form of this chain. A deposit that cannot be read is left out. */
export function submissionOf(draft: Draft, proposer: string, facts: ChainFacts): Fields {
  const { root, kind } = draft;
  const text = (name: string): string => textOf(root, name) ?? '';
  const initial_deposit = toWire(readDeposit(text('deposit'), facts) ?? []);
  const [own] = draft.actions;
  if (kind !== 'messages' && own) {
    const fields: Fields = { ...withTexts(draft, own, memberValues(draft, root)), '@type': own.typeUrl };
    const { recipient, amount, ...content } = fields;
    const paid = recipient === undefined ? {} : { recipient, amount: toWire(readDeposit(String(amount), facts) ?? []) };
    return {
      '@type': '/cosmos.gov.v1beta1.MsgSubmitProposal',
      content: { ...content, ...paid },
      initial_deposit,
      proposer,
    };
  }
  const messages = messagesOf(draft).map((message) => toValue(draft, message));
  const titles = isSince(facts, 'titles') === false ? {} : { title: text('title'), summary: text('summary') };
  const expedited = isExpeditedDraft(draft) ? { expedited: true } : {};
  const fields = { messages, initial_deposit, proposer, metadata: text('metadata'), ...titles, ...expedited };
  return { '@type': '/cosmos.gov.v1.MsgSubmitProposal', ...fields };
}

function toWire(coins: readonly Coin[]): readonly Fields[] {
  return coins.map(({ denom, amount }) => ({ denom, amount: String(amount) }));
}

/** Sentences of nodes, and the field that each is about (x/gov/keeper/msg_server.go, proposal.go, deposit.go). */
const sentences: readonly (readonly [sentence: RegExp, field: string])[] = [
  [/metadata (title|summary) .{0,500} must equal|metadata too long/, 'metadata'],
  [/proposal title|title too long/, 'title'],
  [/proposal summary|summary too long/, 'summary'],
  [/deposit|insufficient funds|is smaller than/, 'deposit'],
  [/messages proposed/, 'messages'],
];

/** The place for a node's answer: the field that the sentence is about, or the first bracket if that is not clear. */
export function placeOfAnswer(draft: Draft, sentence: string): TextRange {
  const { root, actions } = draft;
  const own = sentences.find(([said]) => said.test(sentence))?.[1];
  const known = own === undefined ? undefined : member(root, own);
  if (own !== undefined) return known ? rangeOf(known.value) : opening(root);
  const named = actions.find(({ typeUrl }) => typeUrl !== '' && sentence.includes(typeUrl.replace(/^\//, '')));
  const type = named && member(named.node, '@type');
  if (type) return rangeOf(type.value);
  if (/gov account|address|hrp|bech32/i.test(sentence)) {
    const signers = actions.flatMap(({ node }) => member(node, 'authority')?.value ?? []);
    const wrong = signers.find(({ value }) => value !== '' && sentence.includes(String(value)));
    const empty = signers.find(({ value }) => value === '');
    const signer = wrong ?? empty ?? signers[0];
    if (signer) return rangeOf(signer);
  }
  const ofType = actions.find(({ name }) => sentence.includes(`.${name}:`));
  return opening(ofType?.node ?? root);
}
