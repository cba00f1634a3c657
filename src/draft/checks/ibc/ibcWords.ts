import { sentencesText, type Translate } from '../../../words/language.ts';
import { failingText, minuteText, type Sentences, shown } from '../valueWords.ts';
import type { IbcFindings, RecoveryFault, TimeoutFault, UpgradedFault } from './ibcFindings.ts';

/** The sentences of findings about IBC clients and transfers. */
export const ibcSentences: Sentences<IbcFindings> = {
  'client-recovery': (details, t) => recoveryText(details, t),
  'client-upgraded': (details, t) => upgradedText(details, t),
  'transfer-timeout': (details, t) => timeoutText(details, t),
};

function upgradedText(details: UpgradedFault, t: Translate): string {
  if (details.fault === 'type')
    return failingText(t('The client state must be of type {0}.', details.wanted), details.fails, t);
  const said =
    details.fault === 'empty'
      ? t('{0} must not be empty.', details.field)
      : t(
          'The height has revision {0}, but the chain ID {1} has revision {2}.',
          shown(details.found),
          shown(details.chainId),
          details.wanted,
        );
  return sentencesText([said, t('Clients on other chains would fail to upgrade.')], t);
}

function timeoutText(details: TimeoutFault, t: Translate): string {
  switch (details.fault) {
    case 'none':
      return failingText(
        t('The transfer has no timeout. Set timeout_timestamp, in nanoseconds since 1970.'),
        details.fails,
        t,
      );
    case 'unit': {
      const said = {
        seconds: t('The timeout is in seconds. Use nanoseconds since 1970, or it will be in the past.'),
        milliseconds: t('The timeout is in milliseconds. Use nanoseconds since 1970, or it will be in the past.'),
        microseconds: t('The timeout is in microseconds. Use nanoseconds since 1970, or it will be in the past.'),
      };
      return said[details.unit];
    }
    case 'relative':
      return t(
        'relative_timeout is less than a second, so the packet would time out. Use nanoseconds, such as "600000000000" for 10 minutes.',
      );
    case 'past':
      return t('The timeout {0} has passed: the chain is at {1}.', minuteText(details.time), minuteText(details.now));
    case 'early':
      return t(
        'The timeout {0} passes before the vote ends at about {1}. The transfer would fail.',
        minuteText(details.time),
        minuteText(details.end),
      );
    default:
      return details satisfies never;
  }
}

function recoveryText(details: RecoveryFault, t: Translate): string {
  switch (details.fault) {
    case 'id':
      return t('This is not a client ID. Use an ID such as 07-tendermint-12.');
    case 'same':
      return t('A client cannot be recovered from itself. Use a different client that is active.');
    case 'missing':
      return t('This chain has no client with this ID.');
    case 'active':
      return t('This client is active. Only an expired or frozen client can be recovered.');
    case 'inactive':
      return t('The status of this client is {0}. Use an active client.', shown(details.status));
    case 'height':
      return t(
        'The height of this client ({0}) must be greater than that of the client to recover ({1}). Update this client first.',
        details.own,
        details.other,
      );
    case 'differs':
      return t(
        '{0} must be the same for both clients. It is {1} for this client and {2} for the other one.',
        shown(details.field),
        shown(details.own),
        shown(details.other),
      );
    case 'expires':
      return t(
        'This client expires on {0}, before voting ends on {1}, unless it is updated.',
        minuteText(details.expires),
        minuteText(details.end),
      );
    default:
      return details satisfies never;
  }
}
