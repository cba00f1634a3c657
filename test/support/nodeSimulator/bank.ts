import type { EraRules } from './eras.ts';
import { GatewayError, notImplemented, readPage } from './gateway.ts';
import type { SimulatorState } from './simulatorState.ts';

/** Bank operations of an era. `path` is what follows `bank/v1beta1/`, decoded, as the gateway splits it. */
export function answerBank(rules: EraRules, state: SimulatorState, path: readonly string[], query: URLSearchParams) {
  const [first, ...rest] = path;
  if (first !== 'supply') throw notImplemented();
  if (rest.length === 0) return supply(rules, state, query);
  if (rest.length > 1) throw notImplemented();
  const [denom = ''] = rest;
  if (rules.supplyOf === 'path') return { amount: coinOf(rules, state, denom) };
  if (denom === 'by_denom') return { amount: coinOf(rules, state, query.get('denom') ?? '') };
  throw notImplemented();
}

function supply(rules: EraRules, state: SimulatorState, query: URLSearchParams) {
  const entries = state.coins
    .map((coin) => ({ key: Buffer.from(coin.denom), row: coin }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  if (rules.supplyUnpaged) return { supply: entries.map(({ row }) => toWire(row)) };
  const { rows, nextKey, total } = rules.engine(entries, readPage(query, rules.knowsReverse), () => true);
  if (rules.sortsPages) rows.sort((a, b) => Buffer.compare(Buffer.from(a.denom), Buffer.from(b.denom)));
  return {
    supply: rows.map(toWire),
    pagination: { next_key: nextKey?.toString('base64') ?? null, total: String(total) },
  };
}

function coinOf(rules: EraRules, state: SimulatorState, denom: string) {
  if (!rules.denoms.test(denom)) throw invalidDenom(rules, denom);
  return toWire({ denom, amount: state.coins.find((coin) => coin.denom === denom)?.amount ?? 0n });
}

function invalidDenom(rules: EraRules, denom: string): GatewayError {
  if (rules.abci) {
    return denom === ''
      ? new GatewayError(3, 'invalid denom')
      : new GatewayError(2, 'panic message redacted to hide potentially sensitive system info: panic');
  }
  return new GatewayError(rules.sdkVersion.startsWith('v0.46') ? 13 : 3, `invalid denom: ${denom}`);
}

function toWire(coin: { readonly denom: string; readonly amount: bigint }) {
  return { denom: coin.denom, amount: String(coin.amount) };
}
