import type { Node } from 'jsonc-parser';
import { addressFault } from '../../../chain/address.ts';
import { fromBase64, fromUtf8 } from '../../../chain/bytes.ts';
import type { Coin } from '../../../chain/coin.ts';
import { isFields } from '../../../chain/fields.ts';
import { exactJson, parseJson } from '../../../chain/json.ts';
import { whole } from '../../../chain/ratio.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { replaceValue } from '../../draftEdits.ts';
import { allActions, type Draft, itemsOf, member, nodeAt, rawOf, textOf } from '../../draftText.ts';
import { convertedValue } from '../../fieldForms.ts';
import { error, errorIf, type Finding, repair, warning } from '../../finding.ts';
import { type FailTime, failTime, triedTime } from '../failTime.ts';
import { keepsTo, readDecimal } from '../params/paramRules.ts';
import { coinOf } from '../payments/spendChecks.ts';
import { moduleFindings } from './accountChecks.ts';
import { isLongAgo, unitOf } from './timeUnits.ts';

/** A message with what its rule needs. */
interface Checked {
  readonly draft: Draft;
  readonly facts: ChainFacts;
  readonly node: Node;
  readonly fails: FailTime;
}

type Rule = (checked: Checked) => readonly Finding[];

const differentAccounts: Rule = (checked) => sameFindings(checked, 'grantee', 'granter');
const differentAdmins: Rule = (checked) => sameFindings(checked, 'new_admin', 'sender');
const differentGroupAdmins: Rule = (checked) => sameFindings(checked, 'new_admin', 'admin');
// The keeper refuses the same validator, so that no version does when the proposal is submitted.
const differentValidators: Rule = (checked) =>
  sameFindings({ ...checked, fails: triedTime(false) }, 'validator_dst_address', 'validator_src_address');

/** The rules of messages about their own values, by the full type. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['/cosmos.authz.v1beta1.MsgGrant', differentAccounts],
  ['/cosmos.authz.v1beta1.MsgRevoke', differentAccounts],
  ['/cosmos.bank.v1beta1.MsgMultiSend', multiSendFindings],
  ['/cosmos.bank.v1beta1.MsgSetSendEnabled', sendEnabledFindings],
  ['/cosmos.circuit.v1.MsgAuthorizeCircuitBreaker', permissionFindings],
  ['/cosmos.feegrant.v1beta1.MsgGrantAllowance', differentAccounts],
  ['/cosmos.feegrant.v1beta1.MsgRevokeAllowance', differentAccounts],
  ['/cosmos.feegrant.v1beta1.PeriodicAllowance', allowanceFindings],
  ['/cosmos.gov.v1.MsgVoteWeighted', weightFindings],
  ['/cosmos.gov.v1beta1.MsgVoteWeighted', weightFindings],
  ['/cosmos.group.v1.MsgUpdateGroupAdmin', differentGroupAdmins],
  ['/cosmos.group.v1.MsgUpdateGroupPolicyAdmin', differentGroupAdmins],
  ['/cosmos.staking.v1beta1.MsgBeginRedelegate', differentValidators],
  ['/cosmos.staking.v1beta1.MsgCreateValidator', commissionFindings],
  ['/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount', startFindings],
  ['/cosmos.vesting.v1beta1.MsgCreateVestingAccount', endFindings],
  ['/cosmwasm.wasm.v1.MsgExecuteContract', contractFindings],
  ['/cosmwasm.wasm.v1.MsgInstantiateContract', contractFindings],
  ['/cosmwasm.wasm.v1.MsgInstantiateContract2', contractFindings],
  ['/cosmwasm.wasm.v1.MsgMigrateContract', contractFindings],
  ['/cosmwasm.wasm.v1.MsgStoreAndInstantiateContract', contractFindings],
  ['/cosmwasm.wasm.v1.MsgStoreAndMigrateContract', contractFindings],
  ['/cosmwasm.wasm.v1.MsgSudoContract', contractFindings],
  ['/cosmwasm.wasm.v1.MsgUpdateAdmin', differentAdmins],
  ['/ibc.applications.interchain_accounts.controller.v1.MsgRegisterInterchainAccount', idFindings],
  ['/ibc.applications.interchain_accounts.controller.v1.MsgSendTx', idFindings],
  ['/ibc.applications.transfer.v1.MsgTransfer', transferFindings],
  ['/ibc.core.channel.v1.MsgUpdateParams', channelFindings],
  ['/ibc.core.connection.v1.MsgUpdateParams', connectionFindings],
]);

/**
 * Checks values that a message refuses by itself, whatever the chain holds. Sources: ValidateBasic of the messages up to
 * SDK 0.47, and keeper/msg_server.go of the modules since 0.50: x/gov, x/bank, x/authz, x/feegrant, x/circuit,
 * x/auth/vesting; x/wasm/types/tx.go of CosmWasm/wasmd;
 * x/staking/keeper/delegation.go (BeginRedelegation); modules/core/24-host/validate.go of cosmos/ibc-go.
 */
