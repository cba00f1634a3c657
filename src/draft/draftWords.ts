import { type Coin, groupDigits } from '../chain/coin.ts';
import { percent, toRatio } from '../chain/ratio.ts';
import { showControls } from '../chain/text.ts';
import { addressFaultText } from '../words/errorWords.ts';
import { plural, type Translate } from '../words/language.ts';
import { durationText, utcMinute } from '../words/time.ts';
import { depositRatio, type ParamLimit } from './checks/params/paramRules.ts';
import type { WantedForm } from './fieldForms.ts';
import type {
  BinaryOutcome,
  Extreme,
  FailTime,
  FindingCode,
  FindingFacts,
  FindingOf,
  InfoFault,
  MessageFault,
  RecoveryFault,
  RepairFacts,
  RepairOf,
  TimeoutFault,
  UncheckedFileReason,
  WasmFault,
} from './finding.ts';

/**
 * Words a finding in one or two sentences. Texts of the file are shortened, and control characters are made visible.
 */
export function findingText<C extends FindingCode>({ code, facts }: FindingOf<C>, t: Translate): string {
  return sentences[code](facts, t);
}

/** Words a repair as the title of an action. */
export function repairText<C extends keyof RepairFacts>({ code, facts }: RepairOf<C>, t: Translate): string {
  return repairTitles[code](facts, t);
}

