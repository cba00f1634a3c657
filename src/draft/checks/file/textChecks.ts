import type { Node } from 'jsonc-parser';
import { addressFault } from '../../../chain/address.ts';
import { closestName } from '../../../chain/closestName.ts';
import { type Coin, type DenomMetadata, groupDigits, readCoins } from '../../../chain/coin.ts';
import { bareName } from '../../../chain/fields.ts';
import { whole } from '../../../chain/ratio.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import {
  type Draft,
  type DraftAction,
  isPoolSpend,
  isUpgrade,
  itemsOf,
  member,
  messagesOf,
  rawOf,
  textedNodes,
  textOf,
} from '../../draftText.ts';
import { type Finding, warning } from '../../finding.ts';

/** A text of a draft that voters read. */
export interface ReadText {
  readonly field: string;
  readonly text: string;
}

/** A payment of a draft: the places of its recipient and its amount. */
interface Payment {
  readonly recipient: Node | undefined;
  readonly amount: Node;
  readonly coins: readonly Coin[];
}

/**
 * Compares title and summary with the messages: amounts with their denom, addresses of this chain, contracts, and the name
 * and height of an upgrade. Only clear forms count, and only a text that names nothing of what the messages have.
 */
export function checkTexts(draft: Draft, facts: ChainFacts): readonly Finding[] {
  const payments = paymentsOf(draft);
  const [plan, ...others] = draft.actions.filter(isUpgrade);
  const texts = draftTexts(draft);
  return [
    ...contractFindings(draft, texts, facts),
    ...recipientFindings(texts, payments, facts),
    ...amountFindings(texts, payments, facts),
    ...(plan && others.length === 0 ? planFindings(texts, plan, facts) : []),
  ];
}

/** The title and summary of a draft, and those of its contents. */
export function draftTexts(draft: Draft): readonly ReadText[] {
  return [...textedNodes(draft)].flatMap((node) =>
    ['title', 'summary', 'description'].flatMap((field) => {
      const text = textOf(node, field);
      return text ? [{ field, text: text.slice(0, longest) }] : [];
    }),
  );
}

/** More of a text is not looked at. */
const longest = 20_000;

/** Whether an action pays coins to an account. */
export function isPayment(action: DraftAction): boolean {
  return isPoolSpend(action) || action.typeUrl === '/cosmos.bank.v1beta1.MsgSend';
}

function paymentsOf({ actions }: Draft): readonly Payment[] {
  return actions.filter(isPayment).flatMap((action) => {
    const amount = member(action.node, 'amount')?.value;
    const field = isPoolSpend(action) ? 'recipient' : 'to_address';
    const recipient = member(action.node, field)?.value;
    return amount ? [{ recipient, amount, coins: coinsIn(amount) }] : [];
  });
}

function coinsIn(amount: Node): readonly Coin[] {
  const listed = itemsOf(amount).map((coin) => {
    return { denom: textOf(coin, 'denom'), amount: String(member(coin, 'amount')?.value.value) };
  });
  return readCoins(amount.type === 'string' ? amount.value : listed) ?? [];
}

const addressForm = /\b[a-z]{1,20}1[02-9ac-hj-np-z]{38,58}\b/g;

/** Finds a text that names one account, which is paid nothing. */
function recipientFindings(
  texts: readonly ReadText[],
  payments: readonly Payment[],
  { prefix, moduleAccounts }: ChainFacts,
): readonly Finding[] {
  const paid = new Set(payments.map(({ recipient }) => recipient?.value));
  const [first] = payments;
  if (prefix === undefined || !first?.recipient) return [];
  const one = namedAddress(texts, addressForm, (said) => {
    return addressFault(said, prefix) === undefined && !moduleAccounts?.has(said);
  });
  if (!one || paid.has(one.said)) return [];
  return [warning('text-differs', first.recipient, { what: 'recipient', ...one, does: String(first.recipient.value) })];
}

/** The address that texts name in this form. Undefined if they name none, or several. */
function namedAddress(
  texts: readonly ReadText[],
  form: RegExp,
  isOwn: (said: string) => boolean,
): { readonly field: string; readonly said: string } | undefined {
  const named = texts.flatMap(({ field, text }) => [...text.matchAll(form)].map(([said]) => ({ field, said })));
  return onlyOne(named.filter(({ said }) => isOwn(said)));
}

/** The first of what texts say, if all of them say the same. */
function onlyOne<T extends { readonly said: string }>(named: readonly T[]): T | undefined {
  const [first] = named;
  return named.every(({ said }) => said === first?.said) ? first : undefined;
}

/** The contracts that a draft changes. A text about one that is called may name those that it calls. */
function contractsOf({ actions }: Draft): readonly Node[] {
  return actions.flatMap(({ package: module, name, node }) => {
    const isChanged = module === 'cosmwasm.wasm.v1' && !name.includes('Execute');
    const contract = isChanged ? member(node, 'contract')?.value : undefined;
    return typeof contract?.value === 'string' ? [contract] : [];
  });
}

