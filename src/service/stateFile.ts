import { type FileHandle, open, stat } from 'node:fs/promises';
import { StateFileError, shortName } from './stateErrors.ts';
import { type ScanEvents, StateScan } from './stateScan.ts';

export interface ReadOptions extends ScanEvents {
  /** Bytes of the file read so far, and its size. */
  onProgress?(bytes: number, size: number): void;
  readonly signal?: AbortSignal | undefined;
  /** The state's own time becomes this moment, and all times of its proposals move with it. */
  readonly rebase?: Date | undefined;
  /** Bytes that are taken at once; between them others have their turn. */
  readonly chunkSize?: number | undefined;
}

/**
 * Reads a state file, plain or gzip, from beginning to end and hands over its parts; never more than a few chunks of it are in
 * memory. Rejects with one sentence that names file, place and reason; with an `AbortError` when `signal` fires. The
 * parts that were handed over before stay good. The file is opened for reading only.
 */
export async function readState(path: string, options: ReadOptions): Promise<void> {
  const { file, size } = await openFile(path);
  const scan = new StateScan(options, options.rebase);
  try {
    const { chunkSize = 512 * 1024, signal } = options;
    const onBytes = (bytes: number) => options.onProgress?.(bytes, size);
    await eachChunk(file, size, chunkSize, (chunk) => scan.write(chunk), onBytes, signal);
    scan.end();
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    const where =
      error instanceof StateFileError
        ? ''
        : ` (after byte ${scan.offset}${scan.path ? ` at ${shortName(scan.path)}` : ''})`;
    throw new Error(`Cannot read ${path}: ${reasonOf(error)}${where}`, { cause: error });
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<{ readonly file: FileHandle; readonly size: number }> {
  try {
    // Looked at before it is opened: opening a pipe would wait for a writer.
    const found = await stat(path);
    if (found.isFile()) return { file: await open(path, 'r'), size: found.size };
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

/** Chunks grow from this size on: what happens at their ends is known early to the engine, before it compiles the loops over them. */
const firstChunk = 8 * 1024;

type Use = (chunk: Buffer) => void;
type Progress = (bytes: number) => void;

/** The file in chunks, unpacked where it is gzip; the next one is read while the last one is used, into the other of two buffers. */
async function eachChunk(
  file: FileHandle,
  size: number,
  chunkSize: number,
  use: Use,
  onBytes: Progress,
  signal?: AbortSignal,
): Promise<void> {
  const length = Math.max(2, Math.min(chunkSize, size));
  const buffers = [Buffer.allocUnsafeSlow(length), Buffer.allocUnsafeSlow(length)];
  let position = 0;
  const read = () => file.read(buffers[0] ?? Buffer.alloc(0), 0, Math.min(length, position + firstChunk), position);
  let reading = read();
  try {
    for (;;) {
      const { bytesRead, buffer } = await reading;
      signal?.throwIfAborted();
      if (position === 0 && isGzip(buffer, bytesRead)) return await eachUnzipped(file, chunkSize, use, onBytes, signal);
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

function isGzip(buffer: Buffer, length: number): boolean {
  return length >= 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
}

async function eachUnzipped(
  file: FileHandle,
  chunkSize: number,
  use: Use,
  onBytes: Progress,
  signal?: AbortSignal,
): Promise<void> {
  // Loaded when it is needed: most files are plain, and the first rows wait for all that is loaded before.
  const [{ createGunzip }, { pipeline }] = [await import('node:zlib'), await import('node:stream/promises')];
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
