import { type Stats, statSync } from 'node:fs';
import { type FileHandle, type FileReadResult, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../api/errors.ts';
import { sha256 } from '../api/hashes.ts';
import { temporarySuffix, writeWhole } from '../wholeFile.ts';
import type { ListAgain } from './holders/split.ts';
import { Scanner, type Visitor } from './scan/jsonScanner.ts';
import { type ScanEngine, scriptEngine } from './scan/scanEngine.ts';
import { openSimd, simdEngine } from './scan/simdEngine.ts';
import { FileChangedError, fileReason, StateFileError, shortenMiddle } from './serviceErrors.ts';
import { type StateEvents, StateReader, type StateReaderOptions } from './state.ts';
import { type ModuleName, moduleNames, type State } from './stateSnapshot.ts';
import { buffersOf } from './table.ts';

/** A reading of a state file. */
export interface ReaderTask extends Pick<ScanOptions, 'rebase' | 'split' | 'chunkSize'> {
  readonly path: string;
  /** The folder for the index, with which an unchanged file opens at once; absent for no index. Not with `rebase`. */
  readonly cacheDir?: string | undefined;
  /** The memory of the thread, as in `ServiceOptions`. */
  readonly maxHeap?: number | undefined;
}

/** The messages of a reader. The last one is `done` or `failed`. */
export type ReaderMessage =
  | { readonly type: 'progress'; readonly bytes: number; readonly size: number }
  | { readonly type: 'modules'; readonly modules: Partial<State> }
  /** `module` is a module that cannot be read. */
  | { readonly type: 'notice'; readonly text: string; readonly module?: ModuleName }
  | { readonly type: 'done' }
  /** With `isChanged`, the modules that were read may be a mixture of two files. */
  | { readonly type: 'failed'; readonly text: string; readonly isChanged: boolean };

type Post = (message: ReaderMessage) => void;

/** Reads a state file or its index, and reports the content as messages. Never rejects. */
export async function runReader(task: ReaderTask, post: Post, signal?: AbortSignal): Promise<void> {
  const { path, cacheDir } = task;
  try {
    const indexed = cacheDir === undefined ? undefined : await readIndex(cacheDir, path);
    for (const text of indexed?.notices ?? []) post({ type: 'notice', text });
    if (indexed) post({ type: 'modules', modules: indexed.state });
    else await readFileOnce(task, post, signal);
    if (cacheDir !== undefined) await tidyUp(cacheDir).catch(() => undefined);
    post({ type: 'done' });
  } catch (error) {
    post({ type: 'failed', text: messageOf(error), isChanged: error instanceof FileChangedError });
  }
}

/** The memory of the thread in MiB. Its tables are not counted in it and may take half as much beside it. */
export const defaultHeap = 512;

/** Gives the bytes for tables of a thread with this heap. */
export function maxTables(maxHeap = defaultHeap): number {
  return (maxHeap / 2) * 1024 ** 2;
}

async function readFileOnce(task: ReaderTask, post: Post, signal: AbortSignal | undefined): Promise<void> {
  const { path, cacheDir, maxHeap, ...options } = task;
  const events: StateEvents = {
    onModules: (modules) => post({ type: 'modules', modules }),
    onNotice: (text) => post({ type: 'notice', text }),
    onFault: (module, error) => {
      const text = `Cannot read the ${module} module of ${shortenMiddle(path, 80)}: ${error.message}`;
      post({ type: 'notice', text, module });
    },
  };
  const onProgress = (bytes: number, size: number): void => post({ type: 'progress', bytes, size });
  const { stamp, reader } = await scanFile(path, events, {
    ...options,
    signal,
    onProgress,
    maxTables: maxTables(maxHeap),
  });
  const { modules: state, notices } = reader;
  if (cacheDir === undefined || !isWhole(state)) return;
  await writeIndex(cacheDir, path, stamp, { state, notices }).catch((error: unknown) => {
    post({ type: 'notice', text: `The index of ${path} could not be saved: ${fileReason(error)}` });
  });
}

/** True if no module is missing. A module that could not be read is missing. */
function isWhole(state: Partial<State>): state is State {
  return moduleNames.every((name) => state[name] !== undefined);
}

export interface ScanOptions extends StateReaderOptions {
  /** The bytes of one read. */
  readonly chunkSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the bytes of the file read so far, and its size, several times a second and at the end. */
  readonly onProgress?: ((bytes: number, size: number) => void) | undefined;
  /** Receives the bytes of the file itself, packed or not. They are valid during the call only. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
  /** Receives the number of bytes of JSON that are read next. */
  readonly onJson?: ((bytes: number) => void) | undefined;
}

const smallFile = 64 * 1024;

/** True if a thread, or the engine in WebAssembly, takes longer to start than the file takes to read. */
export function isSmall(path: string, size: number): boolean {
  return size < smallFile && !path.endsWith('.gz');
}

/** Gives an engine for one reading of a file. */
export function engineFor(path: string, size: number): ScanEngine {
  const simd = isSmall(path, size) ? undefined : openSimd();
  return simd ? simdEngine(simd) : scriptEngine();
}

/** Reads a state file, plain or gzip, in chunks. Rejects with file, place and reason, or with `FileChangedError`. */
export async function scanFile(
  path: string,
  events: StateEvents,
  options: ScanOptions,
): Promise<{ readonly stamp: FileStamp; readonly reader: StateReader }> {
  const { file, stamp } = await openFile(path);
  const checkUnchanged = (): void => {
    // A deleted file can still be read to its end.
    const now = statSync(path, { throwIfNoEntry: false });
    if (now && !isSameStamp(now, stamp)) throw new FileChangedError(path);
  };
  const onModules = (modules: Partial<State>): void => {
    checkUnchanged();
    events.onModules?.(modules);
  };
  const engine = engineFor(path, stamp.size);
  const reader = new StateReader({ ...events, onModules }, engine, options);
  const { scanner } = reader;
  let reported = 0;
  const onProgress = (bytes: number, size: number): void => {
    if (bytes < size && Date.now() - reported < 50) return;
    reported = Date.now();
    options.onProgress?.(bytes, size);
  };
  try {
    const use = (chunk: Buffer): void => {
      options.onJson?.(chunk.length);
      scanner.write(chunk);
    };
    const length = Math.max(2, Math.min(options.chunkSize ?? defaultChunk, stamp.size));
    const buffers = engine.skipper.buffers(length);
    await eachChunk(file, stamp.size, use, { ...options, onProgress, buffers });
    reader.end();
    const clocks = reader.clocksOfOthers;
    if (clocks) await readAgain(file, engineFor(path, stamp.size), clocks, options.signal);
    if (reader.isToBeReadAgain) {
      const engine = engineFor(path, stamp.size);
      await readAgain(file, engine, reader.again(engine), options.signal);
    }
    reader.endSplit();
    checkUnchanged();
    return { stamp, reader };
  } catch (error) {
    options.signal?.throwIfAborted();
    checkUnchanged();
    const place = scanner.path ? ` at ${shortenMiddle(scanner.path, 70)}` : '';
    const where = error instanceof StateFileError ? '' : ` (after byte ${scanner.offset}${place})`;
    throw new Error(`Cannot read ${shortenMiddle(path, 80)}: ${fileReason(error)}${where}`, { cause: error });
  } finally {
    await file.close();
  }
}

/** Reads a list of the JSON of a file again. Values that cannot be read were counted as faults before. */
export async function readAgain(
  file: FileHandle,
  { skipper }: ScanEngine,
  { list, visitor }: ListAgain,
  signal: AbortSignal | undefined,
): Promise<void> {
  const scanner = new Scanner({ kind: 'object', member: (): Visitor => visitor }, () => undefined, skipper);
  const options = { buffers: skipper.buffers(defaultChunk), signal, start: list.start, end: list.end };
  scanner.write(Buffer.from('{"list":'));
  await eachChunk(file, 0, (chunk) => scanner.write(chunk), options);
  scanner.write(Buffer.from('}'));
  scanner.end();
}

/** A stamp that tells which content of a file was read. */
export type FileStamp = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

export async function stampOf(path: string): Promise<FileStamp | undefined> {
  return stat(path).catch(() => undefined);
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  const isSameFile = one.ino === other.ino && one.size === other.size;
  return isSameFile && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs;
}

export async function openFile(path: string): Promise<{ readonly file: FileHandle; readonly stamp: FileStamp }> {
  try {
    // Checked before the file is opened, since opening a pipe would wait for a writer.
    const found = await stat(path);
    const { size, mtimeMs, ctimeMs, ino } = found;
    if (found.isFile()) return { file: await open(path, 'r'), stamp: { size, mtimeMs, ctimeMs, ino } };
  } catch (error) {
    throw new Error(`Cannot open ${path}: ${fileReason(error)}`, { cause: error });
  }
  throw new Error(`Cannot open ${path}: it is not a file. Choose a genesis or exported state (.json or .json.gz)`);
}

/**
 * The size of the first chunks, which then grow. The engine sees the ends of chunks early, before it compiles the loops
 * over them.
 */
const firstChunk = 8 * 1024;
const defaultChunk = 512 * 1024;

type Use = (chunk: Buffer) => void;

interface ChunkOptions extends Pick<ScanOptions, 'chunkSize' | 'signal' | 'onProgress' | 'onBytes'> {
  readonly buffers: readonly [Buffer, Buffer];
  /** The offset of the part of the JSON to read. */
  readonly start?: number;
  readonly end?: number;
}

/**
 * Reads a file in chunks and unpacks gzip. The next chunk is read into the other of two buffers while the last one is
 * used.
 */
async function eachChunk(file: FileHandle, size: number, use: Use, options: ChunkOptions): Promise<void> {
  const { buffers, signal, onProgress, onBytes, start = 0, end = Number.POSITIVE_INFINITY } = options;
  const { buffer: head } = await file.read(Buffer.alloc(2), 0, 2, 0);
  if (head.readUInt16BE() === 0x1f8b) return eachUnzipped(file, size, use, options);
  let position = start;
  // A small file is read at once, since each read waits for a thread.
  const first = Math.max(firstChunk, size < smallFile ? size : 0);
  const read = (into: Buffer): Promise<FileReadResult<Buffer>> =>
    file.read(into, 0, Math.min(into.length, position - start + first, end - position), position);
  let reading = read(buffers[0]);
  try {
    for (;;) {
      const { bytesRead, buffer } = await reading;
      signal?.throwIfAborted();
      onProgress?.(position, size);
      if (bytesRead === 0) return;
      position += bytesRead;
      reading = read(buffer === buffers[0] ? buffers[1] : buffers[0]);
      const bytes = buffer.subarray(0, bytesRead);
      onBytes?.(bytes);
      use(bytes);
    }
  } finally {
    await reading.catch(() => undefined);
  }
}

async function eachUnzipped(file: FileHandle, size: number, use: Use, options: ChunkOptions): Promise<void> {
  const { chunkSize = defaultChunk, signal, onProgress, onBytes, start = 0, end = Number.POSITIVE_INFINITY } = options;
  // Loaded when needed: most files are plain, and the first rows wait for everything that is loaded before.
  const [{ createGunzip }, { pipeline }] = [await import('node:zlib'), await import('node:stream/promises')];
  const zipped = file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkSize });
  zipped.on('data', (bytes) => {
    onProgress?.(zipped.bytesRead, size);
    if (typeof bytes !== 'string') onBytes?.(bytes);
  });
  let at = 0;
  const useAll = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
      at += chunk.length;
      if (part.length > 0) use(part);
    }
  };
  await pipeline(zipped, createGunzip({ chunkSize }), useAll, { signal });
}

