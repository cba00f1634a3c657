import { groupDigits } from '../../../chain/coin.ts';
import { listText, plural, sentencesText } from '../../../words/language.ts';
import { failingText, limitText, type Sentences, shown, todayText } from '../valueWords.ts';
import type { ParamFindings } from './paramFindings.ts';
import { depositRatio } from './paramRules.ts';

/** The sentences of findings about parameters. */
export const paramSentences: Sentences<ParamFindings> = {
  'params-incomplete': ({ missing, fails }, t) => {
    const names = listText(
      missing.map(({ name, today }) => t('{0} (currently {1})', shown(name), todayText(today, t))),
      t,
    );
    const found = plural(
      missing.length,
      t('1 parameter is missing: {0}.', names),
      t('{0} parameters are missing: {1}.', missing.length, names),
    );
    const refused = missing.filter(({ isRefused }) => isRefused).map(({ name }) => shown(name));
    if (refused.length > 0) {
      const rule = t('Missing parameters count as zero or empty, which is not allowed for {0}.', listText(refused, t));
      return failingText(sentencesText([found, rule], t), fails, t);
    }
    const isHarmful = missing.some(({ name }) => name === depositRatio);
    return sentencesText(
      [
        found,
        t('The chain sets missing parameters to zero, false or empty.'),
        isHarmful && t('Without {0}, the chain would no longer accept deposits or proposals.', depositRatio),
      ],
      t,
    );
  },
  'params-empty': ({ module }, t) => t('All parameters of {0} are missing and would be set to zero.', shown(module)),
  'param-value': ({ field, limit, fails }, t) =>
    failingText(t('{0} must be {1}.', shown(field), limitText(limit, t)), fails, t),
  'param-order': ({ larger, smaller, mayBeEqual, fails }, t) =>
    failingText(
      mayBeEqual
        ? t('{0} must be at least {1}.', larger, smaller)
        : t('{0} must be greater than {1}.', larger, smaller),
      fails,
      t,
    ),
  'vote-extensions': (details, t) => {
    if (details.fault === 'negative') return t('The height at which vote extensions start must not be negative.');
    if (details.fault === 'past')
      return t('Vote extensions must start in the future. The chain is at block {0}.', groupDigits(details.height));
    if (details.fault === 'enabled')
      return t(
        'Vote extensions have been enabled since block {0}. This setting can no longer be changed.',
        groupDigits(details.enabled),
      );
    return t(
      'Vote extensions must start after the proposal executes. The vote is expected to end at about block {0}.',
      groupDigits(details.earliest),
    );
  },
  'client-types': ({ name, meant }, t) => {
    if (name === undefined) return t('The list is empty. The chain would reject all IBC clients.');
    const said = t('"{0}" is not an ibc-go client type. The chain matches names exactly.', shown(name));
    return meant === undefined ? said : sentencesText([said, t('Did you mean {0}?', meant)], t);
  },
  unchanged: ({ what, name }, t) =>
    what === 'params'
      ? t('No change: all parameters of {0} already have these values.', shown(name))
      : t('No change: {0} already has this value.', shown(name)),
  'legacy-param-unknown': ({ subspace, key, meant, isSubspace, inside }, t) => {
    if (inside !== undefined && meant !== undefined)
      return t(
        'The subspace "{1}" has no parameter "{0}". Set the field {3} in the value of "{2}" instead.',
        shown(key),
        shown(subspace),
        meant,
        inside,
      );
    if (isSubspace) {
      const said = t('Unknown subspace "{0}" for this chain.', shown(subspace));
      return meant === undefined ? said : sentencesText([said, t('Did you mean {0}?', meant)], t);
    }
    return meant === undefined
      ? t('The chain has no parameter "{0}" in the subspace "{1}".', shown(key), shown(subspace))
      : t(
          'The chain has no parameter "{0}" in the subspace "{1}". Did you mean "{2}"?',
          shown(key),
          shown(subspace),
          meant,
        );
  },
  'legacy-param-moved': ({ subspace, key }, t) =>
    t('{0} no longer reads the legacy parameter "{1}". Use its MsgUpdateParams.', shown(subspace), shown(key)),
  'legacy-value-type': ({ today }, t) =>
    t(
      'The value must be JSON in the same form as the current value: {0}. The chain does not accept the value in the draft.',
      today,
    ),
};
