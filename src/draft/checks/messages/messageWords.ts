import { groupDigits } from '../../../chain/coin.ts';
import { addressFaultText } from '../../../words/errorWords.ts';
import { listText, type Translate } from '../../../words/language.ts';
import { coins, failingText, limitText, minuteText, numberText, type Sentences, shown } from '../valueWords.ts';
import type { MessageFault, MessageFindings, WasmFault } from './messageFindings.ts';

/** The sentences of findings about the accounts and values of messages. */
export const messageSentences: Sentences<MessageFindings> = {
  'authority-wrong': ({ found, expected, field, fault }, t) => {
    if (found === '') return t('The {0} is missing. It must be the gov account of this chain, {1}.', field, expected);
    return fault === undefined
      ? t('The {0} must be the gov account of this chain, {1}.', field, expected)
      : t('The {0} must be the gov account of this chain, {1}. {2}.', field, expected, addressFaultText(fault, t));
  },
  'address-invalid': ({ field, fault }, t) =>
    fault.kind === 'empty'
      ? t('The {0} is missing.', field)
      : t('The {0} is not an account address of this chain. {1}.', field, addressFaultText(fault, t)),
  'message-value': (details, t) => messageText(details, t),
  'time-early': ({ field, time, end }, t) =>
    t('{0} is {1}, but the vote ends at about {2}. Choose a later time.', field, minuteText(time), minuteText(end)),
  'wasm-code': ({ fault, fails }, t) => failingText(wasmText(fault, t), fails, t),
  'validator-unknown': ({ field }, t) =>
    t('{0}: this chain has no validator with this address. The message would fail when it is executed.', field),
  'delegation-unknown': (_, t) =>
    t('The gov account has no delegation to this validator. The message would fail when it is executed.'),
  'proposal-proposer': ({ id, proposer }, t) =>
    t(
      'Proposal {0} can only be canceled by its proposer, {1}. The message would fail when it is executed.',
      shown(id),
      shown(proposer),
    ),
  'proposal-closed': ({ id, status, ends }, t) => {
    if (ends)
      return t(
        'Voting on proposal {0} ends by {1}, before a vote on this draft would end (about {2}). The message would fail when it is executed.',
        shown(id),
        minuteText(ends.last),
        minuteText(ends.end),
      );
    if (status === undefined)
      return t('This chain has no proposal {0}. The message would fail when it is executed.', shown(id));
    return status === 'deposit'
      ? t('Voting on proposal {0} has not started. Until it does, the message would fail.', shown(id))
      : t('Proposal {0} is no longer open. The message would fail when it is executed.', shown(id));
  },
};

function wasmText(fault: WasmFault, t: Translate): string {
  const texts: Readonly<Record<WasmFault, string>> = {
    hex: t('The code is in hexadecimal. Use the base64-encoded .wasm file.'),
    twice: t('The code is base64-encoded twice. Encode the .wasm file only once.'),
    zip: t('The code is a zip archive. Use the base64-encoded .wasm file, plain or gzipped.'),
    text: t('The code is in WebAssembly text format. Use the base64-encoded .wasm file.'),
    short: t('The code is only a few bytes long. Use the base64-encoded .wasm file.'),
    other: t('The code is not WebAssembly. Use the base64-encoded .wasm file, plain or gzipped.'),
  };
  return texts[fault];
}