interface Indexed {
  readonly state: State;
  readonly notices: readonly string[];
}

/** The version of the index. Raise it with every change of `State` or of the values that are read into it. */
const indexVersion = 20;
const maxIndexes = 20;
const largestIndex = 64 * 1024 * 1024;
const hashSize = 32;
const indexSuffix = '.state';
/** The milliseconds after which a writer counts as dead. */
const longestWrite = 3_600_000;

// Serializing is loaded when it is needed: the first rows of a file without an index do not wait for it.

/**
 * Writes the index whole or not at all. Rejects if the folder cannot be written or is full; nothing is left behind
 * then.
 */
async function writeIndex(folder: string, path: string, stamp: FileStamp, indexed: Indexed): Promise<void> {
  if (buffersOf(indexed.state).reduce((sum, { byteLength }) => sum + byteLength, 0) > largestIndex) return;
  const { serialize } = await import('node:v8');
  const body = serialize({ version: indexVersion, path, stamp, ...indexed });
  await mkdir(folder, { recursive: true });
  await writeWhole(join(folder, indexName(path)), [sha256(body), body]);
}

/** Reads the index of exactly this content of the file; undefined if there is none, or if it is damaged. */
async function readIndex(folder: string, path: string): Promise<Indexed | undefined> {
  try {
    const stamp = await stampOf(path);
    const bytes = await readFile(join(folder, indexName(path)));
    const { deserialize } = await import('node:v8');
    const body = bytes.subarray(hashSize);
    if (!sha256(body).equals(bytes.subarray(0, hashSize))) return undefined;
    const cached: Indexed & { version: number; path: string; stamp: FileStamp } = deserialize(body);
    const isUsable =
      cached.version === indexVersion && cached.path === path && stamp && isSameStamp(cached.stamp, stamp);
    return isUsable ? cached : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Names the index of a path. Two paths with the same long end share a name, so the index itself also names its path.
 */
function indexName(path: string): string {
  return encodeURIComponent(path.toWellFormed()).slice(-160) + indexSuffix;
}

/** Removes all but the newest indexes and the files of killed writers. Other processes may do so at the same time. */
async function tidyUp(folder: string): Promise<void> {
  const found = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, time: (await stampOf(join(folder, name)))?.mtimeMs ?? 0 })),
  );
  const indexes = found.filter(({ name }) => name.endsWith(indexSuffix)).sort((a, b) => b.time - a.time);
  const left = found.filter(({ name, time }) => name.endsWith(temporarySuffix) && time < Date.now() - longestWrite);
  for (const { name } of [...indexes.slice(maxIndexes), ...left]) await rm(join(folder, name), { force: true });
}
