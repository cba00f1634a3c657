import { groupDigits } from '../../../chain/coin.ts';
import { percent, toRatio } from '../../../chain/ratio.ts';
import { listText, sentencesText, type Translate } from '../../../words/language.ts';
import { durationText } from '../../../words/time.ts';
import { coinText, numberText, type Sentences, shown, todayText } from '../valueWords.ts';
import type { Extreme, HarmFindings } from './harmFindings.ts';

/** The sentences of findings about changes that pass and harm the chain. */
export const harmSentences: Sentences<HarmFindings> = {
  'message-undone': ({ by, name }, t) => {
    if (by === 'change') return t('An earlier change also sets {0}. Only the last one takes effect.', shown(name));
    if (by === 'setting') return t('An earlier message also sets {0}. Only the last one takes effect.', shown(name));
    if (by === 'same') return t('This repeats an earlier {0}. Both are executed.', shown(name));
    if (by === 'params')
      return t('An earlier message also sets the parameters of {0}. Only the last one takes effect.', shown(name));
    return by === 'plan'
      ? t('This replaces the upgrade {0} from an earlier message. A chain has only one plan at a time.', shown(name))
      : t('This cancels the upgrade {0} from an earlier message.', shown(name));
  },
  'params-open': ({ id, field, proposed, asked, isToday }, t) => {
    const open = t('Open proposal {0} sets {1} to {2}.', String(id), field, todayText(proposed, t));
    const effect = isToday
      ? t('If it is executed first, this draft sets it back to {0}.', todayText(asked, t))
      : t('The proposal that is executed last takes effect.');
    return sentencesText([open, effect], t);
  },
  'denom-changed': ({ field, today, asked, supply, bonded }, t) =>
    sentencesText(
      [
        /deposit|fee/.test(field)
          ? t('{0} is currently in {1}. It would have to be paid in {2}.', field, shown(today), shown(asked))
          : field === 'bond_denom'
            ? t('bond_denom is currently {0}. New delegations would have to use another denom.', shown(today))
            : t('{0} is currently {1}. New coins would have a different denom.', field, shown(today)),
        bonded !== undefined && t('{0} are staked.', coinText({ denom: today, amount: bonded })),
        supply !== undefined && t('The supply of {0} is {1}.', shown(asked), groupDigits(supply)),
      ],
      t,
    ),
  'denom-unissued': ({ field, denom, isPaid }, t) =>
    isPaid
      ? t('{0} uses {1}, which has no supply. Nobody could pay with it.', field, shown(denom))
      : t('{0} has {1}, which has no supply. Check the spelling.', field, shown(denom)),
  'deposit-over-supply': ({ field, asked, supply }, t) =>
    t(
      '{0} is {1}, but only {2} exist. Nobody could pay it.',
      field,
      coinText(asked),
      coinText({ ...asked, amount: supply }),
    ),
  'validators-out': ({ count, of, share }, t) =>
    t(
      '{0} of {1} bonded validators, holding {2} of all voting power, would drop out of the active set.',
      count,
      of,
      `${percent(share)} %`,
    ),
  'names-dropped': ({ field, names }, t) => {
    const dropped = listText(
      names.map((one) => shown(one)),
      t,
    );
    return field === 'allowed_clients'
      ? t('{0} would no longer include {1}. Clients of these types would stop working.', field, dropped)
      : t(
          '{0} would no longer include {1}. Validators with keys of these types would drop out of the active set.',
          field,
          dropped,
        );
  },
  'param-extreme': (details, t) => t('{0}: {1}', details.field, extremeText(details, t)),
  'value-jump': ({ field, asked, today, factor, isExact }, t) => {
    const times = groupDigits(factor);
    return t(
      '{0} changes from {1} to {2}, by a factor of {3}. Check the digits.',
      field,
      numberText(today),
      numberText(asked),
      isExact ? times : t('more than {0}', times),
    );
  },
  'period-cut': ({ field, seconds, today }, t) => {
    const [asked, before] = [seconds, today].map((one) => periodText(one, t));
    return seconds < today
      ? t('{0} drops from {1} to {2}. Check the unit.', field, before ?? '', asked ?? '')
      : t('{0} increases from {1} to {2}. Check the unit.', field, before ?? '', asked ?? '');
  },
  'evidence-age': ({ unbonding, evidence }, t) => {
    const [free, old] = [unbonding, evidence].map((one) => durationText(one * 1000, 'exact', t));
    return t(
      'Stake unbonds in {0}, but evidence is accepted for {1} (max_age_duration). Stake that has unbonded is not slashed.',
      free ?? '',
      old ?? '',
    );
  },
  'contract-admin': ({ isCleared }, t) =>
    isCleared
      ? t('Without an admin, only governance could still migrate the contract.')
      : t('This account, which is not the gov account, could migrate the contract without a vote.'),
  'grant-unlimited': ({ name, expires }, t) => {
    if (name === undefined) return t('The grant does not expire.');
    const said =
      name === ''
        ? t('The grantee could pay any fees from the gov account, which holds proposal deposits.')
        : t('The grantee could execute {0} as the gov account, without a vote or a limit.', shown(name));
    return expires ? said : sentencesText([said, t('The grant does not expire.')], t);
  },
  'gov-stopped': ({ name }, t) =>
    t('Proposals need {0}. With it disabled, no proposal could enable it again.', shown(name)),
  'sends-off': ({ field, denom }, t) => {
    if (denom !== undefined) return t('This turns off transfers of {0}, which is used to pay deposits.', shown(denom));
    if (field === 'default_send_enabled')
      return t(
        'This turns off transfers of every denom that has no setting of its own. Those transfers are currently on.',
      );
    if (field === 'send_enabled') return t('This turns off IBC transfers out of this chain, which are currently on.');
    if (field === 'receive_enabled') return t('This turns off IBC transfers into this chain, which are currently on.');
    return t('This turns off {0}, which is currently on.', field);
  },
};

