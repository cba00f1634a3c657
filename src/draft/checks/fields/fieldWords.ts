import { listText, sentencesText } from '../../../words/language.ts';
import { failingText, formText, type Sentences, shown } from '../valueWords.ts';
import type { FieldFindings } from './fieldFindings.ts';

/** The sentences of findings about the types and fields of messages. */
export const fieldSentences: Sentences<FieldFindings> = {
  'type-missing': ({ form }, t) => {
    const texts = {
      text: t('This message is JSON in a string. Use the JSON itself, without the quotes around it.'),
      value: t('A message must be an object in braces.'),
      amino: t(
        'This message is in Amino form. Use "@type" with the full type, such as {0}, and put the fields of "value" next to it.',
        '"/cosmos.bank.v1beta1.MsgSend"',
      ),
      object: t('This message has no "@type".'),
    };
    return texts[form];
  },
  'type-form': ({ type }, t) => t('The type "{0}" must start with a slash.', shown(type)),
  'type-unknown': ({ type, meant, isListed, use, module = '' }, t) => {
    const texts = {
      message: isListed
        ? t('This chain has no handler for {0} and does not accept it.', shown(type))
        : t(
            'The type {0} is unknown, and the chain does not list the types it supports. The fields of this message are not checked.',
            shown(type),
          ),
      named: isListed
        ? t('This chain has no message type {0}.', shown(type))
        : t('The message type {0} is unknown, and the chain does not list the types it supports.', shown(type)),
      absent: t('This chain has no {0} module and does not accept {1}.', module, shown(type)),
      content: t(
        '{0} is a message, not legacy content. Put it in messages without the MsgExecLegacyContent.',
        shown(type),
      ),
      misplaced: t('{0} is a message type, which cannot be used here.', shown(type)),
    };
    const said = texts[use];
    return meant === undefined ? said : sentencesText([said, t('Did you mean {0}?', meant)], t);
  },
  'legacy-in-messages': ({ type }, t) => t('{0} is legacy content. Wrap it in a MsgExecLegacyContent.', shown(type)),
  'legacy-handler': ({ type, instead }, t) =>
    t(
      "This chain's SDK does not handle {0}. Use {1}, unless the app still registers its own handler.",
      shown(type),
      instead,
    ),
  'field-type': ({ field, wanted, isZero }, t) =>
    isZero
      ? t('{0} must be greater than 0. The chain does not execute a zero payment.', shown(field))
      : t('{0} must be {1}. The chain cannot read this value.', shown(field), formText(wanted, t)),
  'field-empty': ({ field, isZero, fails }, t) =>
    failingText(isZero ? t('{0} must not be 0.', field) : t('{0} must not be empty.', field), fails, t),
  'field-unknown': ({ field, of, meant }, t) => {
    const said =
      of === ''
        ? t('Unknown field {0}. Nodes ignore it.', shown(field))
        : t(
            'Unknown field {1} in {0}. The command "tx gov submit-proposal" does not accept the file, and REST ignores the field.',
            shown(of),
            shown(field),
          );
    return meant === undefined ? said : sentencesText([said, t('Did you mean {0}?', meant)], t);
  },
  'number-unquoted': ({ field, isLarge }, t) =>
    isLarge
      ? t('Put {0} in quotes. Many tools lose precision with numbers above 2^53.', shown(field))
      : t('Put {0} in quotes. The SDK writes 64-bit numbers as strings in JSON.', shown(field)),
  'name-unknown': ({ field, name, meant, known }, t) => {
    const said = t('{0} cannot be "{1}". The chain cannot read this value.', shown(field), shown(name));
    const use = meant === undefined ? t('Use one of {0}.', listText(known, t)) : t('Did you mean {0}?', meant);
    return sentencesText([said, use], t);
  },
};
