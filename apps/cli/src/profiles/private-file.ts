/** Files that hold secrets: only their owner may read them, and a write is whole or not at all. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../failure.js';

const OTHERS = 0o077;

/**
 * @returns undefined if there is no such file
 * @throws Failure if others may read it
 */
export function readPrivate(path: string): string | undefined {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined) return undefined;
  // Windows has no such modes.
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
    throw new Failure(
      `Others may read ${path}, which holds a secret. Correct that: chmod 600 ${path}`,
    );
  }
  return readFileSync(path, 'utf8');
}

export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