function extremeText({ effect, asked, today }: HarmFindings['param-extreme'], t: Translate): string {
  const share = (text: string): string => `${percent(toRatio(text) ?? 0n)} %`;
  const texts: Readonly<Record<Extreme, string>> = {
    noQuorum: t('a single vote could pass a proposal.'),
    highQuorum: t(
      'no proposal would pass unless {0} of the bonded tokens vote (currently {1}).',
      share(asked),
      share(today),
    ),
    highCommission: t(
      "every validator would take at least {0} of its delegators' rewards (currently {1}).",
      share(asked),
      share(today),
    ),
    oneEntry: t(
      'each delegator could undelegate from a validator only once per unbonding time (currently {0}).',
      numberText(today),
    ),
    fullQuorum: t('no proposal would pass unless all bonded tokens vote.'),
    oneNo: t('a single No vote would stop a proposal.'),
    noVeto: t('a proposal would be vetoed only if every vote is No with veto.'),
    noHistory: t('IBC handshakes need historical entries and would fail without them.'),
    noRewards: t('validators would keep all rewards, and delegators would get none.'),
    neverJailed: t('a validator that signs no blocks would stay bonded.'),
    everyBlock: t('a validator that misses one block would be jailed.'),
    noSlash: t('a validator that double-signs would lose no stake.'),
    wholeStake: t('a validator and its delegators would lose all of their stake.'),
    doubled: t('the supply could double in a year.'),
    allTaxed: t('all rewards would go to the community pool.'),
    noEvidence: t('no evidence would fit in a block, so a validator that double-signs would lose no stake.'),
    freeChecks: t('anyone could trigger a check of all invariants for free, and this check takes a long time.'),
    openUpload: t('anyone could upload contract code.'),
    anyMessage: t('interchain accounts could execute any message.'),
    noGas: t('no transaction would fit in a block.'),
    noGasLimit: t(
      'blocks would have no gas limit (currently {0}). One block could stall the chain.',
      numberText(today),
    ),
    oneSignature: t('multisig accounts could no longer sign.'),
  };
  return texts[effect];
}

/** A period in words. One of less than a second is in milliseconds. */
function periodText(seconds: number, t: Translate): string {
  if (seconds >= 1) return durationText(seconds * 1000, 'exact', t);
  return t('{0} ms', (seconds * 1000).toLocaleString('en-US', { maximumFractionDigits: 6 }));
}
