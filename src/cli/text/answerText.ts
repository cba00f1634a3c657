import { type Fields, isFields } from '../../chain/fields.ts';
import type { AnswerHead, ListMetadata } from '../../tools/answers/answerSchema.ts';
import type { ToolAnswers } from '../../tools/toolTable.ts';
import type { Line } from '../terminal.ts';
import { blockLines, type FactLine, tableFact, unknownText } from './factText.ts';
import { ownWord } from './proposalText.ts';
import { dim, lineText, shareText, shownAmountText, type TextColumn } from './textTable.ts';

type SupplyAnswer = ToolAnswers['get_supply'];
type HolderAnswer = NonNullable<SupplyAnswer['largest_holders']>[number];
type ValidatorsAnswer = ToolAnswers['list_validators'];
type Compared = ToolAnswers['compare_sources'];
type Module = ToolAnswers['get_params']['modules'][number];

export const supplyColumns: readonly TextColumn<NonNullable<SupplyAnswer['supply']>[number]>[] = [
  { header: 'Amount', name: 'amount', value: ({ amount }) => amount },
  { header: 'Denom', name: 'denom', value: ({ untrusted_denom: denom }) => denom },
  { header: 'Shown as', name: 'display_amount', value: ({ display_amount: amount }) => amount, rank: 2 },
  { header: 'Symbol', name: 'symbol', value: ({ untrusted_symbol: symbol }) => symbol, rank: 1 },
];

export const holderColumns: readonly TextColumn<HolderAnswer>[] = [
  { header: 'Address', name: 'address', value: ({ address, untrusted_address: other }) => address ?? other },
  { header: 'Class', name: 'class', value: (row) => row.class, rank: 4 },
  { header: 'Name', name: 'name', value: ({ untrusted_name: name }) => name, rank: 1 },
  { header: 'Amount', name: 'amount', value: ({ amount }) => amount },
  { header: 'Display amount', name: 'display_amount', value: ({ display_amount: amount }) => amount, rank: 3 },
  { header: 'Share', name: 'share', value: ({ share }) => share, shown: ({ share }) => shareText(share), rank: 2 },
  { header: 'Vests until', name: 'vesting_end', value: (row) => row.vesting_end, rank: 5 },
];

export const validatorColumns: readonly TextColumn<ValidatorsAnswer['validators'][number]>[] = [
  { header: 'Status', name: 'status', value: ({ status }) => status, rank: 2 },
  { header: 'Tokens', name: 'amount', value: ({ amount }) => amount },
  { header: 'Share', name: 'share', value: ({ share }) => share, shown: ({ share }) => shareText(share), rank: 3 },
  {
    header: 'Commission',
    name: 'commission',
    value: ({ commission: rate }) => rate,
    shown: ({ commission: rate }) => shareText(rate),
    rank: 4,
  },
  { header: 'Jailed', name: 'jailed', value: ({ jailed }) => jailed, rank: 1 },
  { header: 'Operator', name: 'operator_address', value: ({ operator_address: operator }) => operator },
  { header: 'Moniker', name: 'moniker', value: ({ untrusted_moniker: moniker }) => moniker },
];

export const differenceColumns: readonly TextColumn<Compared['differences'][number]>[] = [
  { header: 'Section', name: 'section', value: ({ section }) => section },
  { header: 'Change', name: 'change', value: ({ change }) => change },
  { header: 'Key', name: 'key', value: ({ untrusted_key: key }) => key },
  { header: 'Left', name: 'left', value: (row) => row.untrusted_left ?? undefined },
  { header: 'Right', name: 'right', value: (row) => row.untrusted_right ?? undefined },
  { header: 'Difference', name: 'difference', value: ({ difference }) => difference, rank: 1 },
  { name: 'left_title', value: (row) => row.untrusted_left_title },
  { name: 'right_title', value: (row) => row.untrusted_right_title },
];

/** A parameter of a module. */
export interface ParamRow {
  readonly module: string;
  readonly path: string;
  readonly value: string;
  readonly meaning: string | undefined;
}

export const paramColumns: readonly TextColumn<ParamRow>[] = [
  { header: 'Module', name: 'module', value: (row) => row.module },
  { header: 'Parameter', name: 'parameter', value: ({ path }) => path },
  { header: 'Value', name: 'value', value: ({ value }) => value },
  { header: 'Meaning', name: 'meaning', value: ({ meaning }) => meaning, rank: 1 },
];

/** Gives the parameters of a module one by one. A group has one row for each path in it, a list is JSON. */
export function paramRows(row: Module): readonly ParamRow[] {
  const module = row.module ?? row.untrusted_module ?? '';
  const meaning = (path: string): string | undefined => {
    const known = row.meaning?.[path];
    if (known?.coins) return known.coins.map(shownAmountText).join(', ');
    return known?.seconds === undefined ? known?.share : `${known.seconds} s`;
  };
  const rowsOf = (value: unknown, path: string): readonly ParamRow[] => {
    if (isFields(value) && Object.keys(value).length > 0)
      return Object.entries(value).flatMap(([name, inner]) => rowsOf(inner, path === '' ? name : `${path}.${name}`));
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [{ module, path, value: text, meaning: meaning(path) }];
  };
  return [...rowsOf(row.untrusted_params ?? '', ''), ...mintedRows(module, row), ...poolRows(module, row)];
}

