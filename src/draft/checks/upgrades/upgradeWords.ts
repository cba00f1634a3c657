import { groupDigits } from '../../../chain/coin.ts';
import { listText, type Translate } from '../../../words/language.ts';
import { durationText } from '../../../words/time.ts';
import { failingText, type Sentences, shown } from '../valueWords.ts';
import type { BinaryOutcome, InfoFault, UncheckedFileReason, UpgradeFindings } from './upgradeFindings.ts';

/** The sentences of findings about upgrade plans. */
export const upgradeSentences: Sentences<UpgradeFindings> = {
  'upgrade-plan': ({ field }, t) => {
    if (field === 'time') return t('The SDK no longer supports time-based upgrades. Remove the time and set a height.');
    return field === 'upgraded_client_state'
      ? t('The plan must not have an {0}. Set it in {1}, next to the plan.', field, 'MsgIBCSoftwareUpgrade')
      : t('The upgrade plan needs a {0}.', field);
  },
  'upgrade-height-past': ({ asked, height, fails }, t) => {
    const said = t('Block {0} has passed: the chain is at {1}.', groupDigits(asked), groupDigits(height));
    return failingText(said, fails, t);
  },
  'upgrade-height-early': ({ asked, earliest, blockSeconds }, t) =>
    t(
      'Block {0} is expected before voting ends, at about {1} ({2} s per block). The upgrade would fail.',
      groupDigits(asked),
      groupDigits(earliest),
      blockSeconds.toFixed(2),
    ),
  'upgrade-height-soon': ({ asked, seconds }, t) =>
    t(
      'Block {0} is expected {1} after voting ends. Validators have only that long to prepare.',
      groupDigits(asked),
      durationText(seconds * 1000, 'long', t),
    ),
  'upgrade-height-far': ({ asked, when }, t) =>
    t(
      'Block {0} is expected in {1}, more than two years away. Check the digits.',
      groupDigits(asked),
      String(when.getUTCFullYear()),
    ),
  'upgrade-applied': ({ name, height, proposal }, t) =>
    proposal === undefined
      ? t('The upgrade "{0}" was applied at height {1}. Choose another name.', shown(name), groupDigits(height))
      : t(
          'Proposal {0} planned an upgrade named "{1}" at height {2}. If it was applied, the name cannot be used again.',
          String(proposal),
          shown(name),
          groupDigits(height),
        ),
  'upgrade-open': ({ plans }, t) => {
    const named = plans.slice(0, 5).map(({ id, name, height }) => {
      const at = height === undefined ? shown(name) : t('{0} at block {1}', shown(name), groupDigits(height));
      return t('proposal {0} ({1})', String(id), at);
    });
    return t('Other open proposals plan an upgrade: {0}. A chain has one plan at a time.', listText(named, t));
  },
  'upgrade-binary': ({ platform, outcome }, t) => t('{0}: {1}', shown(platform), binaryText(outcome, t)),
  'upgrade-info': (details, t) => infoText(details, t),
};

function binaryText(outcome: BinaryOutcome, t: Translate): string {
  switch (outcome.kind) {
    case 'matches':
      return t('the checksum matches ({0} downloaded from {1}).', sizeText(outcome.bytes), hostsText(outcome.hosts));
    case 'differs':
      return t(
        'the file from {0} has the checksum {1}:{2}, not the one in the plan. Cosmovisor would reject it.',
        hostsText(outcome.hosts),
        outcome.digest,
        outcome.found,
      );
    case 'read':
      return t(
        'the plan has no checksum. The file from {0} has sha256:{1} ({2}).',
        hostsText(outcome.hosts),
        outcome.found,
        sizeText(outcome.bytes),
      );
    case 'failed':
      return t('not checked. {0}', shown(outcome.reason, 300));
    case 'unchecked':
      return uncheckedFileText(outcome.reason, t);
    default:
      return outcome satisfies never;
  }
}

function uncheckedFileText(reason: UncheckedFileReason, t: Translate): string {
  const texts: Readonly<Record<UncheckedFileReason, string>> = {
    getter: t('not checked. Only https addresses are checked, and this one uses another download method.'),
    scheme: t('not checked. Only https addresses are checked.'),
    checksum: t('not checked. Its checksum is in another file or is incomplete.'),
    address: t('not checked. This is not an address.'),
  };
  return texts[reason];
}

/** The hosts of a download in their order. The first one redirected to the others. */
function hostsText(hosts: readonly string[]): string {
  return hosts.map((host) => shown(host)).join(' → ');
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function infoText(details: InfoFault, t: Translate): string {
  switch (details.fault) {
    case 'json':
      return t('The plan info is not valid JSON. Cosmovisor cannot read it.');
    case 'checksum':
      return t(
        'A download in the plan info has a missing or incomplete checksum (checksum=sha256:…). Cosmovisor does not accept it if DAEMON_DOWNLOAD_MUST_HAVE_CHECKSUM is set.',
      );
    case 'digest':
      return details.isKnown
        ? t('A checksum in the plan info uses {0}, which can be forged. Use sha256.', details.digest)
        : t('Cosmovisor does not support the checksum type {0}. Use sha256.', shown(details.digest));
    case 'platform': {
      const names = details.platforms.slice(0, 5).map((one) => shown(one));
      return t('The plan info has no binary for linux/amd64, only for {0}.', listText(names, t));
    }
    default:
      return details satisfies never;
  }
}
