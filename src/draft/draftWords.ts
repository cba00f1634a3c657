import { type Coin, groupDigits } from '../chain/coin.ts';
import { escapeForUi, showControls, utcMinute } from '../chain/text.ts';
import { plural, type Translate } from '../words/language.ts';
import type {
  Finding,
  FindingCode,
  FindingFacts,
  FindingOf,
  RepairFacts,
  RepairOf,
  Severity,
  Unchecked,
} from './finding.ts';
import type { KnownFacts } from './knownFacts.ts';
import type { ParamLimit } from './paramRules.ts';

/** What a finding says, in one or two sentences. Texts of the file are cut, and their controls are made visible. */
export function findingText<C extends FindingCode>({ code, facts }: FindingOf<C>, t: Translate): string {
  return sentences[code](facts, t);
}

/** What a repair does, as the title of an action. */
export function repairText<C extends keyof RepairFacts>({ code, facts }: RepairOf<C>, t: Translate): string {
  return repairTitles[code](facts, t);
}

const sentences: { readonly [C in FindingCode]: (facts: FindingFacts[C], t: Translate) => string } = {
  'json-syntax': ({ fault }, t) => t('This is not valid JSON: {0}.', fault),
  'too-many-questions': ({ limit, params, legacy, plans }, t) => {
    const left = [
      params > 0 &&
        plural(params, t('the parameters of 1 module'), t('the parameters of {0} modules', groupDigits(params))),
      legacy > 0 && plural(legacy, t('1 legacy parameter'), t('{0} legacy parameters', groupDigits(legacy))),
      plans > 0 && plural(plans, t('the name of 1 upgrade'), t('the names of {0} upgrades', groupDigits(plans))),
    ];
    const list = left.filter((one) => one !== false).join(', ');
    return t('A chain is asked at most {0} questions about a draft. Not checked from here on: {1}.', limit, list);
  },
  'json-form': ({ hasMark, comments, twice }, t) => {
    const names = twice.slice(0, 5).map(shown).join(', ');
    const said = [
      hasMark && t('The file begins with a byte order mark, which nodes refuse.'),
      comments > 0 && t('The file has comments, which JSON does not allow.'),
      twice.length > 0 && t('These names stand twice in an object: {0}. The last one counts.', names),
    ];
    return said.filter((one) => one !== false).join(' ');
  },
  'too-large': ({ limit }, t) =>
    limit === 'size'
      ? t('This draft is not checked: it is longer than 2 MB.')
      : t('This draft is not checked: its values are nested more than 200 deep.'),
  'gov-form': (_, t) =>
    t('This chain has no gov v1 and takes no proposals of messages. Write it as a legacy proposal.'),
  'title-missing': ({ field }, t) => t('The {0} is missing or empty. The chain refuses a proposal without it.', field),
  'summary-missing': ({ field }, t) =>
    t('The {0} is missing or empty. The chain refuses a proposal without it.', field),
  'empty-proposal': (_, t) => t('There are neither messages nor metadata. The chain refuses a proposal without both.'),
  'field-type': ({ field, wanted }, t) =>
    t('{0} has to be: {1}. The draft cannot be read as it is.', shown(field), wanted),
  'field-unknown': ({ field, of, meant }, t) => {
    const said =
      of === ''
        ? t('A draft has no field {0}; it is dropped without a word.', shown(field))
        : t(
            '{0} has no field {1} that is known here. The command line refuses it, REST drops it.',
            shown(of),
            shown(field),
          );
    return meant === undefined ? said : `${said} ${t('Did you mean {0}?', meant)}`;
  },
  'metadata-contradicts': ({ field, inMetadata }, t) =>
    t(
      'The metadata has another {0}: "{1}". The chain refuses a proposal whose metadata differs.',
      field,
      shown(inMetadata),
    ),
  'metadata-file': ({ field, inFile }, t) =>
    t(
      'draft_metadata.json, which lies beside this draft, has another {0}: "{1}". Whoever follows the metadata reads that one.',
      field,
      shown(inFile),
    ),
  'metadata-placeholder': (_, t) => t('"ipfs://CID" is the placeholder of draft-proposal; it leads nowhere.'),
  'text-long': ({ field, bytes, limit }, t) =>
    t(
      '{0} has {1} bytes. Chains that keep the limit of the SDK, {2}, refuse it.',
      field,
      groupDigits(bytes),
      groupDigits(limit),
    ),
  'escaped-twice': ({ field }, t) =>
    t('The {0} shows a backslash and a letter where a line was to end: it was escaped twice.', field),
  'deposit-form': (_, t) => t('The deposit has to be a text of amounts with their denoms, such as "1000uatom,5stake".'),
  'deposit-small': ({ needed, isAnyEnough }, t) =>
    isAnyEnough
      ? t('The deposit is too small: a proposal needs at least one of {0} when it is submitted.', coins(needed))
      : t('The deposit is too small: a proposal needs {0} when it is submitted.', coins(needed)),
  'deposit-denom': ({ denom, accepted }, t) =>
    t('{0} does not count for deposits; this chain takes {1}.', shown(denom), accepted.map(shown).join(', ')),
  'deposit-waits': ({ minimum }, t) =>
    t('Voting does not start with this deposit, but when {0} are there.', coins(minimum)),
  'expedited-unsupported': (_, t) => t('This chain has no parameters of expedited votes: the field would be ignored.'),
  'type-missing': (_, t) => t('This message has no "@type".'),
  'type-form': ({ type }, t) => t('The type "{0}" does not begin with a slash.', shown(type)),
  'legacy-in-messages': ({ type }, t) =>
    t('{0} is a legacy content, and no message: it has to be inside a MsgExecLegacyContent.', shown(type)),
  'authority-wrong': ({ found, expected, field }, t) =>
    found === ''
      ? t('The {0} is missing. It has to be the gov account of this chain, {1}.', field, expected)
      : t('The {0} is not the gov account of this chain, {1}, which alone signs proposals.', field, expected),
  'address-invalid': ({ field, prefix }, t) =>
    prefix === undefined
      ? t('The {0} is no address.', field)
      : t('The {0} is no address of an account of this chain, which begins with "{1}1".', field, prefix),
  'recipient-module': ({ module }, t) =>
    t('This is the account of the module {0}. Apps usually refuse payments to modules.', shown(module)),
  'spend-over-pool': ({ asked, held }, t) =>
    t(
      'The community pool holds {0}; the draft spends {1}. It fails when it is executed after the vote.',
      coins([{ ...asked, amount: held }]),
      coins([asked]),
    ),
  'send-from-gov': (_, t) =>
    t('This pays from the account of gov, which holds the deposits of proposals, and not from the community pool.'),
  'upgrade-plan': ({ field }, t) =>
    field === 'time'
      ? t('Upgrades at a time are no longer possible: leave the time out, and name a height.')
      : t('The plan of an upgrade needs its {0}.', field),
  'upgrade-height-past': ({ asked, height }, t) =>
    t(
      'Block {0} has passed: the chain is at {1}. The upgrade fails when it is to be planned after the vote.',
      groupDigits(asked),
      groupDigits(height),
    ),
  'upgrade-height-early': ({ asked, earliest, blockSeconds }, t) =>
    t(
      'Block {0} is expected before the vote ends, at about {1} (blocks of {2} s). It would fail then.',
      groupDigits(asked),
      groupDigits(earliest),
      blockSeconds.toFixed(2),
    ),
  'upgrade-applied': ({ name, height }, t) =>
    t('The upgrade "{0}" was applied at height {1}; a name is taken once.', shown(name), groupDigits(height)),
  'upgrade-info': ({ fault }, t) =>
    fault === 'json'
      ? t('The info begins like JSON, but is none: cosmovisor cannot read it.')
      : t(
          'An address in the info has no whole checksum (checksum=sha256:…). A checksum is optional by default; cosmovisor refuses an address without one where DAEMON_DOWNLOAD_MUST_HAVE_CHECKSUM is set.',
        ),
  'legacy-handler': ({ type, instead }, t) =>
    t('The SDK of this chain has no handler for {0}: {1} replaces it. An app may have kept it.', shown(type), instead),
  'number-unquoted': ({ field, isLarge }, t) =>
    isLarge
      ? t('{0} is a number above 2^53 without quotes: many tools change its digits.', shown(field))
      : t('{0} is a 64-bit number, which JSON has in quotes.', shown(field)),
  'params-incomplete': ({ missing }, t) =>
    t(
      '{0} parameters are missing and would be set to zero: {1}. A node takes this; it halts or harms the chain when it is executed.',
      missing.length,
      missing.map(({ name, today }) => t('{0} (today {1})', shown(name), shown(today))).join(', '),
    ),
  'params-empty': ({ module }, t) =>
    t('No parameter of {0} is given: all of them would be set to zero.', shown(module)),
  'param-value': ({ field, limit }, t) =>
    t('{0} must be {1}. The chain refuses any other value.', shown(field), limitText(limit, t)),
  'param-order': ({ larger, smaller, mayBeEqual }, t) =>
    mayBeEqual
      ? t('{0} must not be below {1}. The chain refuses it otherwise.', larger, smaller)
      : t('{0} must be above {1}. The chain refuses it otherwise.', larger, smaller),
  'vote-extensions': (facts, t) => {
    if (facts.fault === 'negative') return t('The height of vote extensions must not be negative.');
    if (facts.fault === 'past')
      return t('Vote extensions must start in the future. The chain is at block {0}.', groupDigits(facts.height));
    if (facts.fault === 'enabled')
      return t('Vote extensions are on since block {0} and cannot be changed.', groupDigits(facts.enabled));
    return t(
      'The vote is expected to end at about block {0}. Vote extensions must start after the proposal is executed.',
      groupDigits(facts.earliest),
    );
  },
  unchanged: ({ what, name }, t) =>
    what === 'params'
      ? t('This changes nothing: all parameters of {0} are today’s.', shown(name))
      : t('{0} has this value today.', shown(name)),
  'legacy-param-unknown': ({ subspace, key, meant }, t) =>
    meant === undefined
      ? t('The chain holds no parameter "{0}" in the subspace "{1}".', shown(key), shown(subspace))
      : t(
          'There is no parameter "{0}" in the subspace "{1}"; it is written "{2}".',
          shown(key),
          shown(subspace),
          meant,
        ),
  'legacy-param-moved': ({ subspace, key }, t) =>
    t(
      '{0} keeps "{1}" itself and no longer reads the legacy parameter: use its MsgUpdateParams.',
      shown(subspace),
      shown(key),
    ),
  'legacy-value-type': ({ today }, t) => t('The value has to be JSON for: {0}. The chain refuses it as it is.', today),
};

