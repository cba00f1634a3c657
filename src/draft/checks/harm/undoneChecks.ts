import type { Node } from 'jsonc-parser';
import { paramEntries } from '../../../chain/gov/params.ts';
import { exactJson } from '../../../chain/json.ts';
import { type ChainFacts, legacyName } from '../../chainFacts.ts';
import {
  allMembers,
  type Draft,
  type DraftAction,
  isUpgrade,
  itemsOf,
  legacyChanges,
  member,
  rawOf,
  textOf,
} from '../../draftText.ts';
import { type Finding, hint, warning } from '../../finding.ts';
import { legacyJson } from '../params/legacyParamChecks.ts';
import { canonical, paramsNode } from '../params/paramsChecks.ts';
import { type ParamText, paramText } from '../valueWords.ts';

/** Checks for messages that a later one undoes. A chain executes messages in their order (x/gov/abci.go). */
export function checkUndone(draft: Draft): readonly Finding[] {
  const [seen, params, changes] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const settings = new Set<string>();
  let upgrade: DraftAction | undefined;
  return draft.actions.flatMap((action): readonly Finding[] => {
    const type = member(action.node, '@type')?.value;
    const legacy = legacyChanges(action).flatMap((change) => {
      const name = legacyName(change);
      const isRepeated = changes.has(name);
      changes.add(name);
      return isRepeated ? [warning('message-undone', change.node, { by: 'change', name })] : [];
    });
    if (!type) return legacy;
    if (action.name === 'MsgUpdateParams') {
      const isRepeated = params.has(action.package);
      params.add(action.package);
      return isRepeated ? [warning('message-undone', type, { by: 'params', name: action.package })] : [];
    }
    const isPlan = isUpgrade(action);
    if (isPlan || isCancellation(action)) {
      const undone = upgrade;
      upgrade = isPlan ? action : undefined;
      const by = isPlan ? 'plan' : 'cancellation';
      return undone ? [warning('message-undone', type, { by, name: planName(undone) })] : [];
    }
    const set = settingsOf(action);
    const reset = set.filter(({ value }) => settings.has(String(value)));
    for (const { value } of set) settings.add(String(value));
    // The content in a wrapper is compared with its wrapper.
    const written = action.wrapper ? '' : rawOf(draft, action.node).replace(/\s+/g, '');
    const isSame = written !== '' && seen.has(written);
    seen.add(written);
    if (isSame) return [...legacy, warning('message-undone', type, { by: 'same', name: action.name })];
    return [
      ...legacy,
      ...reset.map((denom) => warning('message-undone', denom, { by: 'setting', name: String(denom.value) })),
    ];
  });
}

/** The denoms whose setting an action sets or removes (x/bank/keeper/msg_server.go, SetSendEnabled). */
function settingsOf({ typeUrl, node }: DraftAction): readonly Node[] {
  if (typeUrl !== '/cosmos.bank.v1beta1.MsgSetSendEnabled') return [];
  const set = itemsOf(member(node, 'send_enabled')?.value).flatMap((one) => member(one, 'denom')?.value ?? []);
  return [...set, ...itemsOf(member(node, 'use_default_for')?.value)];
}

function isCancellation({ name }: DraftAction): boolean {
  return name === 'MsgCancelUpgrade' || name === 'CancelSoftwareUpgradeProposal';
}

function planName({ node }: DraftAction): string {
  return textOf(member(node, 'plan')?.value, 'name') ?? '';
}

/** A parameter that an action sets, with the JSON texts of the values that it has there and today. */
interface SetParam {
  readonly module: string;
  readonly key: string;
  readonly node: Node;
  readonly asked: string;
  readonly today: string | undefined;
}

/** The most open proposals that a parameter of the draft is compared with. */
const maxProposals = 5;

/**
 * Checks for open proposals that set other values. `MsgUpdateParams` sets all parameters of a module, and so undoes
 * what was executed between its submission and its vote. A warning if the draft would set today's value, otherwise a hint.
 */
export function checkOpenParams(draft: Draft, { openParams = [], ...facts }: ChainFacts): readonly Finding[] {
  const open = Map.groupBy(openParams, ({ name }) => name);
  if (open.size === 0) return [];
  return draft.actions.flatMap((action) =>
    setParams(draft, facts, action).flatMap((param) =>
      (open.get(`${param.module}/${param.key}`) ?? [])
        .slice(0, maxProposals)
        .flatMap(({ id, json }) => openFindings(param, id, json, facts.units)),
    ),
  );
}

function setParams(draft: Draft, facts: ChainFacts, action: DraftAction): readonly SetParam[] {
  const legacy = legacyChanges(action).flatMap((change): readonly SetParam[] => {
    const node = member(change.node, 'value')?.value;
    const { subspace: module, key } = change;
    const today = facts.legacyParams.get(legacyName(change)) ?? undefined;
    return node ? [{ module, key, node, asked: legacyJson(draft, action, node), today }] : [];
  });
  const object = action.name === 'MsgUpdateParams' ? paramsNode(action) : undefined;
  const module = action.package;
  const params = facts.moduleParams.get(module) ?? {};
  const own = (object ? allMembers(object) : []).map(({ name: key, value: node }): SetParam => {
    const today = JSON.stringify(params[key]);
    return { module, key, node, asked: rawOf(draft, node), today };
  });
  return [...legacy, ...own];
}

/** Compares the value of the draft with that of an open proposal, field by field. */
function openFindings(
  { module, key, node, asked, today }: SetParam,
  id: bigint,
  json: string,
  units: ChainFacts['units'],
): readonly Finding[] {
  const entriesOf = (text: string): ReadonlyMap<string, string> =>
    new Map(paramEntries(module, key, text).map(({ path, raw }) => [path === key ? key : `${key}.${path}`, raw]));
  const [own, before] = [entriesOf(asked), entriesOf(today ?? '')];
  return [...entriesOf(json)].flatMap(([field, proposed]) => {
    const [given, current] = [own.get(field), before.get(field)];
    const isSame = (one: string | undefined, other: string): boolean =>
      one !== undefined && canonical(one) === canonical(other);
    if (given === undefined || isSame(current, proposed) || isSame(given, proposed)) return [];
    const isToday = isSame(current, given);
    const shownAs = (raw: string): ParamText => paramText(exactJson(raw) ?? raw, units);
    const values = { proposed: shownAs(proposed), asked: shownAs(given) };
    return [(isToday ? warning : hint)('params-open', node, { id, field, ...values, isToday })];
  });
}
