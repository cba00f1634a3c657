import type { Node } from 'jsonc-parser';
import { addressFault } from '../../../chain/address.ts';
import type { ChainFacts } from '../../chainFacts.ts';
import { allActions, type Draft, itemsOf, nodeAt } from '../../draftText.ts';
import { error, type Finding } from '../../finding.ts';
import { type FailTime, failTime } from '../failTime.ts';

/** A list of a message in which nothing stands twice. */
interface UniqueList {
  readonly path: string;
  readonly ofAddresses?: boolean;
}

const addresses: UniqueList = { path: 'addresses', ofAddresses: true };
const permission: UniqueList = { path: 'instantiate_permission.addresses', ofAddresses: true };

/**
 * The lists by the full type of their message. A breaker does not stop, or allow again, a type twice. Sources:
 * x/circuit/keeper/msg_server.go, x/bank/types/send_authorization.go; x/wasm/types/tx.go (validateCodeIDs) and
 * validation.go (validateBech32Addresses) of CosmWasm/wasmd.
 */
const lists: ReadonlyMap<string, UniqueList> = new Map([
  ['/cosmos.bank.v1beta1.SendAuthorization', { path: 'allow_list' }],
  ['/cosmos.circuit.v1.MsgResetCircuitBreaker', { path: 'msg_type_urls' }],
  ['/cosmos.circuit.v1.MsgTripCircuitBreaker', { path: 'msg_type_urls' }],
  ['/cosmwasm.wasm.v1.MsgAddCodeUploadParamsAddresses', addresses],
  ['/cosmwasm.wasm.v1.MsgPinCodes', { path: 'code_ids' }],
  ['/cosmwasm.wasm.v1.MsgRemoveCodeUploadParamsAddresses', addresses],
  ['/cosmwasm.wasm.v1.MsgStoreAndInstantiateContract', permission],
  ['/cosmwasm.wasm.v1.MsgStoreAndMigrateContract', permission],
  ['/cosmwasm.wasm.v1.MsgStoreCode', permission],
  ['/cosmwasm.wasm.v1.MsgUnpinCodes', { path: 'code_ids' }],
  ['/cosmwasm.wasm.v1.MsgUpdateInstantiateConfig', { ...permission, path: 'new_instantiate_permission.addresses' }],
  ['/cosmwasm.wasm.v1.MsgUpdateParams', { ...permission, path: 'params.code_upload_access.addresses' }],
]);

/** Checks lists of codes, types and addresses. The check of fields names those that are empty. */
export function checkLists(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return allActions(draft).flatMap((action) => {
    const list = action.isLegacy ? undefined : lists.get(action.typeUrl);
    if (!list) return [];
    const items = itemsOf(nodeAt(action.node, list.path));
    const invalid = list.ofAddresses ? items.flatMap((one) => addressFindings(one, facts)) : [];
    return [...invalid, ...twiceFindings(items, failTime(facts, action))];
  });
}

/** Reports an address in a list that is not one of this chain. */
export function addressFindings(address: Node, { prefix }: ChainFacts): readonly Finding[] {
  const fault = typeof address.value === 'string' ? addressFault(address.value, prefix) : undefined;
  return fault ? [error('address-invalid', address, { field: 'address', fault })] : [];
}

/** Reports the first item that stands twice in a list. */
export function twiceFindings(items: readonly Node[], fails: FailTime): readonly Finding[] {
  const twice = firstRepeated(items, ({ value }) => String(value));
  return twice ? [error('message-value', twice, { fault: 'twice', value: String(twice.value), fails })] : [];
}

/** Gives the first item whose key an earlier one has. */
export function firstRepeated(items: readonly Node[], keyOf: (item: Node) => string): Node | undefined {
  const seen = new Set<string>();
  return items.find((item) => {
    const key = keyOf(item);
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated;
  });
}
