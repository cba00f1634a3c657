import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { ibcDenomOf } from './trace.ts';

/** A `base` in an asset list whose trace leads to another denom. */
export interface WrongBase {
  /** The range of the base with its quotes: UTF-16 offsets, the end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly base: string;
  /** The path of the last trace with the denom at its origin: `transfer/channel-0/uatom`. */
  readonly path: string;
  /** The `ibc/` denom of that path. */
  readonly denom: string;
}

/**
 * Finds wrong bases in the text of an `assetlist.json` of the chain registry (assetlist.schema.json there). Empty for
 * other JSON.
 */
export function findWrongBases(text: string): readonly WrongBase[] {
  const root = parseTree(text);
  const assets = root && findNodeAtLocation(root, ['assets']);
  return (assets?.type === 'array' ? (assets.children ?? []) : []).flatMap((asset) => {
    const base = findNodeAtLocation(asset, ['base']);
    const value: unknown = base?.value;
    const path = pathOf(findNodeAtLocation(asset, ['traces']));
    if (!base || typeof value !== 'string' || !value.startsWith('ibc/') || path === undefined) return [];
    const denom = ibcDenomOf(path);
    return denom === value ? [] : [{ start: base.offset, end: base.offset + base.length, base: value, path, denom }];
  });
}

/** The path of the last trace that has one. The last trace is the step onto the list's own chain. */
function pathOf(traces: Node | undefined): string | undefined {
  const paths = (traces?.children ?? []).map((trace): unknown => findNodeAtLocation(trace, ['chain', 'path'])?.value);
  return paths.filter((path) => typeof path === 'string').at(-1);
}
