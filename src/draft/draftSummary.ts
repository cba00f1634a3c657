import { escapeForUi } from '../chain/text.ts';
import { listText, plural, type Translate } from '../words/language.ts';
import type { ChainFacts } from './chainFacts.ts';
import { lackingFields } from './draftKind.ts';
import type { Finding, Severity, Unchecked } from './finding.ts';

/** Says what a text lacks to be a draft of each form. */
export function notDraftText(text: string, t: Translate): string {
  const lacks = lackingFields(text);
  if (!lacks) return t('A draft is a JSON object with "messages" and "deposit", or a legacy proposal.');
  const list = (names: readonly string[]): string =>
    listText(
      names.map((name) => (name === 'type' ? '"type": "Text"' : `"${name}"`)),
      t,
    );
  return t(
    'Missing fields. For a proposal with messages: {0}. For a legacy text proposal: {1}. For a legacy parameter change: {2}. For a legacy spend: {3}.',
    list(lacks.messages),
    list(lacks.legacyText),
    list(lacks.legacyParams),
    list(lacks.legacySpend),
  );
}

/** A checked draft. `failure` says why its source could not be read. */
interface Checked {
  readonly facts: ChainFacts;
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

/** `1 error, 2 warnings · Cosmos Hub`. Says that the chain is being read until its first answer. */
export function checkedText(source: string, checked: Checked, t: Translate): string {
  const { failure, report } = checked;
  const name = escapeForUi(source);
  if (isBeingRead(checked)) return t('Checking against {0}…', name);
  const count = (wanted: Severity): number => report.findings.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const found = [
    errors > 0 && plural(errors, t('1 error'), t('{0} errors', errors)),
    warnings > 0 && plural(warnings, t('1 warning'), t('{0} warnings', warnings)),
    errors + warnings === 0 && failure === undefined && t('No problems'),
    uncheckedMessagesText(report.uncheckedMessages, t),
  ];
  const place = failure === undefined ? name : t('Not checked against {0}: {1}', name, escapeForUi(failure));
  return [listText(found, t), place].filter(Boolean).join(' · ');
}

/** The number of messages that were not checked. "" for none. */
export function uncheckedMessagesText(count: number, t: Translate): string {
  return count === 0 ? '' : plural(count, t('1 message not checked'), t('{0} messages not checked', count));
}

/** Names everything that was not checked, in one sentence. "" if everything was checked. */
export function uncheckedText(unchecked: readonly Unchecked[], t: Translate): string {
  const names: Readonly<Record<Unchecked, string>> = {
    version: t('gov version'),
    gov: t('deposit'),
    authority: t('gov account'),
    params: t('module parameters'),
    legacy: t('legacy parameters'),
    pool: t('community pool'),
    height: t('height'),
    blockTime: t('block time'),
    plan: t('upgrade names'),
    types: t('fields of some messages'),
    clients: t('IBC clients'),
    validators: t('the bonded validators'),
    supply: t('the supply of denoms'),
    proposals: t('other proposals'),
    operators: t('validators'),
    accounts: t('whether accounts exist'),
    grants: t('authorizations of other accounts'),
    groups: t('groups'),
    nfts: t('NFT owners'),
  };
  return unchecked.length === 0
    ? ''
    : t(
        'Not checked: {0}',
        listText(
          unchecked.map((one) => names[one]),
          t,
        ),
      );
}
