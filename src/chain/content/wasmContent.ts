import { fromBase64 } from './base64.ts';
import type { Fields } from './content.ts';
import { formatJson } from './jsonText.ts';
import { fromUtf8 } from './utf8.ts';

/** Byte code as it came; the caller takes the digest, which needs Node. */
export interface ByteCode {
  readonly base64: string;
  /** In bytes. */
  readonly size: number;
}

/** A message for a contract: the field that holds it, and its JSON laid out (its text as it is, where it is no JSON). */
export interface ContractMessage {
  readonly field: string;
  readonly json: string;
}

/** What is special about a wasm content: byte code and messages; `rest` holds the other fields. */
export interface WasmContent {
  readonly code: ByteCode | undefined;
  readonly messages: readonly ContractMessage[];
  readonly rest: Fields;
}

/** Takes byte code and messages out of the fields of any content. */
export function readWasm(fields: Fields): WasmContent {
  const { wasm_byte_code: code, ...others } = fields;
  const hasCode = typeof code === 'string' && code !== '';
  const rest: Record<string, unknown> = hasCode || code == null || code === '' ? {} : { wasm_byte_code: code };
  const messages: ContractMessage[] = [];
  for (const [field, value] of Object.entries(others)) {
    if ((field === 'msg' || field === 'migrate_msg') && value) messages.push({ field, json: messageText(value) });
    else rest[field] = value;
  }
  return { code: hasCode ? { base64: code, size: base64Size(code) } : undefined, messages, rest };
}

/** REST prints messages as nested JSON, older nodes as base64 of it (contract-facts section 6). */
function messageText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const { bytes, rest } = fromBase64(value);
  const decoded = rest ? undefined : fromUtf8(bytes);
  return (decoded && formatJson(decoded)) ?? formatJson(value) ?? value;
}

function base64Size(text: string): number {
  return Math.floor((text.replace(/=+$/, '').length * 3) / 4);
}