/** An address of 32 bytes, as contracts have (BuildContractAddressClassic, x/wasm/keeper/addresses.go of CosmWasm/wasmd). */
const contractForm = /\b[a-z]{1,20}1[02-9ac-hj-np-z]{58}\b/g;

/** Finds a text that names one contract, which the messages do not have. */
function contractFindings(draft: Draft, texts: readonly ReadText[], { prefix }: ChainFacts): readonly Finding[] {
  const [first] = contractsOf(draft);
  if (prefix === undefined || !first) return [];
  const one = namedAddress(texts, contractForm, (said) => addressFault(said, prefix) === undefined);
  if (!one) return [];
  // Part of a message may name it, too.
  if (messagesOf(draft).some((message) => rawOf(draft, message).includes(one.said))) return [];
  return [warning('text-differs', first, { what: 'contract', ...one, does: String(first.value) })];
}

/** An amount that a text names. */
interface NamedAmount {
  readonly field: string;
  readonly said: string;
  /** In base units, multiplied by 10^18. */
  readonly amount: bigint;
  /** The words before it say that it is paid. */
  readonly isPaid: boolean;
}

/** Finds a text that names another amount than what is paid. */
function amountFindings(
  texts: readonly ReadText[],
  payments: readonly Payment[],
  { units }: ChainFacts,
): readonly Finding[] {
  const denoms = new Set(payments.flatMap(({ coins }) => coins.map(({ denom }) => denom)));
  return [...denoms].flatMap((denom): readonly Finding[] => {
    const paid = payments.flatMap(({ coins }) => coins.filter((coin) => coin.denom === denom));
    const total = paid.reduce((sum, { amount }) => sum + amount, 0n);
    const named = amountsIn(texts, namesOf(denom, units?.get(denom)));
    const sum = named.reduce((all, { amount }) => all + amount, 0n);
    const isPaid = (amount: bigint): boolean =>
      [total, ...paid.map((one) => one.amount)].some((one) => isNear(amount, one));
    if (total === 0n || isPaid(sum) || named.some(({ amount }) => isPaid(amount))) return [];
    // Each of several amounts may be a part, or that of something else.
    const isAlone = named.every(({ amount }) => amount === named[0]?.amount);
    const wrong = named.filter((one) => (isAlone && one.isPaid) || isShifted(one.amount, total));
    const [one, ...others] = wrong;
    const at = payments.find(({ coins }) => coins.some((coin) => coin.denom === denom))?.amount;
    if (!one || !at || others.some(({ amount }) => amount !== one.amount)) return [];
    const does = `${groupDigits(total)} ${denom}`;
    return [warning('text-differs', at, { what: 'amount', field: one.field, said: one.said, does })];
  });
}

/** Gives the names of a denom in lower case, with their exponents. */
function namesOf(denom: string, stated: DenomMetadata | undefined): ReadonlyMap<string, number> {
  const { units = [], unit } = stated ?? {};
  const named = [...units.map((one) => [one.denom, one.exponent] as const), [denom, 0] as const];
  const all = unit ? [...named, [unit.symbol, unit.exponent] as const] : named;
  return new Map(all.map(([name, exponent]) => [name.toLowerCase(), exponent]));
}