export function checkMessageValues(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action) => {
    const rule = action.isLegacy ? undefined : rules.get(action.typeUrl);
    return rule?.({ draft, facts, node: action.node, fails: failTime(facts, action) }) ?? [];
  });
}

/** Weights are above 0 and add up to 1. No option stands twice (x/gov/types/v1/vote.go, IsValid; keeper/msg_server.go). */
function weightFindings({ draft, node, fails }: Checked): readonly Finding[] {
  const list = member(node, 'options')?.value;
  const options = itemsOf(list);
  if (!list || options.length === 0) return [];
  const wrong = options.flatMap((option): readonly Finding[] => {
    const value = member(option, 'weight')?.value;
    const weight = readWeight(value);
    if (weight !== undefined && weight > 0n && weight <= whole) return [];
    const meant = value && weight === undefined ? convertedValue('decimal', value, rawOf(draft, value)) : undefined;
    const repairs =
      value && meant !== undefined
        ? [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, value, meant))]
        : [];
    return [error('message-value', value ?? option, { fault: 'weight', fails }, repairs)];
  });
  const seen = new Set<unknown>();
  const twice = options
    .map((option) => member(option, 'option')?.value)
    .find((option) => {
      const isRepeated = seen.has(option?.value);
      seen.add(option?.value);
      return option && isRepeated;
    });
  const repeated = twice
    ? [error('message-value', twice, { fault: 'optionTwice', option: String(twice.value), fails })]
    : [];
  if (wrong.length > 0) return [...wrong, ...repeated];
  const sum = options.reduce((all, option) => all + (readWeight(member(option, 'weight')?.value) ?? 0n), 0n);
  if (sum === whole) return repeated;
  const text = `${sum / whole}.${String(sum % whole).padStart(18, '0')}`;
  return [error('message-value', list, { fault: 'weightSum', sum: text, fails }), ...repeated];
}

/** Reads a weight. Go also reads one without a digit before the point (math/dec.go, LegacyNewDecFromStr). */
function readWeight(node: Node | undefined): bigint | undefined {
  const text: unknown = node?.value;
  return typeof text === 'string' ? readDecimal(text.startsWith('.') ? `0${text}` : text) : undefined;
}

/** One input, outputs of the same sum, and accounts of this chain (x/bank/types/msgs.go, ValidateInputOutputs). */
function multiSendFindings({ facts, node, fails }: Checked): readonly Finding[] {
  const [inputs, outputs] = [member(node, 'inputs')?.value, member(node, 'outputs')?.value];
  const addresses = itemsOf(outputs).flatMap((output): readonly Finding[] => {
    const address = member(output, 'address')?.value;
    if (!address || typeof address.value !== 'string' || address.value === '') return [];
    const fault = addressFault(address.value, facts.prefix);
    return fault ? [error('address-invalid', address, { field: 'address', fault })] : moduleFindings(address, facts);
  });
  const [, second] = itemsOf(inputs);
  // A message with two inputs has two signers.
  if (second) return [...addresses, error('message-value', second, { fault: 'inputs', fails: triedTime(true) })];
  const [taken, paid] = [coinsOf(inputs), coinsOf(outputs)];
  if (!outputs || !taken || !paid || isEqual(taken, paid)) return addresses;
  return [...addresses, error('message-value', outputs, { fault: 'sums', inputs: taken, outputs: paid, fails })];
}

/** The sum of the coins of inputs or outputs, in the order of their denoms. Undefined if a coin cannot be read. */
function coinsOf(list: Node | undefined): readonly Coin[] | undefined {
  const nodes = itemsOf(list).flatMap((one) => itemsOf(member(one, 'coins')?.value));
  const coins = nodes.flatMap((coin) => coinOf(coin));
  if (nodes.length === 0 || coins.length < nodes.length) return undefined;
  const sums = new Map<string, bigint>();
  for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  return [...sums].map(([denom, amount]) => ({ denom, amount })).toSorted((a, b) => (a.denom < b.denom ? -1 : 1));
}

function isEqual(some: readonly Coin[], others: readonly Coin[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ denom, amount }, at) => others[at]?.denom === denom && others[at]?.amount === amount)
  );
}

