import { closeSync, openSync, readSync } from 'node:fs';

/** The bare loop over the bytes of a file that reading is compared with: tracks strings, escapes and depth, and keeps nothing. */
export function bareScan(file: string): number {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.allocUnsafeSlow(1 << 20);
  let deepest = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
    for (let at = 0; at < read; at++) {
      const byte = buffer[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === 0x5c) escaped = true;
        else if (byte === 0x22) inString = false;
      } else if (byte === 0x22) inString = true;
      else if (byte === 0x7b || byte === 0x5b) {
        depth++;
        if (depth > deepest) deepest = depth;
      } else if (byte === 0x7d || byte === 0x5d) depth--;
    }
  }
  closeSync(descriptor);
  if (depth !== 0 || inString) throw new Error(`${file} is cut off`);
  return deepest;
}
