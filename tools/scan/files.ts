/** Walks folders and reads files in blocks: memory does not grow with their number or size. */
import { constants, type Dirent } from 'node:fs';
import { open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundSecret, type SecretFinder } from './secret-finder.js';

export interface WalkOptions {
  /** Also what is left out by default: version control, installed packages, binary files. */
  readonly isAll: boolean;
  readonly signal: AbortSignal;
  /** What could not be read. */
  onFault(path: string, error: NodeJS.ErrnoException): void;
}

const SKIPPED_FOLDERS = new Set(['.git', '.hg', '.svn', 'node_modules']);
const DEPTH_MAX = 500;
const BLOCK_BYTES = 256 * 1024;
/** A file with a NUL in its first bytes is binary, as for Git. */
const HEAD_BYTES = 8_000;

/** The regular files below a path, or the file itself. Links below it are not followed. */
export async function* filesBelow(root: string, options: WalkOptions): AsyncGenerator<string> {
  const status = await stat(root);
  if (status.isDirectory()) yield* walk(root, 0, options);
  else yield root;
}

async function* walk(folder: string, depth: number, options: WalkOptions): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) {
      options.signal.throwIfAborted();
      const path = join(folder, entry.name);
      if (entry.isFile()) yield path;
      if (!isEntered(entry, options)) continue;
      if (depth === DEPTH_MAX) throw new Error('the folders are too deep');
      yield* walk(path, depth + 1, options);
    }
  } catch (error) {
    options.signal.throwIfAborted();
    options.onFault(folder, error as NodeJS.ErrnoException);
  }
}

function isEntered(entry: Dirent, { isAll }: WalkOptions): boolean {
  return entry.isDirectory() && (isAll || !SKIPPED_FOLDERS.has(entry.name));
}

/**
 * Finds the secrets in a file.
 *
 * @returns how many bytes were read; undefined if the file was left out
 * @throws the error of the file system
 */
export async function secretsIn(
  path: string,
  finder: SecretFinder,
  { isAll, signal }: WalkOptions,
  onFound: (found: FoundSecret) => void,
): Promise<number | undefined> {
  // A pipe in place of the file must not block.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const take = finder.open();
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    let bytes = 0;
    let isWide = false;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(block, 0, BLOCK_BYTES);
      const part = block.subarray(0, bytesRead);
      if (bytes === 0) {
        isWide = hasWideMark(part);
        if (!isAll && !isWide && part.subarray(0, HEAD_BYTES).includes(0)) return undefined;
      }
      bytes += bytesRead;
      // Secrets are ASCII, which all common encodings share; UTF-16 has a NUL for each character.
      const text = part.toString('latin1');
      const isLast = bytesRead === 0;
      take(isWide || isAll ? text.replaceAll('\0', '') : text, isLast).forEach(onFound);
      if (isLast) return bytes;
    }
  } finally {
    await file.close();
  }
}

function hasWideMark(part: Buffer): boolean {
  const mark = part.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff';
}
