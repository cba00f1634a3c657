import { sha256 } from '../../api/hashes.ts';
import type { Fields } from '../../chain/fields.ts';
import type { ListVisitor, ObjectVisitor } from '../scan/jsonScanner.ts';
import { objectVisitor, rowsVisitor, toFields, toList, toText } from '../scan/jsonValue.ts';
import { GatewayError, notImplemented, ValueError } from '../serviceErrors.ts';
import { findKey, type KeyedTable, rowAt, toTable } from '../table.ts';

/** The two forms of a trace: ibc-go 8 and earlier, and ibc-go 10 and later. A state has one of them. */
const forms = {
  denom_traces: {
    member: 'denom_trace',
    missing: 'denomination trace not found',
    read: ({ path, base_denom }: Fields): Trace => {
      const trace = { path: toText(path, '.path'), base_denom: toText(base_denom, '.base_denom') };
      return { row: trace, path: trace.path, base: trace.base_denom };
    },
  },
  denoms: {
    member: 'denom',
    missing: 'denomination not found',
    read: ({ base, trace }: Fields): Trace => {
      const hops = toList(trace, '.trace').map((hop, index) => {
        const { port_id, channel_id } = toFields(hop, `.trace[${index}]`);
        return {
          port_id: toText(port_id, `.trace[${index}].port_id`),
          channel_id: toText(channel_id, `.trace[${index}].channel_id`),
        };
      });
      const row = { base: toText(base, '.base'), trace: hops };
      const path = hops.map(({ port_id, channel_id }) => `${port_id}/${channel_id}`).join('/');
      return { row, path, base: row.base };
    },
  },
} as const;

interface Trace {
  /** The trace as nodes answer it. */
  readonly row: object;
  /** The path, such as `transfer/channel-0/transfer/channel-7`; "" for a denom of the chain itself. */
  readonly path: string;
  readonly base: string;
}

/** The origins of denoms that came over IBC. */
export interface DenomTraces {
  /** The form of the state; undefined if it holds neither. */
  readonly form: keyof typeof forms | undefined;
  /** The traces. The key is the SHA-256 of path and base denom. */
  readonly traces: KeyedTable;
}

/** Collects traces while `app_state.transfer` is read. */
export class DenomTraceReader {
  /** Rows by key. */
  readonly #rows = new Map<string, string>();
  #form: DenomTraces['form'];
  #left: number;

  /** `space` is the number of bytes for all rows. */
  constructor(space: number) {
    this.#left = space;
  }

  visitor(end: () => void): ObjectVisitor {
    return objectVisitor({ denom_traces: this.#list('denom_traces'), denoms: this.#list('denoms') }, end);
  }

  #list(form: keyof typeof forms): ListVisitor {
    const visitor = rowsVisitor((value) => {
      const { row, path, base } = forms[form].read(toFields(value));
      const json = JSON.stringify(row);
      this.#left -= json.length;
      if (this.#left < 0) return;
      this.#rows.set(hashKey(sha256(path === '' ? base : `${path}/${base}`)), json);
    });
    const end = (): void => {
      this.#form = form;
    };
    return { ...visitor, end };
  }

  /** Ends the scan. Throws `ValueError` if the traces take more than their space. */
  finish(): DenomTraces {
    if (this.#left < 0) throw new ValueError('The traces of its denoms need more memory than the limit allows');
    return { form: this.#form, traces: toTable([...this.#rows].map(([key, row]) => ({ key, row }))) };
  }
}

function hashKey(hash: Buffer): string {
  return hash.toString('latin1');
}

/**
 * Answers a trace. `hash` may begin with `ibc/`. Errors are those of nodes
 * (modules/apps/transfer/keeper/grpc_query.go).
 */
export function denomTrace({ form, traces }: DenomTraces, asked: DenomTraces['form'], hash: string): string {
  if (form === undefined || form !== asked) throw notImplemented();
  const { member, missing } = forms[form];
  const hex = hash.replace(/^ibc\//, '');
  if (!/^(?:[\da-f]{64})?$/i.test(hex))
    throw new GatewayError('invalidArgument', `invalid denom trace hash: ${hex.slice(0, 80)}`);
  const position = findKey(traces, Buffer.from(hex, 'hex'));
  if (position < 0) throw new GatewayError('notFound', `${hex}: ${missing}`);
  return `{"${member}":${rowAt(traces, position)}}`;
}