/** Addresses that have to differ. Go compares them whatever their case (strings.EqualFold). */
function sameFindings({ node, fails }: Checked, field: string, other: string): readonly Finding[] {
  const value = member(node, field)?.value;
  const [own, against] = [textOf(node, field), textOf(node, other)];
  if (!value || !own || own.toLowerCase() !== against?.toLowerCase()) return [];
  return [error('message-value', value, { fault: 'same', field, other, fails })];
}

/**
 * Denoms of the settings (x/bank/keeper/msg_server.go, SetSendEnabled, which sets all of them before it removes any). A
 * chain may have shorter denoms than the SDK, such as one that deposits are paid in.
 */
function sendEnabledFindings({ facts, node, fails }: Checked): readonly Finding[] {
  const short = new Set(facts.govParams?.minDeposit?.map(({ denom }) => denom));
  const limit = { kind: 'denom' } as const;
  const isDenom = (text: unknown): boolean => short.has(String(text)) || keepsTo(limit, text) !== false;
  const set = itemsOf(member(node, 'send_enabled')?.value).flatMap((entry) => member(entry, 'denom')?.value ?? []);
  const given = new Set(set.map(({ value }) => value));
  const removed = itemsOf(member(node, 'use_default_for')?.value);
  const wrong = [
    ...set.filter(({ value }) => value !== '' && !isDenom(value)).map((at) => ({ at, field: 'denom' })),
    ...removed.filter(({ value }) => !isDenom(value)).map((at) => ({ at, field: 'use_default_for' })),
  ];
  return [
    ...wrong.map(({ at, field }) => error('message-value', at, { fault: 'limit', field, limit, fails })),
    ...removed
      .filter(({ value }) => given.has(value))
      .map((at) => warning('message-value', at, { fault: 'reset', denom: String(at.value) })),
  ];
}

/** Permissions for some messages name these (x/circuit/keeper/msg_server.go, hasPermissionForMsg). */
function permissionFindings({ node }: Checked): readonly Finding[] {
  const level = nodeAt(node, 'permissions.level');
  const types = nodeAt(node, 'permissions.limit_type_urls');
  const isForSome = level?.value === 'LEVEL_SOME_MSGS' || level?.value === 1;
  if (!level || !isForSome || itemsOf(types).length > 0) return [];
  return [error('message-value', types ?? level, { fault: 'nothing', field: 'limit_type_urls' })];
}

