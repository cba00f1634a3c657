import type { Fields } from './keptValue.ts';
import type { Head } from './state.ts';

/** All that answers need of the head; what comes after them changes nothing in it but the name of the program. */
export const earlyHead = ['chain_id', 'genesis_time', 'initial_height'];
/** The fields that say something of the state as a whole. */
export const headFields = ['chain_id', 'genesis_time', 'initial_height', 'app_name'];

/** The head from its fields. `rebase`: the state's own time becomes this moment. */
export function toHead(fields: Fields, rebase?: Date): Head {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const height = String(fields.initial_height ?? '');
  const time = text(fields.genesis_time);
  return {
    chainId: text(fields.chain_id) ?? '',
    height: /^\d+$/.test(height) ? height : undefined,
    time: time !== undefined && rebase ? rebase.toISOString() : time,
    appName: text(fields.app_name),
  };
}
