import { groupDigits } from '../chain/coin.ts';
import type { Translate } from '../words/language.ts';
import { fieldSentences } from './checks/fields/fieldWords.ts';
import { fileSentences } from './checks/file/fileWords.ts';
import { harmSentences } from './checks/harm/harmWords.ts';
import { ibcSentences } from './checks/ibc/ibcWords.ts';
import { messageSentences } from './checks/messages/messageWords.ts';
import { paramSentences } from './checks/params/paramWords.ts';
import { paymentSentences } from './checks/payments/paymentWords.ts';
import { upgradeSentences } from './checks/upgrades/upgradeWords.ts';
import { minuteText, type Sentences, shown } from './checks/valueWords.ts';
import type { FindingCode, FindingDetails, FindingOf, RepairDetails, RepairOf } from './finding.ts';

/**
 * Words a finding in one or two sentences. Texts of the file are shortened, and control characters are made visible.
 */
export function findingText<C extends FindingCode>({ code, details }: FindingOf<C>, t: Translate): string {
  return sentences[code](details, t);
}

/** Words a repair as the title of an action. */
export function repairText<C extends keyof RepairDetails>({ code, details }: RepairOf<C>, t: Translate): string {
  return repairTitles[code](details, t);
}

const sentences: Sentences<FindingDetails> = {
  ...fileSentences,
  ...fieldSentences,
  ...messageSentences,
  ...paymentSentences,
  ...upgradeSentences,
  ...ibcSentences,
  ...paramSentences,
  ...harmSentences,
};

const repairTitles: { readonly [C in keyof RepairDetails]: (details: RepairDetails[C], t: Translate) => string } = {
  'params-from-chain': ({ count }, t) => t('Add the other parameters from the chain ({0})', count),
  'authority-from-chain': ({ account }, t) => t('Set to the gov account ({0})', account),
  'deposit-to-submit': ({ deposit }, t) => t('Set to the minimum to submit ({0})', deposit),
  'deposit-to-vote': ({ deposit, isExpedited }, t) =>
    isExpedited
      ? t('Set to the minimum for an expedited vote ({0})', deposit)
      : t('Set to the minimum for voting ({0})', deposit),
  quote: (_, t) => t('Convert to the expected form'),
  'text-from-metadata': ({ field }, t) => t('Use the {0} from the metadata', field),
  'metadata-from-text': ({ field }, t) => t('Copy the {0} to the metadata', field),
  'metadata-remove': (_, t) => t('Clear the metadata'),
  'metadata-inline': (_, t) => t('Copy title and summary to the metadata'),
  'height-at-time': ({ height, time }, t) => t('Set to {0}, expected at {1}', groupDigits(height), minuteText(time)),
  unescape: ({ field }, t) => t('Fix line breaks in the {0}', field),
  'wrap-legacy': (_, t) => t('Wrap in a MsgExecLegacyContent'),
  'drop-unchanged': (_, t) => t('Remove'),
  'key-rename': ({ name }, t) => t('Rename to {0}', name),
  unwrap: (_, t) => t('Move the fields to the top level'),
  'slash-add': (_, t) => t('Add the slash'),
  'comma-remove': (_, t) => t('Remove the comma'),
  'spend-from-pool': (_, t) => t('Spend from the community pool instead'),
  'expedited-remove': (_, t) => t('Remove "expedited"'),
  'deposit-as-text': (_, t) => t('Convert the coins to a string'),
  'type-rename': ({ type }, t) => t('Rename to {0}', type),
  convert: ({ value }, t) => t('Replace with {0}', shown(value)),
  'coins-sort': (_, t) => t('Sort the coins'),
};