const amountForm =
  /(?<![\w.,$])(\d{1,3}(?:[,_'\u00a0 ]\d{3}){1,8}|\d{1,40})(\.\d{1,18})?\s{0,2}(?:(million|thousand|billion|mn|bn|k|m|b)(?![a-z]))?\s{0,2}[$`*]{0,2}([a-z](?:[\w/:-]{0,126}\w))/gi;
const multiples: Readonly<Record<string, bigint>> = { k: 10n ** 3n, t: 10n ** 3n, m: 10n ** 6n, b: 10n ** 9n };
const payingWords =
  /\b(?:pay|pays|paid|paying|spend|spends|spending|send|sends|sending|transfer|transfers|grant|grants|request|requests|requesting|ask|asks|asking|award|awards|allocate|allocates|amount|total)\b[^.\n\d]{0,40}$/i;

function amountsIn(texts: readonly ReadText[], names: ReadonlyMap<string, number>): readonly NamedAmount[] {
  return texts.flatMap(({ field, text }) =>
    [...text.matchAll(amountForm)].flatMap((match): readonly NamedAmount[] => {
      const [said, digits = '', decimals = '', multiple = '', name = ''] = match;
      const exponent = names.get(name.toLowerCase());
      // `5.000` may be five or five thousand.
      if (exponent === undefined || decimals.length === 4) return [];
      const units = BigInt(digits.replace(/\D/g, '') + decimals.slice(1).padEnd(18, '0'));
      const factor = multiples[multiple.charAt(0).toLowerCase()] ?? 1n;
      const before = text.slice(Math.max(0, match.index - 60), match.index);
      const amount = (units * factor * 10n ** BigInt(exponent)) / whole;
      return [{ field, said, amount, isPaid: payingWords.test(before) }];
    }),
  );
}

/** Whether two amounts are equal but for rounding, by 1 %. */
function isNear(one: bigint, other: bigint): boolean {
  const difference = one > other ? one - other : other - one;
  return difference * 100n <= other;
}

/** Whether two amounts differ only in the number of zeros at their end. */
function isShifted(one: bigint, other: bigint): boolean {
  const [some, others] = [one, other].map((amount) => String(amount).replace(/(?<!0)0+$/, ''));
  return some === others;
}

/** Finds a text that names another upgrade than the plan. */
function planFindings(texts: readonly ReadText[], { node }: DraftAction, facts: ChainFacts): readonly Finding[] {
  const plan = member(node, 'plan')?.value;
  const [name, height] = [member(plan, 'name')?.value, member(plan, 'height')?.value];
  return [
    ...(name && typeof name.value === 'string' ? nameFindings(texts, name, name.value) : []),
    ...(height ? heightFindings(texts, height, facts) : []),
  ];
}

function nameFindings(texts: readonly ReadText[], at: Node, plan: string): readonly Finding[] {
  const words = texts.flatMap(({ field, text }) =>
    [...text.matchAll(/[a-z0-9][\w.+/-]{0,63}/gi)].map(([word]) => ({
      field,
      word: word.replace(/(?<![.\-/])[.\-/]+$/, ''),
    })),
  );
  const bare = bareName(plan);
  const isNamed = words.some(({ word }, index) => {
    const next = words[index + 1]?.word ?? '';
    return bareName(word) === bare || bareName(word + next) === bare || isVersionOf(plan, word);
  });
  if (isNamed) return [];
  const version = /^v?\d+(\.\d+){0,3}$/i.test(plan) ? versionIn(texts) : undefined;
  if (version) return [warning('text-differs', at, { what: 'plan', ...version, does: plan })];
  // With other digits, it may be an earlier upgrade.
  const alike = words.filter(({ word }) => digitsOf(word) === digitsOf(plan));
  const meant = closestName(
    plan,
    alike.map(({ word }) => word),
  );
  const found = alike.find(({ word }) => word === meant);
  return found ? [warning('text-differs', at, { what: 'plan', field: found.field, said: found.word, does: plan })] : [];
}

/** The version that the texts name as the aim of the upgrade. Undefined if they name none, or several. */
function versionIn(texts: readonly ReadText[]): { readonly field: string; readonly said: string } | undefined {
  const form = /\bupgrade (?:the chain |the network )?to [`"'*]{0,2}(v\d[\w.-]{0,30}\w|v\d)/gi;
  return onlyOne(
    texts.flatMap(({ field, text }) => [...text.matchAll(form)].map(([, said = '']) => ({ field, said }))),
  );
}

/** Whether a word is the name of a plan with more behind it, or the beginning of it: `v15` and `v15.0.0`. */
function isVersionOf(plan: string, word: string): boolean {
  const [short = '', long = ''] = [plan.toLowerCase(), word.toLowerCase()].toSorted((a, b) => a.length - b.length);
  return short.length > 1 && long.startsWith(short) && /^[^a-z0-9]/.test(long.slice(short.length));
}

/** The numbers in a text. */
function digitsOf(text: string): string {
  return (text.match(/\d+/g) ?? []).join(' ');
}

/** Finds a text that names another height of the future. A passed one may be that of an earlier upgrade. */
function heightFindings(texts: readonly ReadText[], at: Node, { height: today }: ChainFacts): readonly Finding[] {
  const plan = String(at.value);
  if (today === undefined || !/^\d{1,19}$/.test(plan)) return [];
  const plain = texts.map(({ text }) => text.replace(/(?<=\d)[,._' \u00a0](?=\d{3})/g, ''));
  if (plain.some((text) => [...text.matchAll(/\d{1,40}/g)].some(([digits]) => digits === plan))) return [];
  const form = /\b(?:height|block)\b[^\d\n]{0,20}(\d{1,3}(?:[,._' \u00a0]\d{3}){1,6}|\d{5,19})\b/gi;
  const named = texts
    .flatMap(({ field, text }) => [...text.matchAll(form)].map(([, said = '']) => ({ field, said })))
    .filter(({ said }) => heightOf(said) > today);
  // Each of several heights may be that of something else.
  const near = new Set(named.map(({ said }) => String(heightOf(said))));
  const meant = near.size === 1 ? [...near][0] : closestName(plan, [...near]);
  const found = named.find(({ said }) => String(heightOf(said)) === meant);
  if (!found) return [];
  const does = groupDigits(BigInt(plan));
  return [warning('text-differs', at, { what: 'height', field: found.field, said: found.said, does })];
}

function heightOf(said: string): bigint {
  return BigInt(said.replace(/\D/g, ''));
}
