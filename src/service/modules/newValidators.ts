import type { Fields } from '../../chain/fields.ts';
import { isParsedObject, scalarText } from '../scan/jsonValue.ts';

/** The limit for the validators of a genesis that are told. */
export const maxCreated = 200;

/**
 * Gives the validator that a transaction creates; undefined if it creates none. It is in the form of protobuf, or of
 * amino until SDK 0.39.
 */
export function createdValidator(transaction: unknown): Fields | undefined {
  if (!isParsedObject(transaction)) return undefined;
  const { body, value } = transaction;
  const messages = isParsedObject(body) ? body.messages : isParsedObject(value) ? value.msg : undefined;
  const typeOf = (message: unknown): unknown => (isParsedObject(message) ? (message['@type'] ?? message.type) : '');
  const found: unknown = Array.isArray(messages)
    ? messages.find((one) => /[./]MsgCreateValidator$/.test(String(typeOf(one))))
    : undefined;
  if (!isParsedObject(found)) return undefined;
  const fields = '@type' in found || !isParsedObject(found.value) ? found : found.value;
  const inside = (name: string, member: string): string => {
    const part = fields[name];
    return isParsedObject(part) ? scalarText(part[member]).slice(0, 300) : '';
  };
  return {
    moniker: inside('description', 'moniker'),
    operator_address: scalarText(fields.validator_address).slice(0, 300),
    commission: inside('commission', 'rate'),
    amount: inside('value', 'amount'),
  };
}

/** Says how many validators a genesis creates with its first block. */
export function newValidatorsNotice(count: number): string {
  const subject =
    count === 1
      ? '1 transaction in this genesis creates a validator'
      : `${count} transactions in this genesis create validators`;
  return `${subject} in the first block. Until then, no list includes ${count === 1 ? 'it' : 'them'} (gen_txs).`;
}