const sentences: { readonly [C in FindingCode]: (facts: FindingFacts[C], t: Translate) => string } = {
  'json-syntax': ({ fault }, t) => syntaxText(fault, t),
  'too-many-questions': ({ limit, params, legacy, plans, denoms, clients, proposals }, t) => {
    const left = [
      params > 0 &&
        plural(params, t('the parameters of 1 module'), t('the parameters of {0} modules', groupDigits(params))),
      legacy > 0 && plural(legacy, t('1 legacy parameter'), t('{0} legacy parameters', groupDigits(legacy))),
      plans > 0 && plural(plans, t('the name of 1 upgrade'), t('the names of {0} upgrades', groupDigits(plans))),
      denoms > 0 && plural(denoms, t('1 denom'), t('{0} denoms', groupDigits(denoms))),
      proposals > 0 && plural(proposals, t('1 proposal'), t('{0} proposals', groupDigits(proposals))),
      clients > 0 && plural(clients, t('1 IBC client'), t('{0} IBC clients', groupDigits(clients))),
    ];
    const list = left.filter((one) => one !== false).join(', ');
    return t('Not checked: {1}. A check sends at most {0} requests to the chain.', limit, list);
  },
  'json-form': ({ hasMark, comments, twice }, t) => {
    const names = twice
      .slice(0, 5)
      .map((one) => shown(one))
      .join(', ');
    const said = [
      hasMark && t('Nodes reject files that start with a byte order mark.'),
      comments > 0 && t('JSON does not allow comments.'),
      twice.length > 0 && t('Duplicate names: {0}. The last value is used.', names),
    ];
    return said.filter((one) => one !== false).join(' ');
  },
  'too-large': ({ limit }, t) =>
    limit === 'size'
      ? t('Not checked: the draft is larger than 2 MB.')
      : t('Not checked: values are nested more than 200 levels deep.'),
  'gov-form': (_, t) => t('This chain does not accept proposals with messages (no gov v1). Use a legacy proposal.'),
  'title-missing': ({ field }, t) => t('The {0} is missing. The chain does not accept a proposal without it.', field),
  'summary-missing': ({ field }, t) => t('The {0} is missing. The chain does not accept a proposal without it.', field),
  'empty-proposal': (_, t) => t('Add messages or metadata. The chain does not accept a proposal that has neither.'),
  'field-type': ({ field, wanted, isZero }, t) =>
    isZero
      ? t('{0} must be greater than 0. The chain does not execute a zero payment.', shown(field))
      : t('{0} must be {1}. The chain cannot read this value.', shown(field), formText(wanted, t)),
  'field-empty': ({ field, fails }, t) => `${t('{0} must not be empty.', field)} ${failText(fails, t)}`,
  'field-unknown': ({ field, of, meant }, t) => {
    const said =
      of === ''
        ? t('Unknown field {0}. Nodes ignore it.', shown(field))
        : t(
            'Unknown field {1} in {0}. The command "tx gov submit-proposal" does not accept the file, and REST ignores the field.',
            shown(of),
            shown(field),
          );
    return meant === undefined ? said : `${said} ${t('Did you mean {0}?', meant)}`;
  },
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
  'deposit-small': ({ needed, isAnyEnough, isExpedited }, t) => {
    const listed = coins(needed);
    if (isExpedited)
      return isAnyEnough
        ? t('The deposit is too small. The chain needs at least one of {0} to accept an expedited proposal.', listed)
        : t('The deposit is too small. The chain needs {0} to accept an expedited proposal.', listed);
    return isAnyEnough
      ? t('The deposit is too small. The chain needs at least one of {0} to accept a proposal.', listed)
      : t('The deposit is too small. The chain needs {0} to accept a proposal.', listed);
  },
  'deposit-denom': ({ denom, accepted }, t) =>
    t(
      '{0} does not count toward the deposit. This chain accepts {1}.',
      shown(denom),
      accepted.map((one) => shown(one)).join(', '),
    ),
  'deposit-waits': ({ minimum }, t) => t('Voting starts when the deposit reaches {0}.', coins(minimum)),
  'expedited-unsupported': (_, t) => t('This chain has no expedited votes. It ignores the field.'),
  'type-missing': (_, t) => t('This message has no "@type".'),
  'type-form': ({ type }, t) => t('The type "{0}" must start with a slash.', shown(type)),
  'type-unknown': ({ type, meant, isListed, use }, t) => {
    const texts = {
      message: isListed
        ? t('This chain has no handler for {0} and does not accept it.', shown(type))
        : t(
            'The type {0} is unknown, and the chain does not list the types it supports. The fields of this message are not checked.',
            shown(type),
          ),
      named: isListed
        ? t('This chain has no message type {0}.', shown(type))
        : t('The message type {0} is unknown, and the chain does not list its types.', shown(type)),
      misplaced: t('{0} is a message type, which cannot be used here.', shown(type)),
    };
    const said = texts[use];
    return meant === undefined ? said : `${said} ${t('Did you mean {0}?', meant)}`;
  },
  'legacy-in-messages': ({ type }, t) => t('{0} is legacy content. Wrap it in a MsgExecLegacyContent.', shown(type)),
  'authority-wrong': ({ found, expected, field, fault }, t) => {
    if (found === '') return t('The {0} is missing. It must be the gov account of this chain, {1}.', field, expected);
    return fault === undefined
      ? t('The {0} must be the gov account of this chain, {1}.', field, expected)
      : t('The {0} must be the gov account of this chain, {1}. {2}.', field, expected, addressFaultText(fault, t));
  },
  'name-unknown': ({ field, name, meant, known }, t) => {
    const said = t('{0} cannot be "{1}". The chain cannot read this value.', shown(field), shown(name));
    return `${said} ${meant === undefined ? t('Use one of {0}.', known.join(', ')) : t('Did you mean {0}?', meant)}`;
  },
  'client-types': ({ name, meant }, t) => {
    if (name === undefined) return t('The list is empty. The chain would reject all IBC clients.');
    const said = t('"{0}" is not a client type of ibc-go. The chain matches names exactly.', shown(name));
    return meant === undefined ? said : `${said} ${t('Did you mean {0}?', meant)}`;
  },
  'address-invalid': ({ field, fault }, t) =>
    fault.kind === 'empty'
      ? t('The {0} is missing.', field)
      : t('The {0} is not an account address of this chain. {1}.', field, addressFaultText(fault, t)),
  'recipient-module': ({ module }, t) =>
    t('This is the {0} module account. Most apps block payments to module accounts.', shown(module)),
  'spend-over-pool': ({ asked, held, holds, fails }, t) => {
    const own = coins([{ ...asked, amount: held }]);
    const said = t('The community pool holds {0}, but the draft spends {1}.', own, coins([asked]));
    const others = held === 0n && holds.length > 0 ? ` ${t('It holds {0}.', coins(holds))}` : '';
    return `${said}${others} ${failText(fails, t)}`;
  },
  'spend-most-of-pool': ({ asked, share }, t) =>
    t('The draft spends {0}, {1} of what the community pool holds.', coins([asked]), `${percent(share)} %`),
  'spend-over-balance': ({ asked, held }, t) =>
    t(
      'The gov account holds {0} today, but the draft sends {1}. The message would fail after the vote.',
      coins([{ ...asked, amount: held }]),
      coins([asked]),
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
    return fault === 'order'
      ? t('Coins must be sorted by denom. The message would fail when it is executed.')
      : t('A denom is listed twice. The message would fail when it is executed.');
  },
  'client-recovery': (facts, t) => recoveryText(facts, t),
  'wasm-code': ({ fault, fails }, t) => `${wasmText(fault, t)} ${failText(fails, t)}`,
  'time-early': ({ field, time, end }, t) =>
    t('{0} is {1}, but the vote ends at about {2}. Choose a later time.', field, minute(time), minute(end)),
  'transfer-timeout': (facts, t) => timeoutText(facts, t),
  'validator-unknown': ({ field }, t) =>
    t('{0}: this chain has no validator with this address. The message would fail when it is executed.', field),
  'proposal-closed': ({ id, status }, t) =>
    status === undefined
      ? t('This chain has no proposal {0}. The message would fail when it is executed.', shown(id))
      : t('Proposal {0} is no longer open. The message would fail when it is executed.', shown(id)),
  'text-differs': ({ what, field, said, does, param = '' }, t) => {
    const [named, own] = [shown(said), shown(does)];
    if (what === 'param')
      return t('The {0} says {1}, but the draft sets {2} to {3}.', field, named, param, todayText(does, t));
    if (what === 'amount') return t('The {0} says {1}, but the draft pays {2}.', field, named, own);
    if (what === 'recipient') return t('The {0} mentions {1}, but the draft pays {2}.', field, named, own);
    return what === 'plan'
      ? t('The {0} mentions the upgrade {1}, but the plan is named {2}.', field, named, own)
      : t('The {0} mentions the height {1}, but the plan is for {2}.', field, named, own);
  },
  'send-from-gov': ({ touched }, t) => {
    if (!touched) return t('This pays from the gov account, where deposits are held, not from the community pool.');
    const [held, deposits, paid] = [touched.held, touched.deposits, touched.paid].map((amount) =>
      coins([{ denom: touched.denom, amount }]),
    );
    return t(
      'The gov account holds {0}, {1} of which are deposits of open proposals. The draft sends {2} from it.',
      held ?? '',
      deposits ?? '',
      paid ?? '',
    );
  },
  'upgrade-plan': ({ field }, t) =>
    field === 'time'
      ? t('The SDK no longer supports time-based upgrades. Remove the time and set a height.')
      : t('The upgrade plan needs a {0}.', field),
  'upgrade-height-past': ({ asked, height, fails }, t) => {
    const said = t('Block {0} has passed: the chain is at {1}.', groupDigits(asked), groupDigits(height));
    return `${said} ${failText(fails, t)}`;
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
  'upgrade-applied': ({ name, height }, t) =>
    t('The upgrade "{0}" was applied at height {1}. Choose another name.', shown(name), groupDigits(height)),
  'upgrade-open': ({ plans }, t) => {
    const named = plans.slice(0, 5).map(({ id, name, height }) => {
      const at = height === undefined ? shown(name) : t('{0} at block {1}', shown(name), groupDigits(height));
      return t('proposal {0} ({1})', String(id), at);
    });
    return t('Other open proposals plan an upgrade: {0}. A chain has one plan at a time.', named.join(', '));
  },
  'upgrade-binary': ({ platform, outcome }, t) => t('{0}: {1}', shown(platform), binaryText(outcome, t)),
  'upgrade-info': (facts, t) => infoText(facts, t),
  'legacy-handler': ({ type, instead }, t) =>
    t(
      "This chain's SDK does not handle {0}. Use {1}, unless the app still registers its own handler.",
      shown(type),
      instead,
    ),
  'number-unquoted': ({ field, isLarge }, t) =>
    isLarge
      ? t('Put {0} in quotes. Many tools lose precision with numbers above 2^53.', shown(field))
      : t('Put {0} in quotes. The SDK writes 64-bit numbers as strings in JSON.', shown(field)),
  'params-incomplete': ({ missing, fails }, t) => {
    const names = missing.map(({ name, today }) => t('{0} (today {1})', shown(name), todayText(today, t))).join(', ');
    const found = plural(
      missing.length,
      t('1 parameter is missing: {0}.', names),
      t('{0} parameters are missing: {1}.', missing.length, names),
    );
    const refused = missing.filter(({ isRefused }) => isRefused).map(({ name }) => shown(name));
    if (refused.length > 0)
      return `${found} ${t('Missing parameters count as zero or empty, which is not allowed for {0}.', refused.join(', '))} ${failText(fails, t)}`;
    const harm = missing.some(({ name }) => name === depositRatio)
      ? ` ${t('Without {0}, the chain would no longer accept deposits, and therefore no proposals.', depositRatio)}`
      : '';
    return `${found} ${t('The chain sets missing parameters to zero, false or empty.')}${harm}`;
  },
  'params-empty': ({ module }, t) => t('All parameters of {0} are missing and would be set to zero.', shown(module)),
  'param-value': ({ field, limit, fails }, t) =>
    `${t('{0} must be {1}.', shown(field), limitText(limit, t))} ${failText(fails, t)}`,
  'param-order': ({ larger, smaller, mayBeEqual, fails }, t) =>
    `${mayBeEqual ? t('{0} must be at least {1}.', larger, smaller) : t('{0} must be greater than {1}.', larger, smaller)} ${failText(fails, t)}`,
  'message-value': (facts, t) => messageText(facts, t),
  'vote-extensions': (facts, t) => {
    if (facts.fault === 'negative') return t('The height at which vote extensions start must not be negative.');
    if (facts.fault === 'past')
      return t('Vote extensions must start in the future. The chain is at block {0}.', groupDigits(facts.height));
    if (facts.fault === 'enabled')
      return t(
        'Vote extensions have been enabled since block {0}. This setting can no longer be changed.',
        groupDigits(facts.enabled),
      );
    return t(
      'Vote extensions must start after the proposal executes. The vote is expected to end at about block {0}.',
      groupDigits(facts.earliest),
    );
  },
  'message-undone': ({ by, name }, t) => {
    if (by === 'change') return t('An earlier change also sets {0}. Only the last one takes effect.', shown(name));
    if (by === 'same') return t('This repeats an earlier {0}. Both are executed.', shown(name));
    if (by === 'params')
      return t('An earlier message also sets the parameters of {0}. Only the last one takes effect.', shown(name));
    return by === 'plan'
      ? t('This replaces the upgrade {0} from an earlier message. A chain has only one plan at a time.', shown(name))
      : t('This cancels the upgrade {0} from an earlier message.', shown(name));
  },
  'denom-changed': ({ field, today, asked, supply, bonded }, t) =>
    [
      /deposit|fee/.test(field)
        ? t('{0} is in {1} today. It would have to be paid in {2}.', field, shown(today), shown(asked))
        : field === 'bond_denom'
          ? t('bond_denom is {0} today. New delegations would have to use another denom.', shown(today))
          : t('{0} is currently {1}. New coins would have a different denom.', field, shown(today)),
      bonded !== undefined && t('{0} are staked.', coins([{ denom: today, amount: bonded }])),
      supply !== undefined && t('The supply of {0} is {1}.', shown(asked), groupDigits(supply)),
    ]
      .filter((one) => one !== false)
      .join(' '),
  'denom-unissued': ({ field, denom }, t) =>
    t('{0} uses {1}, which has no supply. Nobody could pay with it.', field, shown(denom)),
  'deposit-over-supply': ({ field, asked, supply }, t) =>
    t(
      '{0} is {1}, but only {2} exist. Nobody could pay it.',
      field,
      coins([asked]),
      coins([{ ...asked, amount: supply }]),
    ),
  'validators-out': ({ count, of, share }, t) =>
    t(
      '{0} of {1} bonded validators, holding {2} of all voting power, would drop out of the active set.',
      count,
      of,
      `${percent(share)} %`,
    ),
  'names-dropped': ({ field, names }, t) => {
    const dropped = names.map((one) => shown(one)).join(', ');
    return field === 'allowed_clients'
      ? t('{0} would no longer include {1}. Clients of these types would stop working.', field, dropped)
      : t(
          '{0} would no longer include {1}. Validators with keys of these types would drop out of the active set.',
          field,
          dropped,
        );
  },
  'param-extreme': (facts, t) => t('{0}: {1}', facts.field, extremeText(facts, t)),
  'evidence-age': ({ unbonding, evidence }, t) => {
    const [free, old] = [unbonding, evidence].map((one) => durationText(one * 1000, 'exact', t));
    return t(
      'Stake unbonds in {0}, but evidence is accepted for {1} (max_age_duration). Stake that has unbonded is not slashed.',
      free ?? '',
      old ?? '',
    );
  },
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
  unchanged: ({ what, name }, t) =>
    what === 'params'
      ? t('No change: all parameters of {0} have these values today.', shown(name))
      : t('No change: {0} has this value today.', shown(name)),
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
      return meant === undefined ? said : `${said} ${t('Did you mean {0}?', meant)}`;
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
      "The value must be JSON in the same form as today's value: {0}. The chain does not accept the value in the draft.",
      today,
    ),
};