/** The values that a parameter may have, as the end of a sentence. */
function limitText(limit: ParamLimit, t: Translate): string {
  switch (limit.kind) {
    case 'share':
      return limit.isPositive
        ? t('a decimal number above 0 and at most 1, such as "0.5"')
        : t('a decimal number from 0 to 1, such as "0.5"');
    case 'whole':
      return t('a whole number from {0} to {1}', groupDigits(limit.min), groupDigits(limit.max));
    case 'blockSize':
      return t('a number of bytes from 1 to 104,857,600, or -1 for the largest size');
    case 'period':
      return t('a duration above 0, such as "1209600s"');
    case 'denom':
      return t('a denom: 3 to 128 letters, digits and / : . _ -, beginning with a letter');
    case 'coins':
      return t('a list of coins such as {"denom": "stake", "amount": "1"}, each denom once and each amount above 0');
    case 'coin':
      return t('a coin such as {"denom": "stake", "amount": "1"}');
    case 'zero':
      return t('0, since the module no longer uses it');
    case 'empty':
      return t('an empty list, since the module no longer uses it');
    case 'account':
      return t('an account address of this chain, or empty');
    case 'names':
      return t('a list of at most 500 names, with "*" only by itself');
    case 'keyTypes':
      return t('a list of key types: ed25519, secp256k1');
    default:
      return limit satisfies never;
  }
}

