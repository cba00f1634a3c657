import type { Node } from 'jsonc-parser';
import { type ChainFacts, isSince } from '../../chainFacts.ts';
import { type Draft, type DraftAction, member } from '../../draftText.ts';
import { error, errorIf, type Finding } from '../../finding.ts';
import { failTime } from '../failTime.ts';
import type { WasmFault } from './messageFindings.ts';

/**
 * Checks that the code of a contract is WebAssembly, bare or compressed by gzip (x/wasm/ioutils of CosmWasm/wasmd,
 * light-clients/08-wasm of cosmos/ibc-go). The check of fields reports what is no base64.
 */
export function checkWasmCode(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    const code = wasmCode(action);
    const fault = typeof code?.value === 'string' ? faultOf(code.value) : undefined;
    return code && fault ? [error('wasm-code', code, { fault, fails: failTime(facts, action) })] : [];
  });
}

function wasmCode({ package: module, node }: DraftAction): Node | undefined {
  const isStored = module === 'cosmwasm.wasm.v1' || module === 'ibc.lightclients.wasm.v1';
  return isStored ? member(node, 'wasm_byte_code')?.value : undefined;
}

const sources = ['source', 'builder', 'code_hash'] as const;

/** Messages and contents that may say where their code comes from. */
const naming =
  /^\/cosmwasm\.wasm\.v1\.(MsgStoreAndInstantiateContract|StoreCodeProposal|StoreAndInstantiateContractProposal)$/;

/**
 * Checks that source, builder and hash of a code stand together, or none of them (ValidateVerificationInfo,
 * x/wasm/types/validation.go of CosmWasm/wasmd). Contents of some versions before SDK 0.47 had no such rule.
 */
export function checkWasmSource(draft: Draft, facts: ChainFacts): readonly Finding[] {
  return draft.actions.flatMap((action): readonly Finding[] => {
    if (!naming.test(action.typeUrl)) return [];
    const found = sources.map((name) => ({ name, value: member(action.node, name)?.value }));
    const missing = found.filter(({ value }) => !value || value.type === 'null' || value.value === '');
    const given = found.find((one) => !missing.includes(one))?.value;
    const [first] = missing;
    if (!given || !first) return [];
    const names = missing.map(({ name }) => name);
    const details = { fault: 'source', lacking: names, fails: failTime(facts, action) } as const;
    const isCertain = !action.isLegacy || isSince(facts, 'titles') === true;
    return [errorIf(isCertain)('message-value', first.value ?? given, details)];
  });
}

/** The base64 of the bytes that WebAssembly begins with, in text form. */
const encodedStart = 'AGFzb';

function faultOf(text: string): WasmFault | undefined {
  const start = text.slice(0, 200).replace(/\s/g, '');
  if (start.length < 4) return start === '' ? undefined : 'short';
  if (/^(0x)?0061736d/i.test(start)) return 'hex';
  // Only whole groups of four digits can be read.
  const whole = start.slice(0, start.length - (start.length % 4));
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(whole)) return undefined;
  const bytes = Buffer.from(whole, 'base64');
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isWasm = bytes.subarray(0, 4).equals(Buffer.from('\0asm', 'latin1'));
  if (isGzip || isWasm) return bytes.length < 8 ? 'short' : undefined;
  if (bytes.toString('latin1').startsWith(encodedStart) || bytes.toString('latin1').startsWith('H4sI')) return 'twice';
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return 'zip';
  if (/^\s*\(module/.test(bytes.toString('latin1'))) return 'text';
  return 'other';
}
