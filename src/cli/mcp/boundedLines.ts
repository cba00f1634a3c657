import { Transform } from 'node:stream';

const lineFeed = 0x0a;
/** The number of bytes at each end of a line that are kept, to find the id of its request. */
const keptBytes = 1024;

/**
 * Passes whole lines on, each as one chunk without its line feed. Also passes the last one if the input ends without a
 * line feed. Drops a line of more than `most` bytes while it comes. `onTooLong` is called at its end, with the id of
 * its request as JSON, or `null` if the id is not found.
 */
export function boundedLines(most: number, onTooLong: (id: string) => void): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  let [head, tail] = ['', ''];
  const keep = (part: Buffer): void => {
    size += part.length;
    if (head.length < keptBytes) head += part.subarray(0, keptBytes).toString('latin1');
    tail = (tail + part.subarray(-keptBytes).toString('latin1')).slice(-keptBytes);
    if (size > most) parts = [];
    else parts.push(part);
  };
  const end = (stream: Transform): void => {
    if (size > most) onTooLong(requestId(head, tail));
    else stream.push(Buffer.concat(parts));
    [parts, size, head, tail] = [[], 0, '', ''];
  };
  return new Transform({
    // Keeps chunks apart.
    readableObjectMode: true,
    transform(chunk: Buffer, _encoding, done): void {
      let start = 0;
      for (let feed = chunk.indexOf(lineFeed); feed >= 0; feed = chunk.indexOf(lineFeed, start)) {
        keep(chunk.subarray(start, feed));
        end(this);
        start = feed + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      done();
    },
    flush(done): void {
      if (size > 0) end(this);
      done();
    },
  });
}

/** Finds the id of a request, which stands among its first members, or as its last one. */
function requestId(head: string, tail: string): string {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")\s*,/.exec(head);
  const last = /,\s*"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")\s*\}$/.exec(tail.trimEnd());
  return first?.[1] ?? last?.[1] ?? 'null';
}