function messageText(details: MessageFault, t: Translate): string {
  switch (details.fault) {
    case 'weight': {
      const wanted = limitText({ kind: 'share', isPositive: true }, t);
      return failingText(t('{0} must be {1}.', 'weight', wanted), details.fails, t);
    }
    case 'weightSum':
      return failingText(
        t('The weights add up to {0}. They must add up to exactly 1.', numberText(details.sum)),
        details.fails,
        t,
      );
    case 'optionTwice':
      return failingText(t('The option {0} is listed twice.', shown(details.option)), details.fails, t);
    case 'sums': {
      const [inputs, outputs] = [coins(details.inputs, t), coins(details.outputs, t)];
      const said = t('The inputs total {0}, but the outputs total {1}. The totals must be equal.', inputs, outputs);
      return failingText(said, details.fails, t);
    }
    case 'inputs':
      return failingText(t('Only one input is allowed. Use a separate message for each sender.'), details.fails, t);
    case 'same':
      return failingText(t('{0} must differ from {1}.', details.field, details.other), details.fails, t);
    case 'again':
      return failingText(t('An earlier message has the same {0}.', details.field), 'execution', t);
    case 'exists':
      return failingText(t('{0} already has an account. Use a new address.', details.field), 'execution', t);
    case 'shareSum': {
      const said = t(
        'The shares of the community pool in this draft add up to {0}. They must not add up to more than 1.',
        numberText(details.sum),
      );
      return failingText(said, 'execution', t);
    }
    case 'limit':
      return failingText(t('{0} must be {1}.', details.field, limitText(details.limit, t)), details.fails, t);
    case 'only':
      return failingText(t('{0} must be {1}.', details.field, JSON.stringify(details.wanted)), details.fails, t);
    case 'spaces':
      return failingText(t('{0} must not begin or end with a space.', details.field), details.fails, t);
    case 'twice':
      return failingText(t('{0} is listed twice.', shown(details.value)), details.fails, t);
    case 'long':
      return t(
        '{0} is {1} bytes long. The default limit is {2}.',
        details.field,
        groupDigits(details.bytes),
        groupDigits(details.most),
      );
    case 'denom': {
      const said = t(
        '{0} contains {1}, which is missing from {2}.',
        details.field,
        shown(details.denom),
        details.other,
      );
      return failingText(said, details.fails, t);
    }
    case 'order':
      return failingText(t('{0} must be at least {1}.', details.larger, details.smaller), details.fails, t);
    case 'oldAccess': {
      const said = t(
        'CosmWasm no longer has OnlyAddress (since SDK 0.47). Use AnyOfAddresses with a list of addresses.',
      );
      return details.isGone ? failingText(said, details.fails, t) : said;
    }
    case 'source': {
      const missing = listText(details.lacking, t);
      const said = t('Set source, builder and code_hash together, or none of them. Missing: {0}.', missing);
      return failingText(said, details.fails, t);
    }
    case 'encoded':
      return details.isBase64
        ? t('{0} is base64-encoded JSON. Use the JSON itself, as the contract reads it.', details.field)
        : t('{0} is JSON in a string. Use the JSON itself, as the contract reads it.', details.field);
    case 'short':
      return details.least === 'second'
        ? t('{0} is less than a second. Use nanoseconds, such as "600000000000" for 10 minutes.', details.field)
        : t('{0} is less than a millisecond. Use nanoseconds, such as "30000000000" for 30 seconds.', details.field);
    case 'alone':
      return t('A single member could decide alone. Increase {0} to require more than one.', details.field);
    case 'id':
      return t('{0} does not look like an IBC identifier. Use one such as {1}.', details.field, details.example);
    case 'nothing':
      return t('{0} is empty. The chain accepts it, but it permits nothing.', details.field);
    case 'reset':
      return t(
        '{0} is in both send_enabled and use_default_for, so the new setting would be removed right away.',
        shown(details.denom),
      );
    case 'unit': {
      const said = {
        milliseconds: t('{0} is in milliseconds. Use seconds since 1970.', details.field),
        microseconds: t('{0} is in microseconds. Use seconds since 1970.', details.field),
        nanoseconds: t('{0} is in nanoseconds. Use seconds since 1970.', details.field),
      };
      return said[details.unit];
    }
    case 'period':
      return t(
        '{0} is {1}, far in the past. Use a time in seconds since 1970, not a duration.',
        details.field,
        minuteText(details.time),
      );
    default:
      return details satisfies never;
  }
}
