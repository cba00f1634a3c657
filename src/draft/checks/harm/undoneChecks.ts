import { legacyName } from '../../chainFacts.ts';
import { type Draft, type DraftAction, isUpgrade, legacyChanges, member, rawOf, textOf } from '../../draftText.ts';
import { type Finding, warning } from '../../finding.ts';

/** Checks for messages that a later one undoes. A chain executes messages in their order (x/gov/abci.go). */
export function checkUndone(draft: Draft): readonly Finding[] {
  const [seen, params, changes] = [new Set<string>(), new Set<string>(), new Set<string>()];
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
    // The content in a wrapper is compared with its wrapper.
    const written = action.wrapper ? '' : rawOf(draft, action.node).replace(/\s+/g, '');
    const isSame = written !== '' && seen.has(written);
    seen.add(written);
    return isSame ? [...legacy, warning('message-undone', type, { by: 'same', name: action.name })] : legacy;
  });
}

function isCancellation({ name }: DraftAction): boolean {
  return name === 'MsgCancelUpgrade' || name === 'CancelSoftwareUpgradeProposal';
}

function planName({ node }: DraftAction): string {
  return textOf(member(node, 'plan')?.value, 'name') ?? '';
}
