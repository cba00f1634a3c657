import { percent } from '../../../chain/ratio.ts';
import { sentencesText } from '../../../words/language.ts';
import { coins, coinText, failingText, type Sentences, shown } from '../valueWords.ts';
import type { PaymentFindings } from './paymentFindings.ts';

/** The sentences of findings about payments. */
export const paymentSentences: Sentences<PaymentFindings> = {
  'recipient-module': ({ module }, t) =>
    t('This is the {0} module account. Most apps block payments to module accounts.', shown(module)),
  'spend-over-pool': ({ asked, held, holds, fails }, t) => {
    const own = coinText({ ...asked, amount: held });
    const said = t('The community pool holds {0}, but the draft spends {1}.', own, coinText(asked));
    const others = held === 0n && holds.length > 0 && t('It holds {0}.', coins(holds, t));
    return failingText(sentencesText([said, others], t), fails, t);
  },
  'spend-most-of-pool': ({ asked, share }, t) =>
    t('The draft spends {0}, {1} of what the community pool holds.', coinText(asked), `${percent(share)} %`),
  'spend-over-balance': ({ asked, held }, t) =>
    t(
      'The gov account currently holds {0}, but the draft sends {1}. The message would fail after the vote.',
      coinText({ ...asked, amount: held }),
      coinText(asked),
    ),
  'stake-denom': ({ field, denom, wanted }, t) =>
    t(
      '{0} is in {1}, but this chain stakes {2}. The message would fail when it is executed.',
      field,
      shown(denom),
      shown(wanted),
    ),
  'coins-form': ({ fault }, t) => {
    if (fault === 'empty') return t('No amount is given. The message would fail when it is executed.');
    if (fault === 'twiceGranted') return t('A denom is listed twice. The chain accepts the grant.');
    if (fault === 'useless')
      return t('Coins must be sorted by denom. The chain accepts the grant, but it cannot be used.');
    return fault === 'order'
      ? t('Coins must be sorted by denom. The message would fail when it is executed.')
      : t('A denom is listed twice. The message would fail when it is executed.');
  },
  'send-from-gov': ({ touched }, t) => {
    if (!touched) return t('This pays from the gov account, where deposits are held, not from the community pool.');
    const [held, deposits, paid] = [touched.held, touched.deposits, touched.paid].map((amount) =>
      coinText({ denom: touched.denom, amount }),
    );
    return t(
      'The gov account holds {0}, {1} of which are deposits on open proposals. The draft sends {2} from it.',
      held ?? '',
      deposits ?? '',
      paid ?? '',
    );
  },
};
