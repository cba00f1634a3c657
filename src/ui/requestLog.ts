import type * as vscode from 'vscode';
import type { RequestLine } from '../api/transportTypes.ts';

/** One line per request: method, address, status, bytes, milliseconds, try. The transport has masked secrets already. */
export function requestText(line: RequestLine): string {
  const outcome = line.status === undefined ? (line.error ?? 'no answer') : `${line.status}`;
  const reason = line.status !== undefined && line.error ? ` (${line.error})` : '';
  const attempt = line.attempt > 1 ? `, try ${line.attempt}` : '';
  return `GET ${line.url} ${outcome}${reason}, ${line.bytes} B, ${Math.round(line.ms)} ms${attempt}`;
}

/** Keeps the log and, bounded, the lines themselves for those who count requests. */
export class RequestLog {
  readonly #log: vscode.LogOutputChannel;
  readonly #lines: RequestLine[] = [];

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** The last requests, oldest first. */
  get lines(): readonly RequestLine[] {
    return this.#lines;
  }

  add(line: RequestLine): void {
    this.#lines.push(line);
    if (this.#lines.length > 1000) this.#lines.splice(0, 500);
    if (line.status !== undefined && line.status < 400) this.#log.info(requestText(line));
    else this.#log.warn(requestText(line));
  }
}
