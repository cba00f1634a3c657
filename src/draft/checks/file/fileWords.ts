import { groupDigits } from '../../../chain/coin.ts';
import { ownValue } from '../../../chain/fields.ts';
import { listText, plural, sentencesText, type Translate } from '../../../words/language.ts';
import { coins, failingText, type Sentences, shown, todayText } from '../valueWords.ts';
import type { FileFindings } from './fileFindings.ts';

/** The sentences of findings about the file of a draft (its JSON, texts, metadata and deposit). */
export const fileSentences: Sentences<FileFindings> = {
  'json-syntax': ({ fault }, t) => syntaxText(fault, t),
  'json-form': ({ hasMark, comments, twice }, t) => {
    const names = listText(
      twice.slice(0, 5).map((one) => shown(one)),
      t,
    );
    const said = [
      hasMark && t('Nodes reject files that start with a byte order mark.'),
      comments > 0 && t('JSON does not allow comments.'),
      twice.length > 0 && t('Duplicate names: {0}. The last value is used.', names),
    ];
    return sentencesText(said, t);
  },
  'too-large': ({ limit }, t) =>
    limit === 'size'
      ? t('Not checked: the draft is larger than 2 MB.')
      : t('Not checked: values are nested more than 200 levels deep.'),
  'too-many-questions': ({ limit, params, legacy, plans, denoms, clients, proposals, accounts }, t) => {
    const left = [
      params > 0 &&
        plural(params, t('the parameters of 1 module'), t('the parameters of {0} modules', groupDigits(params))),
      legacy > 0 && plural(legacy, t('1 legacy parameter'), t('{0} legacy parameters', groupDigits(legacy))),
      plans > 0 && plural(plans, t('the name of 1 upgrade'), t('the names of {0} upgrades', groupDigits(plans))),
      denoms > 0 && plural(denoms, t('1 denom'), t('{0} denoms', groupDigits(denoms))),
      proposals > 0 && plural(proposals, t('1 proposal'), t('{0} proposals', groupDigits(proposals))),
      accounts > 0 && plural(accounts, t('1 account'), t('{0} accounts', groupDigits(accounts))),
      clients > 0 && plural(clients, t('1 IBC client'), t('{0} IBC clients', groupDigits(clients))),
    ];
    return t('Not checked: {1}. A check sends at most {0} requests to the chain.', limit, listText(left, t));
  },
  'draft-wrapped': (_, t) =>
    t('Put the fields of "proposal" at the top level of the file. The chain does not read them here.'),
  'gov-form': (_, t) => t('This chain does not accept proposals with messages (no gov v1). Use a legacy proposal.'),
  'title-missing': ({ field }, t) => t('The {0} is missing. The chain does not accept a proposal without it.', field),
  'summary-missing': ({ field }, t) => t('The {0} is missing. The chain does not accept a proposal without it.', field),
  'empty-proposal': (_, t) => t('Add messages or metadata. The chain does not accept a proposal that has neither.'),
  'metadata-contradicts': ({ field, inMetadata }, t) =>
    t('The metadata has a different {0}: "{1}". The chain requires them to match.', field, shown(inMetadata)),
  'metadata-file': ({ field, inFile }, t) =>
    t(
      'draft_metadata.json, next to this draft, has a different {0}: "{1}". Apps that read the metadata show the {0} from that file.',
      field,
      shown(inFile),
    ),
  'metadata-placeholder': (_, t) => t('Replace "ipfs://CID". It is a placeholder from draft-proposal.'),
  'text-long': ({ field, bytes, limit }, t) =>
    t("{0} is {1} bytes long. The SDK's default limit is {2}.", field, groupDigits(bytes), groupDigits(limit)),
  'escaped-twice': ({ field }, t) => t('Line breaks in the {0} are escaped twice and show as backslashes.', field),
  'deposit-form': (_, t) => t('The deposit must be a string of amounts and denoms, such as "1000uatom,5stake".'),
  'deposit-small': ({ needed, isAnyEnough, isExpedited, isInMessage }, t) => {
    const listed = coins(needed, t);
    if (isInMessage)
      return failingText(
        t('The deposit is too small. Each deposit needs at least one of {0}.', listed),
        'execution',
        t,
      );
    if (isExpedited)
      return isAnyEnough
        ? t('The deposit is too small. The chain needs at least one of {0} to accept an expedited proposal.', listed)
        : t('The deposit is too small. The chain needs {0} to accept an expedited proposal.', listed);
    return isAnyEnough
      ? t('The deposit is too small. The chain needs at least one of {0} to accept a proposal.', listed)
      : t('The deposit is too small. The chain needs {0} to accept a proposal.', listed);
  },
  'deposit-denom': ({ denom, accepted, base }, t) =>
    base === undefined
      ? t(
          '{0} does not count toward the deposit. This chain accepts {1}.',
          shown(denom),
          listText(
            accepted.map((one) => shown(one)),
            t,
          ),
        )
      : t(
          '{0} counts toward the deposit only if the command-line tool of this chain converts it to {1}.',
          shown(denom),
          shown(base),
        ),
  'deposit-waits': ({ minimum }, t) => t('Voting starts when the deposit reaches {0}.', coins(minimum, t)),
  'expedited-unsupported': (_, t) => t('This chain has no expedited votes. It ignores the field.'),
  'text-differs': ({ what, field, said, does, param = '' }, t) => {
    const [named, own] = [shown(said), shown(does)];
    if (what === 'param')
      return t('The {0} says {1}, but the draft sets {2} to {3}.', field, named, param, todayText(does, t));
    if (what === 'amount') return t('The {0} says {1}, but the draft pays {2}.', field, named, own);
    if (what === 'recipient') return t('The {0} mentions {1}, but the draft pays {2}.', field, named, own);
    if (what === 'contract')
      return t('The {0} mentions the contract {1}, but the message is for {2}.', field, named, own);
    return what === 'plan'
      ? t('The {0} mentions the upgrade {1}, but the plan is named {2}.', field, named, own)
      : t('The {0} mentions height {1}, but the plan is for {2}.', field, named, own);
  },
};

/** Words a fault of the JSON by the code of its parser (jsonc-parser). */
function syntaxText(fault: string, t: Translate): string {
  const texts: Readonly<Record<string, string>> = {
    TrailingComma: t('Trailing comma. JSON does not allow a comma after the last value.'),
    CommaExpected: t('A comma is missing before this value.'),
    ColonExpected: t('A colon is missing after the name.'),
    PropertyNameExpected: t('A property name is expected here, in double quotes.'),
    ValueExpected: t('A value is missing.'),
    CloseBraceExpected: t('A closing brace is missing.'),
    CloseBracketExpected: t('A closing square bracket is missing.'),
    EndOfFileExpected: t('Remove the text after the closing brace.'),
    InvalidSymbol: t('This is not a JSON value. Put text in double quotes.'),
    InvalidNumberFormat: t('This is not a JSON number.'),
    UnexpectedEndOfString: t('The closing quote is missing.'),
    UnexpectedEndOfNumber: t('This is not a JSON number.'),
    UnexpectedEndOfComment: t('The comment is not closed.'),
    InvalidUnicode: t('Invalid escape sequence. Use \\u and four hexadecimal digits.'),
    InvalidEscapeCharacter: t('Invalid escape sequence. To write a backslash, use two.'),
    InvalidCharacter: t('This character must be escaped in a string.'),
  };
  return ownValue(texts, fault) ?? t('This is not valid JSON: {0}.', fault);
}