const repairTitles: { readonly [C in keyof RepairFacts]: (facts: RepairFacts[C], t: Translate) => string } = {
  'params-from-chain': ({ count }, t) => t('Take the other parameters from the chain ({0})', count),
  'authority-from-chain': ({ account }, t) => t('Set to the gov account, {0}', account),
  'deposit-to-submit': ({ deposit }, t) => t('Set to what is needed to submit: {0}', deposit),
  'deposit-to-vote': ({ deposit, isExpedited }, t) =>
    isExpedited
      ? t('Set to what starts an expedited vote: {0}', deposit)
      : t('Set to what starts the vote: {0}', deposit),
  quote: (_, t) => t('Write it as the chain reads it'),
  'text-from-metadata': ({ field }, t) => t('Take the {0} of the metadata', field),
  'metadata-from-text': ({ field }, t) => t('Put the {0} of the draft into the metadata', field),
  'metadata-remove': (_, t) => t('Leave the metadata empty'),
  'metadata-inline': (_, t) => t('Write title and summary into the metadata'),
  'height-at-time': ({ height, time }, t) => t('Set to {0}, expected at {1}', groupDigits(height), minute(time)),
  unescape: ({ field }, t) => t('Put real line ends into the {0}', field),
  'wrap-legacy': (_, t) => t('Wrap it in a MsgExecLegacyContent'),
  'drop-unchanged': (_, t) => t('Leave it out'),
  'key-rename': ({ name }, t) => t('Rename to {0}', name),
  'slash-add': (_, t) => t('Add the slash'),
  'spend-from-pool': (_, t) => t('Spend from the community pool instead'),
  'expedited-remove': (_, t) => t('Remove "expedited"'),
  'deposit-as-text': (_, t) => t('Write the coins as a text'),
};