/** Gives the rows of what a mint module makes now. */
function mintedRows(module: string, { minted_now: minted }: Module): readonly ParamRow[] {
  if (!minted) return [];
  const { inflation, annual_provisions: provisions } = minted;
  const shown = (name: string, value: string | undefined, meaning?: string): ParamRow => {
    return { module, path: `minted_now.${name}`, value: value ?? 'unknown', meaning };
  };
  const { amount, exact_amount: exact, display_amount: display } = provisions ?? {};
  return [shown('inflation', inflation ?? undefined), shown('annual_provisions', exact ?? amount, display)];
}

/** Gives the rows of the community pool. */
function poolRows(module: string, { community_pool: pool }: Module): readonly ParamRow[] {
  if (pool === null) return [{ module, path: 'community_pool', value: 'unknown', meaning: undefined }];
  return (pool ?? []).map(
    ({ untrusted_denom: denom = '', amount = '', exact_amount: exact, display_amount: display }) => {
      return { module, path: `community_pool.${denom}`, value: exact ?? amount, meaning: display };
    },
  );
}

/** Gives the facts of one denom. */
export function denomLines(answer: SupplyAnswer): readonly FactLine[] {
  const { circulating_terms: terms, split, schedule, unknown, holder } = answer;
  const amountOf = (name: 'holder' | 'community_pool' | 'circulating_supply'): string | undefined => {
    const amount = answer[name];
    return amount === null ? unknownText(unknown, name) : amount && shownAmountText(amount);
  };
  const holders = answer.largest_holders;
  return [
    ['Amount', answer.amount],
    ['Denom', answer.untrusted_denom],
    ['Display amount', answer.display_amount ?? displayReason(answer)],
    ['Symbol', answer.untrusted_symbol],
    ['Name', answer.untrusted_name],
    ['Origin', answer.untrusted_origin],
    ['Denoms with this symbol', answer.untrusted_denoms_with_this_symbol?.join(', ')],
    ['Is staking denom', answer.is_staking_denom],
    [holder?.address ? `Held by ${holder.address}` : 'Holder', amountOf('holder')],
    ['Delegated', holder?.delegated && shownAmountText(holder.delegated)],
    ['Unbonding', holder?.unbonding && shownAmountText(holder.unbonding)],
    [
      'Vesting',
      holder?.vesting === null
        ? unknownText(holder.unknown, 'vesting')
        : holder?.vesting && blockLines(vestingFacts(holder.vesting)),
    ],
    ['Community pool', amountOf('community_pool')],
    ['Circulating supply', amountOf('circulating_supply')],
    ['Calculation', terms && blockLines(termFacts(terms))],
    holders === null
      ? ['Largest holders', unknownText(unknown, 'largest_holders')]
      : tableFact('Largest holders', holders ?? [], holderColumns),
    ['Split', split === null ? unknownText(unknown, 'split') : split && blockLines(splitFacts(split))],
    [
      'Schedule',
      schedule === null ? unknownText(unknown, 'schedule') : schedule && blockLines(scheduleFacts(schedule)),
    ],
    ['Description', answer.untrusted_description],
    ['Left out', answer.left_out?.join(', ')],
  ];
}

/** Tells why an amount has no display amount. */
function displayReason({ unknown }: SupplyAnswer): string | undefined {
  return unknown && 'display_amount' in unknown ? 'unknown: the source does not report the exponent' : undefined;
}

function termFacts(terms: NonNullable<SupplyAnswer['circulating_terms']>): readonly FactLine[] {
  const known = (name: 'less_community_pool' | 'less_not_vested'): string | undefined =>
    terms[name] === null ? unknownText(terms.unknown, name) : terms[name];
  return [
    ['Supply', terms.supply],
    ['Less community pool', known('less_community_pool')],
    ['Less unvested', known('less_not_vested')],
    ['Delegated', terms.delegated],
  ];
}

function splitFacts(split: NonNullable<SupplyAnswer['split']>): readonly FactLine[] {
  return [
    ['Height', split.height],
    ['Height notice', split.untrusted_height_notice],
    ['Holders', split.holders],
    ['Rewards not withdrawn', split.rewards_not_withdrawn],
    tableFact('Rows', split.rows ?? [], [
      { header: 'Class', name: 'class', value: (row) => row.class },
      {
        header: 'Name',
        name: 'name',
        value: ({ untrusted_name: name, untrusted_counterparty: other }) =>
          [name, other].filter(Boolean).join(' ') || undefined,
        rank: 1,
      },
      { header: 'Amount', name: 'amount', value: ({ amount }) => amount },
      { header: 'Display amount', name: 'display_amount', value: (row) => row.display_amount, rank: 3 },
      { header: 'Note', name: 'note', value: ({ note }) => note, rank: 2 },
    ]),
    ['More rows', split.more_rows],
    ['Stopped early', split.not_asked_to_the_end?.join(', ')],
  ];
}

