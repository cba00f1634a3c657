import { type Fields, toFields, toList, toText } from './keptValue.ts';
import { toDecimal, type Vote, type VoteOption } from './liveTally.ts';
import { MisfitError } from './stateFileError.ts';

const words: Readonly<Record<string, VoteOption>> = {
  VOTE_OPTION_YES: 'yes',
  VOTE_OPTION_ABSTAIN: 'abstain',
  VOTE_OPTION_NO: 'no',
  VOTE_OPTION_NO_WITH_VETO: 'no_with_veto',
  Yes: 'yes',
  Abstain: 'abstain',
  No: 'no',
  NoWithVeto: 'no_with_veto',
};

const whole = 10n ** 18n;

/** The weighted options of a vote (0.43+), or its one `option` of before; options that nobody knows count for nothing. */
export function readOptions(vote: Fields): Vote['options'] {
  const options = toList(vote.options, '.options');
  if (options.length === 0) {
    const option = typeof vote.option === 'string' ? words[vote.option] : undefined;
    return option ? [{ option, weight: whole }] : [];
  }
  return options.flatMap((item, index) => {
    const path = `.options[${index}]`;
    const { option, weight } = toFields(item, path);
    const known = typeof option === 'string' ? words[option] : undefined;
    const share = toDecimal(toText(weight, `${path}.weight`));
    if (share === undefined) throw new MisfitError('Expected a decimal number', `${path}.weight`);
    return known ? [{ option: known, weight: share }] : [];
  });
}
