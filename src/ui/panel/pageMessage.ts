import type { Action, PageMessage, RestoreState } from './protocol.ts';

const actions: Readonly<Record<Action, true>> = {
  back: true,
  previous: true,
  next: true,
  pin: true,
  watch: true,
  refresh: true,
  copyId: true,
  copyJson: true,
  copyCurl: true,
  openJson: true,
  openExplorer: true,
};

/** Checks what a page sent; undefined where it is not a message of the protocol. */
export function readPageMessage(value: unknown): PageMessage | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.type) {
    case 'ready':
    case 'painted':
      return { type: value.type };
    case 'openLink':
      return typeof value.url === 'string' && typeof value.text === 'string'
        ? { type: 'openLink', url: value.url, text: value.text }
        : undefined;
    case 'action':
      return isAction(value.action) ? { type: 'action', action: value.action } : undefined;
    default:
      return undefined;
  }
}

/** Checks what the editor kept of a panel; undefined where it is not ours or is damaged. */
export function readRestoreState(value: unknown): RestoreState | undefined {
  if (!isRecord(value) || !isRecord(value.restore)) return undefined;
  const { sourceId, proposalId, pinned } = value.restore;
  if (typeof sourceId !== 'string' || typeof proposalId !== 'string' || !/^\d{1,20}$/.test(proposalId))
    return undefined;
  return { sourceId, proposalId, pinned: pinned === true };
}

function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(actions, value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