function wasmText(fault: WasmFault, t: Translate): string {
  const texts: Readonly<Record<WasmFault, string>> = {
    hex: t('The code is in hexadecimal. Use the base64-encoded .wasm file.'),
    twice: t('The code is base64-encoded twice. Encode the .wasm file only once.'),
    zip: t('The code is a zip archive. Use the base64-encoded .wasm file, plain or gzipped.'),
    text: t('The code is in WebAssembly text format. Use the base64-encoded .wasm file.'),
    short: t('The code is only a few bytes long. Use the base64-encoded .wasm file.'),
    other: t('The code is not WebAssembly. Use the base64-encoded .wasm file, plain or gzipped.'),
  };
  return texts[fault];
}

function messageText(facts: MessageFault, t: Translate): string {
  switch (facts.fault) {
    case 'weight': {
      const wanted = limitText({ kind: 'share', isPositive: true }, t);
      return `${t('{0} must be {1}.', 'weight', wanted)} ${failText(facts.fails, t)}`;
    }
    case 'weightSum':
      return `${t('The weights add up to {0}. They must add up to exactly 1.', numberText(facts.sum))} ${failText(facts.fails, t)}`;
    case 'optionTwice':
      return `${t('The option {0} is listed twice.', shown(facts.option))} ${failText(facts.fails, t)}`;
    case 'sums': {
      const [inputs, outputs] = [coins(facts.inputs), coins(facts.outputs)];
      const said = t('The inputs total {0}, but the outputs total {1}. The totals must be equal.', inputs, outputs);
      return `${said} ${failText(facts.fails, t)}`;
    }
    case 'inputs':
      return `${t('Only one input is allowed. Use a separate message for each sender.')} ${failText(facts.fails, t)}`;
    case 'same':
      return `${t('{0} must differ from {1}.', facts.field, facts.other)} ${failText(facts.fails, t)}`;
    case 'limit':
      return `${t('{0} must be {1}.', facts.field, limitText(facts.limit, t))} ${failText(facts.fails, t)}`;
    case 'twice':
      return `${t('{0} is listed twice.', shown(facts.value))} ${failText(facts.fails, t)}`;
    case 'order':
      return `${t('{0} must be at least {1}.', facts.larger, facts.smaller)} ${failText(facts.fails, t)}`;
    case 'encoded':
      return facts.isBase64
        ? t('{0} is base64-encoded JSON. Use the JSON itself, as the contract reads it.', facts.field)
        : t('{0} is JSON in a string. Use the JSON itself, as the contract reads it.', facts.field);
    case 'short':
      return t('{0} is less than a millisecond. Use nanoseconds, such as "30000000000" for 30 seconds.', facts.field);
    case 'id':
      return t('{0} does not look like an IBC identifier. Use one such as {1}.', facts.field, facts.example);
    case 'reset':
      return t(
        '{0} is in both send_enabled and use_default_for, so the new setting would be removed right away.',
        shown(facts.denom),
      );
    case 'unit': {
      const said = {
        milliseconds: t('{0} is in milliseconds. Use seconds since 1970.', facts.field),
        microseconds: t('{0} is in microseconds. Use seconds since 1970.', facts.field),
        nanoseconds: t('{0} is in nanoseconds. Use seconds since 1970.', facts.field),
      };
      return said[facts.unit];
    }
    case 'period':
      return t(
        '{0} is {1}, far in the past. Use a time in seconds since 1970, not a duration.',
        facts.field,
        minute(facts.time),
      );
    default:
      return facts satisfies never;
  }
}

