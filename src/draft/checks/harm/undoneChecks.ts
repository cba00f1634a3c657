import type { Node } from 'jsonc-parser';
import { legacyName } from '../../chainFacts.ts';
import {
  type Draft,
  type DraftAction,
  isUpgrade,
  itemsOf,
  legacyChanges,
  member,
  rawOf,
  textOf,
} from '../../draftText.ts';
import { type Finding, warning } from '../../finding.ts';

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