function vestingFacts(vesting: NonNullable<NonNullable<SupplyAnswer['holder']>['vesting']>): readonly FactLine[] {
  const known = (name: 'not_vested' | 'locked' | 'spendable'): string | undefined =>
    vesting[name] === null ? unknownText(vesting.unknown, name) : vesting[name];
  return [
    ['At', vesting.at],
    ['Kind', vesting.kind],
    ['Start', vesting.start ?? undefined],
    ['End', vesting.end ?? undefined],
    ['Original', vesting.original],
    ['Not vested', known('not_vested')],
    ['Delegated vesting', vesting.delegated_vesting],
    ['Locked', known('locked')],
    ['Spendable', known('spendable')],
  ];
}

function scheduleFacts(schedule: NonNullable<SupplyAnswer['schedule']>): readonly FactLine[] {
  const { unknown, not_vested: left, supply_less_not_vested: vested, unbonding, unbonded_by_then: unbonded } = schedule;
  return [
    ['At', schedule.at],
    ['Not vested', left === null ? unknownText(unknown, 'not_vested') : left && shownAmountText(left)],
    ['Supply less unvested', vested && shownAmountText(vested)],
    ['Vesting accounts', schedule.vesting_accounts],
    ['Earliest vesting end', schedule.first_vesting_end],
    ['Latest vesting end', schedule.last_vesting_end],
    tableFact('Vesting by kind', schedule.kinds ?? [], [
      { header: 'Kind', name: 'kind', value: ({ kind }) => kind },
      { header: 'Accounts', name: 'accounts', value: ({ accounts }) => accounts?.toString() },
      { header: 'Original', name: 'original', value: ({ original }) => original && shownAmountText(original) },
      { header: 'Earliest start', name: 'first_start', value: (row) => row.first_start },
      { header: 'Latest end', name: 'last_end', value: (row) => row.last_end },
    ]),
    ['Unbonding', unbonding && shownAmountText(unbonding)],
    ['Unbonded by then', unbonded && shownAmountText(unbonded)],
    ['Unbonding entries', schedule.unbonding_entries],
  ];
}

/** Gives the lines on the source and time of an answer, with a notice about the source. */
export function originLines(head: AnswerHead, notice?: string): readonly Line[] {
  const { time, time_estimated_from: from, height, untrusted_notices: notices = [] } = head;
  const chain = head.untrusted_chain_id ?? head.chain_id;
  const moment = time && (from === undefined ? lineText(time) : `${lineText(time)} (estimated from ${from})`);
  const parts = [head.source, chain && `chain ${chain}`, height && `height ${height}`, moment];
  const said = [notice, head.untrusted_height_notice, ...notices].filter((one) => one !== undefined);
  return [
    dim(
      parts
        .filter(Boolean)
        .map((part) => lineText(`${part}`))
        .join(', '),
    ),
    ...said.map((one) => `Notice: ${lineText(one)}`),
  ];
}

/** Gives the line with the number of rows shown, and how to see more. */
export function countLine(shown: number, noun: string, { total, truncated, next_key: key }: ListMetadata): string {
  const count = total === null || total === undefined ? `${shown}` : `${shown} of ${total}`;
  const next = key === null ? 'For all rows: --all' : `For the next rows: --key '${key}'`;
  return `${count} ${noun}.${truncated ? ` ${next}` : ''}`;
}

/** Gives the sections that were compared with the number of rows of each that differ, and what was not compared. */
export function comparedLines({ left, right, counts, not_compared: others = [] }: Compared): readonly Line[] {
  const sections = Object.entries(counts ?? {}).map(([name, found]): FactLine => {
    const section = name.replaceAll('_', ' ');
    if (!isFields(found)) return [section, undefined];
    const { added, gone, changed } = found;
    const text = added === undefined ? unknownReason(found) : `${added} added, ${gone} gone, ${changed} changed`;
    return [section, text];
  });
  return [
    ...(left ? originLines(left) : []),
    ...(right ? originLines(right) : []),
    ...blockLines(sections),
    dim(`Not compared: ${others.join('; ')}.`),
  ];
}

function unknownReason({ unknown }: Fields): string {
  return unknownText(isFields(unknown) ? unknown : undefined, 'differences');
}

/** Gives the sums of a list of validators. */
export function sumLines({
  sums,
  untrusted_symbol: symbol,
  untrusted_denom: denom,
}: ValidatorsAnswer): readonly Line[] {
  const facts = Object.entries(sums ?? {}).map(([name, found]): FactLine => {
    if (!isFields(found)) return [ownWord(name) ?? name, undefined];
    const { validators, amount, display_amount: shown } = found;
    const unit = { untrusted_symbol: symbol, untrusted_denom: denom };
    const display = typeof shown === 'string' ? { display_amount: shown } : {};
    return [
      ownWord(name) ?? name,
      `${validators} with ${shownAmountText({ amount: `${amount}`, ...display, ...unit })}`,
    ];
  });
  return blockLines(facts);
}