function timeoutText(facts: TimeoutFault, t: Translate): string {
  switch (facts.fault) {
    case 'none':
      return `${t('The transfer has no timeout. Set timeout_timestamp, in nanoseconds since 1970.')} ${failText(facts.fails, t)}`;
    case 'unit': {
      const said = {
        seconds: t('The timeout is in seconds. Use nanoseconds since 1970, or it will be in the past.'),
        milliseconds: t('The timeout is in milliseconds. Use nanoseconds since 1970, or it will be in the past.'),
        microseconds: t('The timeout is in microseconds. Use nanoseconds since 1970, or it will be in the past.'),
      };
      return said[facts.unit];
    }
    case 'relative':
      return t(
        'relative_timeout is less than a second, so the packet would time out. Use nanoseconds, such as "600000000000" for 10 minutes.',
      );
    case 'past':
      return t('The timeout {0} has passed: the chain is at {1}.', minute(facts.time), minute(facts.now));
    case 'early':
      return t(
        'The timeout {0} passes before the vote ends at about {1}. The transfer would fail.',
        minute(facts.time),
        minute(facts.end),
      );
    default:
      return facts satisfies never;
  }
}

/** Says when a chain refuses a value. */
function failText(time: FailTime, t: Translate): string {
  const texts: Readonly<Record<FailTime, string>> = {
    submission: t('The chain does not accept the proposal.'),
    execution: t('The chain accepts the proposal, but the message would fail when it is executed after the vote.'),
    either: t('The chain does not accept the proposal, or the message would fail when it is executed after the vote.'),
  };
  return texts[time];
}

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
    EndOfFileExpected: t('Nothing may follow the closing brace.'),
    InvalidSymbol: t('This is not a JSON value. Put text in double quotes.'),
    InvalidNumberFormat: t('This is not a JSON number.'),
    UnexpectedEndOfString: t('The closing quote is missing.'),
    UnexpectedEndOfNumber: t('This is not a JSON number.'),
    UnexpectedEndOfComment: t('The comment is not closed.'),
    InvalidUnicode: t('Invalid escape sequence. Use \\u and four hexadecimal digits.'),
    InvalidEscapeCharacter: t('Invalid escape sequence. To write a backslash, use two.'),
    InvalidCharacter: t('This character must be escaped in a string.'),
  };
  return (Object.hasOwn(texts, fault) ? texts[fault] : undefined) ?? t('This is not valid JSON: {0}.', fault);
}

