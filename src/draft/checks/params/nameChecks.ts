import type { Node } from 'jsonc-parser';
import { closestName } from '../../../chain/closestName.ts';
import { ownValue, valueAt } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { replaceValue } from '../../draftEdits.ts';
import { type Draft, type DraftAction, itemsOf, legacyChanges, member, nodeAt, textOf } from '../../draftText.ts';
import { type Finding, repair, warning } from '../../finding.ts';
import { enumFindings } from '../fields/enumNames.ts';
import { legacyJson } from './legacyParamChecks.ts';
import { paramsNode } from './paramsChecks.ts';

/** Parameters that are enums, by package and path. Source: proto/cosmwasm/wasm/v1/types.proto of CosmWasm/wasmd. */
const enumParams: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cosmwasm.wasm.v1': { 'code_upload_access.permission': 'AccessType', instantiate_default_permission: 'AccessType' },
};

/** Checks names in parameters that come from a closed list: enums, and the types of IBC clients. */
export function checkNames(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    if (action.name !== 'MsgUpdateParams') return legacyClients(draft, facts, action);
    const object = paramsNode(action);
    if (!object) return [];
    const enums = ownValue(enumParams, action.package) ?? {};
    const clients = action.package === clientPackage ? nodeAt(object, allowed) : undefined;
    return [
      ...Object.entries(enums).flatMap(([path, type]) => {
        const node = nodeAt(object, path);
        return node ? enumFindings(draft, node, path, type) : [];
      }),
      ...(clients?.type === 'array' ? clientFindings(draft, facts, clients, itemsOf(clients)) : []),
    ];
  });
}

const clientPackage = 'ibc.core.client.v1';
const allowed = 'allowed_clients';

/** The types of clients in ibc-go 2 to 10 (modules/core/exported/client.go, modules/light-clients). */
const clientTypes = ['06-solomachine', '07-tendermint', '08-wasm', '09-localhost'];

/** A type of clients with its place. `node` is absent inside the text of a legacy value. */
interface ClientName {
  readonly name: string;
  readonly node?: Node;
}

function clientFindings(draft: Draft, facts: ChainFacts, list: Node, items: readonly Node[]): readonly Finding[] {
  const names = items.flatMap((node) => (typeof node.value === 'string' ? [{ name: node.value, node }] : []));
  if (names.length < items.length) return [];
  return nameFindings(draft, facts, list, names);
}

function nameFindings(draft: Draft, facts: ChainFacts, at: Node, names: readonly ClientName[]): readonly Finding[] {
  if (names.length === 0) return [warning('client-types', at, { name: undefined, meant: undefined })];
  const today = valueAt(facts.moduleParams.get(clientPackage), allowed);
  const known = new Set<unknown>([...clientTypes, '*', ...(Array.isArray(today) ? today : [])]);
  return names.flatMap(({ name, node }) => {
    // The check of values names blank ones.
    if (known.has(name) || name.trim() === '') return [];
    const meant = closestName(name, clientTypes) ?? clientTypes.find((one) => one.slice(3) === name.toLowerCase());
    const repairs =
      node && meant !== undefined
        ? [repair('convert', { value: JSON.stringify(meant) }, replaceValue(draft, node, meant))]
        : [];
    return [warning('client-types', node ?? at, { name, meant }, repairs)];
  });
}

/** Checks the legacy parameter `ibc/AllowedClients`. */
function legacyClients(draft: Draft, facts: ChainFacts, action: DraftAction): readonly Finding[] {
  return legacyChanges(action).flatMap(({ node, subspace, key }) => {
    const value = subspace === 'ibc' && key === 'AllowedClients' ? member(node, 'value')?.value : undefined;
    if (!value || (action.node !== draft.root && textOf(node, 'value') === undefined)) return [];
    if (value.type === 'array') return clientFindings(draft, facts, value, itemsOf(value));
    const given = parseJson(legacyJson(draft, action, value));
    if (!Array.isArray(given) || given.some((name) => typeof name !== 'string')) return [];
    return nameFindings(
      draft,
      facts,
      value,
      given.map((name) => ({ name: String(name) })),
    );
  });
}
