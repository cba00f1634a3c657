import type { Node } from 'jsonc-parser';
import type { ChainFacts } from '../../chainFacts.ts';
import { type Draft, itemsOf, member, nodeAt, textOf } from '../../draftText.ts';
import { error, type Finding } from '../../finding.ts';
import { failTime } from '../failTime.ts';
import { opening } from '../file/formChecks.ts';

const tendermint = '/ibc.lightclients.tendermint.v1.ClientState';

/**
 * Checks the state that clients of this chain get by its upgrade. The chain only looks at its type; other chains validate
 * it when their clients are upgraded (modules/core/02-client/types/msgs.go, Validate in
 * modules/light-clients/07-tendermint/client_state.go and VerifyUpgradeAndUpdateState in upgrade.go of cosmos/ibc-go).
 * The fields that clients choose themselves, such as the trusting period, are zero in it.
 */
export function checkUpgradedClients(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    const isUpgrade = action.name === 'MsgIBCSoftwareUpgrade' || action.name === 'UpgradeProposal';
    if (action.package !== 'ibc.core.client.v1' || !isUpgrade) return [];
    const state = member(action.node, 'upgraded_client_state')?.value;
    const type = member(state, '@type')?.value;
    // The check of fields names a state that is absent, or no object.
    if (!state || typeof type?.value !== 'string') return [];
    if (type.value !== tendermint)
      return [error('client-upgraded', type, { fault: 'type', wanted: tendermint, fails: failTime(facts, action) })];
    return [...emptyFindings(state), ...revisionFindings(state)];
  });
}

/** The fields that the chain chooses, and the form of a value that is as good as absent. */
const chosen: readonly (readonly [path: string, empty: RegExp])[] = [
  ['chain_id', /^\s*$/],
  ['unbonding_period', /^0*(\.0*)?s$/],
  ['latest_height.revision_height', /^0+$/],
  ['proof_specs', /^$/],
];

function emptyFindings(state: Node): readonly Finding[] {
  const missing = chosen.flatMap(([path, empty]) => {
    const value = nodeAt(state, path);
    const isGiven =
      value?.type === 'array' ? itemsOf(value).length > 0 : value && !empty.test(String(value.value ?? ''));
    return isGiven ? [] : [{ name: path.split('.').at(-1) ?? path, value }];
  });
  const [first] = missing;
  const at = missing.find(({ value }) => value)?.value ?? member(state, '@type')?.value ?? opening(state);
  const field = missing.map(({ name }) => name).join(', ');
  return first ? [error('client-upgraded', at, { fault: 'empty', field })] : [];
}

/** The revision of the height is that in the chain id: 4 of `harbor-4`, 0 if it has none (ParseChainID). */
function revisionFindings(state: Node): readonly Finding[] {
  const chainId = textOf(state, 'chain_id') ?? '';
  const number = nodeAt(state, 'latest_height.revision_number');
  const found = String(number?.value ?? '0');
  const [, wanted = '0'] = /[^\n-]-([1-9]\d{0,18})$/.exec(chainId) ?? [];
  if (chainId.trim() === '' || !/^\d{1,20}$/.test(found) || BigInt(found) === BigInt(wanted)) return [];
  const at = number ?? nodeAt(state, 'latest_height') ?? opening(state);
  return [error('client-upgraded', at, { fault: 'revision', chainId, found, wanted })];
}