function binaryText(outcome: BinaryOutcome, t: Translate): string {
  switch (outcome.kind) {
    case 'matches':
      return t('the checksum matches ({0} downloaded from {1}).', sizeText(outcome.bytes), hostsText(outcome.hosts));
    case 'differs':
      return t(
        'the file from {0} has the checksum {1}:{2}, not the one in the plan. Cosmovisor rejects it.',
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

function infoText(facts: InfoFault, t: Translate): string {
  switch (facts.fault) {
    case 'json':
      return t('The plan info is not valid JSON. Cosmovisor cannot read it.');
    case 'checksum':
      return t(
        'A download in the plan info has a missing or incomplete checksum (checksum=sha256:…). Cosmovisor does not accept it if DAEMON_DOWNLOAD_MUST_HAVE_CHECKSUM is set.',
      );
    case 'digest':
      return facts.isKnown
        ? t('A checksum in the plan info uses {0}, which can be forged. Use sha256.', facts.digest)
        : t('Cosmovisor does not support the checksum type {0}. Use sha256.', shown(facts.digest));
    case 'platform': {
      const names = facts.platforms.slice(0, 5).map((one) => shown(one));
      return t('The plan info has no binary for linux/amd64, only for {0}.', names.join(', '));
    }
    default:
      return facts satisfies never;
  }
}

function extremeText({ effect, asked, today }: FindingFacts['param-extreme'], t: Translate): string {
  const share = (text: string): string => `${percent(toRatio(text) ?? 0n)} %`;
  const texts: Readonly<Record<Extreme, string>> = {
    noQuorum: t('a single vote could pass a proposal.'),
    highQuorum: t(
      'no proposal would pass unless {0} of the bonded tokens vote (today {1}).',
      share(asked),
      share(today),
    ),
    highCommission: t(
      "every validator would take at least {0} of its delegators' rewards (today {1}).",
      share(asked),
      share(today),
    ),
    oneEntry: t(
      'each delegator could undelegate from a validator only once per unbonding time (today {0}).',
      numberText(today),
    ),
    fullQuorum: t('no proposal would pass unless all bonded tokens vote.'),
    oneNo: t('a single No vote would stop a proposal.'),
    noVeto: t('a proposal would be vetoed only if every vote is No with veto.'),
    noHistory: t('IBC handshakes need historical entries and would fail.'),
    noRewards: t('validators would keep all rewards, and delegators would get none.'),
    everyBlock: t('a validator that misses one block would be jailed.'),
    noSlash: t('a validator that signs twice would lose no stake.'),
    wholeStake: t('a validator and its delegators would lose all stake.'),
    doubled: t('the supply could double in a year.'),
    allTaxed: t('all rewards would go to the community pool.'),
    noGas: t('no transaction would fit in a block.'),
    noGasLimit: t('blocks would have no gas limit (today {0}). One block could stall the chain.', numberText(today)),
    oneSignature: t('multisig accounts could no longer sign.'),
  };
  return texts[effect];
}

function recoveryText(facts: RecoveryFault, t: Translate): string {
  switch (facts.fault) {
    case 'id':
      return t('This is not a client ID. Use a form such as 07-tendermint-12.');
    case 'same':
      return t('A client cannot be recovered from itself. Use a different client that is active.');
    case 'missing':
      return t('This chain has no client with this ID.');
    case 'active':
      return t('This client is active. Only an expired or frozen client can be recovered.');
    case 'inactive':
      return t('The status of this client is {0}. Use an active client.', shown(facts.status));
    case 'height':
      return t(
        'The height of this client ({0}) must be above that of the client to recover ({1}). Update this client first.',
        facts.own,
        facts.other,
      );
    case 'differs':
      return t(
        '{0} must be the same for both clients. It is {1} for this client and {2} for the other one.',
        shown(facts.field),
        shown(facts.own),
        shown(facts.other),
      );
    case 'expires':
      return t(
        'This client expires on {0}, before voting ends on {1}, unless it is updated.',
        minute(facts.expires),
        minute(facts.end),
      );
    default:
      return facts satisfies never;
  }
}

/** Words the form that a value needs, with an example, as the end of a sentence. */
function formText(wanted: WantedForm, t: Translate): string {
  const whole = (min: string, max: string): string => t('a whole number from {0} to {1}, digits only', min, max);
  const texts: Readonly<Record<WantedForm, string>> = {
    text: t('a string in double quotes'),
    number: t('a whole number in quotes, such as "100"'),
    'whole number': t('a whole number, such as 100'),
    list: t('a list in square brackets'),
    object: t('an object in braces'),
    'true or false': t('true or false, without quotes'),
    duration: t('a duration of at most 292 years, such as "1209600s"'),
    nanoseconds: nanosecondsText(t),
    decimal: t('a decimal number in quotes, such as "0.5"'),
    time: t('a time, such as "2026-01-31T12:00:00Z"'),
    base64: t('bytes as base64, such as "AGFzbQ=="'),
    u32: whole('0', groupDigits(2n ** 32n - 1n)),
    u64: whole('0', groupDigits(2n ** 64n - 1n)),
    i64: whole(groupDigits(-(2n ** 63n)), groupDigits(2n ** 63n - 1n)),
    amount: t('a whole number of base units in quotes, such as "1000000"'),
    'positive amount': t('a whole number of base units above 0 in quotes, such as "1000000"'),
    coins: t('a list of coins, such as [{"denom": "stake", "amount": "1000000"}]'),
  };
  return texts[wanted];
}

/** Words the form of durations in legacy parameters. */
function nanosecondsText(t: Translate): string {
  return t('a duration above 0 in nanoseconds, digits only and in quotes, such as "172800000000000" for 2 days');
}

/** Words the values that a parameter accepts, as the end of a sentence. */
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
    case 'nanoseconds':
      return nanosecondsText(t);
    case 'period':
      return t('a duration above 0, such as "1209600s"');
    case 'denom':
      return t('a denom of 3 to 128 characters (letters, digits, / : . _ -) that starts with a letter');
    case 'coins':
      return t('a list of coins such as {"denom": "stake", "amount": "1"}, each denom once and each amount above 0');
    case 'coin':
      return t('a coin such as {"denom": "stake", "amount": "1"}');
    case 'zero':
      return t('0 (no longer used)');
    case 'empty':
      return t('an empty list (no longer used)');
    case 'account':
      return t('an account address of this chain, or empty');
    case 'names':
      return t('a list of at most 500 names, or "*" alone');
    case 'keyTypes':
      return t('a list of key types: ed25519, secp256k1');
    default:
      return limit satisfies never;
  }
}

const repairTitles: { readonly [C in keyof RepairFacts]: (facts: RepairFacts[C], t: Translate) => string } = {
  'params-from-chain': ({ count }, t) => t('Add the other parameters from the chain ({0})', count),
  'authority-from-chain': ({ account }, t) => t('Set to the gov account ({0})', account),
  'deposit-to-submit': ({ deposit }, t) => t('Set to the minimum to submit ({0})', deposit),
  'deposit-to-vote': ({ deposit, isExpedited }, t) =>
    isExpedited
      ? t('Set to the minimum for an expedited vote ({0})', deposit)
      : t('Set to the minimum for voting ({0})', deposit),
  quote: (_, t) => t('Convert to the expected form'),
  'text-from-metadata': ({ field }, t) => t('Use the {0} from the metadata', field),
  'metadata-from-text': ({ field }, t) => t('Copy the {0} to the metadata', field),
  'metadata-remove': (_, t) => t('Clear the metadata'),
  'metadata-inline': (_, t) => t('Copy title and summary to the metadata'),
  'height-at-time': ({ height, time }, t) => t('Set to {0}, expected at {1}', groupDigits(height), minute(time)),
  unescape: ({ field }, t) => t('Fix line breaks in the {0}', field),
  'wrap-legacy': (_, t) => t('Wrap in a MsgExecLegacyContent'),
  'drop-unchanged': (_, t) => t('Remove'),
  'key-rename': ({ name }, t) => t('Rename to {0}', name),
  'slash-add': (_, t) => t('Add the slash'),
  'comma-remove': (_, t) => t('Remove the comma'),
  'spend-from-pool': (_, t) => t('Spend from the community pool instead'),
  'expedited-remove': (_, t) => t('Remove "expedited"'),
  'deposit-as-text': (_, t) => t('Convert the coins to a string'),
  'type-rename': ({ type }, t) => t('Rename to {0}', type),
  convert: ({ value }, t) => t('Replace with {0}', shown(value)),
  'coins-sort': (_, t) => t('Sort the coins'),
};

/** A text of the file on one line, at most `limit` characters long. */
function shown(text: string, limit = 80): string {
  const line = showControls(text.slice(0, limit).replace(/\s+/g, ' '));
  return text.length > limit ? `${line}…` : line;
}

function coins(list: readonly Coin[]): string {
  return list.map(({ amount, denom }) => `${groupDigits(amount)} ${shown(denom)}`).join(', ');
}

/** Writes a number without the zeros behind its decimals, and groups long whole numbers and amounts of coins. */
function numberText(value: string): string {
  const [, amount, denom] = /^(\d{1,40})([a-z].*)$/i.exec(value) ?? [];
  if (amount !== undefined && denom !== undefined) return coins([{ amount: BigInt(amount), denom }]);
  const text = /^\d{1,40}\.\d{1,18}$/.test(value) ? value.replace(/\.?(?<!0)0+$/, '') : value;
  return /^\d{5,30}$/.test(text) ? groupDigits(BigInt(text)) : shown(text);
}

/** Today's value of the chain: durations in words (`21 days`), digits of whole numbers grouped. */
function todayText(value: string, t: Translate): string {
  const [, seconds] = /^"?(\d{1,12})s"?$/.exec(value) ?? [];
  if (seconds !== undefined) return durationText(Number(seconds) * 1000, 'exact', t);
  return /^\d{5,30}$/.test(value) ? groupDigits(BigInt(value)) : shown(value);
}

/** A period in words. One of less than a second is in milliseconds. */
function periodText(seconds: number, t: Translate): string {
  if (seconds >= 1) return durationText(seconds * 1000, 'exact', t);
  return t('{0} ms', (seconds * 1000).toLocaleString('en-US', { maximumFractionDigits: 6 }));
}

function minute(time: Date): string {
  return `${utcMinute(time)} UTC`;
}