/** A draft that was checked. `failure`: why what is known of its source could not be read. */
interface Checked {
  readonly facts: KnownFacts;
  readonly failure: string | undefined;
  readonly report: {
    readonly findings: readonly Finding[];
    readonly unchecked: readonly Unchecked[];
    readonly uncheckedMessages: number;
  };
}

/** Whether a draft waits for the first answer of its source. */
export function isBeingRead({ facts, failure, report }: Checked): boolean {
  return facts.readAt === undefined && failure === undefined && report.unchecked.length > 0;
}

/** `Checked against Cosmos Hub at height 123: 1 error, 2 warnings`; that it is being read as long as nothing is known of it. */
export function checkedText(source: string, checked: Checked, t: Translate): string {
  const { facts, failure, report } = checked;
  const name = escapeForUi(source);
  if (isBeingRead(checked)) return t('Checking against {0}…', name);
  if (failure !== undefined) return t('Checked by its form only. {0}: {1}', name, escapeForUi(failure));
  const count = (wanted: Severity): number => report.findings.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const found = `${plural(errors, t('1 error'), t('{0} errors', errors))}, ${plural(warnings, t('1 warning'), t('{0} warnings', warnings))}`;
  const messages = uncheckedMessagesText(report.uncheckedMessages, t);
  const all = messages === '' ? found : `${found}, ${messages}`;
  if (facts.height === undefined) return t('Checked against {0}: {1}', name, all);
  return t('Checked against {0} at height {1}: {2}', name, groupDigits(facts.height), all);
}

/** How many messages were not checked; "" for none. */
export function uncheckedMessagesText(count: number, t: Translate): string {
  return count === 0 ? '' : plural(count, t('1 message not checked'), t('{0} messages not checked', count));
}

/** What was not checked, in one sentence; "" where everything was. */
export function uncheckedText(unchecked: readonly Unchecked[], t: Translate): string {
  const names: Readonly<Record<Unchecked, string>> = {
    version: t('the version of gov'),
    gov: t('the deposit'),
    authority: t('the gov account'),
    params: t('parameters of the module'),
    legacy: t('legacy parameters'),
    pool: t('the community pool'),
    height: t('the height'),
    blockTime: t('the time of a block'),
    plan: t('names of upgrades'),
    types: t('fields of some messages'),
  };
  return unchecked.length === 0
    ? ''
    : t('Not known, so not checked: {0}', unchecked.map((one) => names[one]).join(', '));
}

/** Text of a file, one line of at most 80 characters. */
function shown(text: string): string {
  const line = showControls(text.slice(0, 80).replace(/\s+/g, ' '));
  return text.length > 80 ? `${line}…` : line;
}

function coins(list: readonly Coin[]): string {
  return list.map(({ amount, denom }) => `${groupDigits(amount)} ${shown(denom)}`).join(', ');
}

function minute(time: Date): string {
  return `${utcMinute(time)} UTC`;
}
