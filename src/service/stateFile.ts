import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { StateFileError } from './stateFileError.ts';
import { type ScanEvents, StateScan } from './stateScan.ts';

export interface ReadOptions extends ScanEvents {
  /** Bytes of the file read so far, and its size. */
  onProgress?(bytes: number, size: number): void;
  readonly signal?: AbortSignal | undefined;
  /** The state's own time becomes this moment, and all times of its proposals move with it. */
  readonly rebase?: Date | undefined;
}

const chunkSize = 512 * 1024;

/**
 * Reads a state file, plain or gzip, from beginning to end and hands over its parts; never more than a few chunks of it are in
 * memory. Rejects with one sentence that names file, place and reason; with an `AbortError` when `signal` fires. The
 * parts that were handed over before stay good. The file is opened for reading only.
 */
export async function readState(path: string, options: ReadOptions): Promise<void> {
  const file = await openFile(path);
  const scan = new StateScan(options, options.rebase);
  try {
    const { size } = await file.stat();
    const each = (await isGzip(file)) ? eachUnzipped : eachChunk;
    const onBytes = (bytes: number) => options.onProgress?.(bytes, size);
    await each(file, (chunk) => scan.write(chunk), onBytes, options.signal);
    scan.end();
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    const where =
      error instanceof StateFileError ? '' : ` (after byte ${scan.offset}${scan.path ? ` at ${scan.path}` : ''})`;
    throw new Error(`Cannot read ${path}: ${reasonOf(error)}${where}`, { cause: error });
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    // Looked at before it is opened: opening a pipe would wait for a writer.
    if ((await stat(path)).isFile()) return await open(path, 'r');
  } catch (error) {
    throw new Error(`Cannot open ${path}: ${reasonOf(error)}`, { cause: error });
  }
  throw new Error(`Cannot open ${path}: it is not a file. Choose a genesis or exported state (.json or .json.gz)`);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'no permission to read it';
    case 'Z_BUF_ERROR':
    case 'Z_DATA_ERROR':
      return 'the gzip data is cut off or damaged';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

async function isGzip(file: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
}

type Use = (chunk: Buffer) => void;
type Progress = (bytes: number) => void;

/** The file in chunks; the next one is read while the last one is used, into the other of two buffers. */
async function eachChunk(file: FileHandle, use: Use, onBytes: Progress, signal?: AbortSignal): Promise<void> {
  const buffers = [Buffer.allocUnsafeSlow(chunkSize), Buffer.allocUnsafeSlow(chunkSize)];
  let position = 0;
  const read = () => file.read(buffers[0] ?? Buffer.alloc(0), 0, chunkSize, position);
  let reading = read();
  try {
    for (;;) {
      const { bytesRead, buffer } = await reading;
      signal?.throwIfAborted();
      onBytes(position);
      if (bytesRead === 0) return;
      position += bytesRead;
      buffers.reverse();
      reading = read();
      use(buffer.subarray(0, bytesRead));
    }
  } finally {
    await reading.catch(() => undefined);
  }
}

async function eachUnzipped(file: FileHandle, use: Use, onBytes: Progress, signal?: AbortSignal): Promise<void> {
  const zipped = file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkSize });
  zipped.on('data', () => onBytes(zipped.bytesRead));
  await pipeline(
    zipped,
    createGunzip({ chunkSize }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) use(chunk);
    },
    { signal },
  );
}