/** A form of names in IBC, by field: the fewest and most characters, an example, and the form that ibc-go gives them. */
interface IdForm {
  readonly least: number;
  readonly most: number;
  readonly example: string;
  readonly usual: RegExp;
}
const idForms: Readonly<Record<string, IdForm>> = {
  source_port: { least: 2, most: 128, example: 'transfer', usual: /^transfer$/ },
  // A transfer of IBC v2 names a client in its place.
  source_channel: { least: 8, most: 64, example: 'channel-0', usual: /^(channel|[\w.+#[\]<>-]+)-\d{1,20}$/ },
  connection_id: { least: 10, most: 64, example: 'connection-0', usual: /^connection-\d{1,20}$/ },
};

/** Names of ports, channels and connections (modules/core/24-host/validate.go). An app may have unusual ones. */
function idFindings({ node }: Checked): readonly Finding[] {
  return Object.entries(idForms).flatMap(([field, { least, most, example, usual }]): readonly Finding[] => {
    const value = member(node, field)?.value;
    const text: unknown = value?.value;
    // The check of fields names empty ones.
    if (!value || typeof text !== 'string' || text.trim() === '' || usual.test(text)) return [];
    const isName = text.length >= least && text.length <= most && /^[\w.+\-#[\]<>]+$/.test(text);
    return [errorIf(!isName)('message-value', value, { fault: 'id', field, example })];
  });
}

/** The denom of another chain's coin is that of its trace (modules/apps/transfer/types, ValidateIBCDenom). */
function transferFindings(checked: Checked): readonly Finding[] {
  const denom = nodeAt(checked.node, 'token.denom');
  const text = String(denom?.value);
  const isWrong = denom && /^ibc\//i.test(text) && !/^ibc\/[0-9A-F]{64}$/.test(text);
  const wrong = isWrong ? [error('message-value', denom, { fault: 'id', field: 'denom', example: exampleDenom })] : [];
  return [...idFindings(checked), ...wrong];
}

const exampleDenom = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';

/** The time between blocks is in nanoseconds (modules/core/03-connection/types/params.go). */
function connectionFindings({ node }: Checked): readonly Finding[] {
  return shortFindings(node, 'max_expected_time_per_block', 'millisecond');
}

/** So is the time in which the packets of a channel are flushed (modules/core/04-channel/types/params.go). */
function channelFindings({ node }: Checked): readonly Finding[] {
  return shortFindings(node, 'upgrade_timeout.timestamp', 'second');
}

/** Finds a time that is shorter than any that is meant, and rather in another unit. */
function shortFindings(node: Node, field: string, least: 'millisecond' | 'second'): readonly Finding[] {
  const value = nodeAt(node, `params.${field}`);
  const digits = String(value?.value);
  const isShort = /^[1-9]\d*$/.test(digits) && digits.length <= (least === 'second' ? 9 : 6);
  return value && isShort ? [warning('message-value', value, { fault: 'short', field, least })] : [];
}

/** Rates of a validator (x/staking/types/commission.go, Validate). */
function commissionFindings({ node, fails }: Checked): readonly Finding[] {
  const [largest, ...others] = ['max_rate', 'rate', 'max_change_rate'].map((field) => {
    const value = nodeAt(node, `commission.${field}`);
    return { field, value, rate: value && readDecimal(value.value) };
  });
  const limit = { kind: 'share', isPositive: false } as const;
  if (largest?.value && largest.rate !== undefined && keepsTo(limit, largest.value.value) === false)
    return [error('message-value', largest.value, { fault: 'limit', field: largest.field, limit, fails })];
  return others.flatMap(({ field, value, rate }) => {
    if (!value || rate === undefined || largest?.rate === undefined || rate <= largest.rate) return [];
    return [error('message-value', value, { fault: 'order', larger: largest.field, smaller: field, fails })];
  });
}

/** The denoms of each period are among those of the whole allowance, if that has a limit (x/feegrant/periodic_fee.go). */
function allowanceFindings({ node, fails }: Checked): readonly Finding[] {
  const [other, field] = ['basic.spend_limit', 'period_spend_limit'] as const;
  const limited = new Set(itemsOf(nodeAt(node, other)).map((coin) => textOf(coin, 'denom')));
  if (limited.size === 0) return [];
  return itemsOf(member(node, field)?.value).flatMap((coin) => {
    const denom = textOf(coin, 'denom');
    if (denom === undefined || limited.has(denom)) return [];
    return [error('message-value', coin, { fault: 'denom', denom, field, other, fails })];
  });
}

/**
 * The message of a contract is JSON in the file, which the contract reads (x/wasm/types/tx.go of wasmd,
 * RawContractMessage). Few contracts take texts, and none is known that takes one with an object in it.
 */
function contractFindings({ draft, node }: Checked): readonly Finding[] {
  const field = 'msg';
  const value = member(node, field)?.value;
  if (!value || typeof value.value !== 'string') return [];
  const text: string = value.value;
  const { bytes, rest } = fromBase64(text);
  const decoded = rest === '' ? (fromUtf8(bytes) ?? '') : '';
  const json = [text, decoded].find((one) => isFields(parseJson(one)));
  if (json === undefined) return [];
  const meant = exactJson(json);
  const repairs =
    meant === undefined ? [] : [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, value, meant))];
  const isBase64 = json !== text;
  return [warning('message-value', value, { fault: 'encoded', field, isBase64 }, repairs)];
}

/** The times of a vesting account by periods: its start, and the length of each (x/auth/vesting/msg_server.go). */
function startFindings(checked: Checked): readonly Finding[] {
  const { node, fails } = checked;
  const limit = { kind: 'whole', min: 1n, max: 2n ** 63n - 1n } as const;
  const lengths = itemsOf(member(node, 'vesting_periods')?.value).flatMap((one): readonly Finding[] => {
    const length = member(one, 'length')?.value;
    // A missing length is 0.
    if (keepsTo(limit, length?.value ?? '0') !== false) return [];
    return [error('message-value', length ?? one, { fault: 'limit', field: 'length', limit, fails })];
  });
  return [...timeFindings(checked, 'start_time'), ...lengths];
}

function endFindings(checked: Checked): readonly Finding[] {
  return timeFindings(checked, 'end_time');
}

/** Times of vesting accounts are in seconds (x/auth/vesting/types/vesting_account.go). */
function timeFindings({ draft, node }: Checked, field: string): readonly Finding[] {
  const value = member(node, field)?.value;
  if (!value) return [];
  const digits = String(value.value);
  if (isLongAgo(digits))
    return [error('message-value', value, { fault: 'period', field, time: new Date(Number(digits) * 1000) })];
  const { unit, nanoseconds = 0n } = (/^\d{1,20}$/.test(digits) ? unitOf(BigInt(digits)) : undefined) ?? {};
  if (unit === undefined || unit === 'seconds') return [];
  const seconds = String(nanoseconds / 1_000_000_000n);
  const repairs = [repair('convert', { value: JSON.stringify(seconds) }, replaceValue(draft, value, seconds))];
  return [error('message-value', value, { fault: 'unit', field, unit }, repairs)];
}
