/**
 * Reads a directory that was imported before, and keeps what the source has changed since. This happens
 * outside of the transaction that writes, which locks the directory: its provider must not wait until a
 * slow source has been read.
 */
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type ImportScope, type Known } from './import-scope.js';
import {
  type DirectoryContent,
  type ResourceKind,
  type SourceGroup,
  type SourceUser,
} from './import.types.js';
import { memberSet } from './member-import.js';
import { isRefusal, prepare } from './prepared.js';
import { knownAmong } from './resource-import.js';

/** Changes that are kept in memory. A directory that has more is imported anew. */
const CHANGES_MAX = 200_000;
const BATCH = 500;

export interface Listing<T extends SourceUser> {
  batches: AsyncIterable<readonly T[]> | Iterable<readonly T[]>;
  /** The ids that were listed, once the batches are read. */
  seen: Set<string>;
  unchanged: number;
  unchangedMembers: number;
}

/** All that a source lists, each id once. */
export function everything<T extends SourceUser>(
  listed: AsyncIterable<readonly T[]>,
  onBatch: (read: number) => void,
): Listing<T> {
  const seen = new Set<string>();
  return { batches: distinct(listed, seen, onBatch), seen, unchanged: 0, unchangedMembers: 0 };
}

/** Changes since the last import. */
export async function changesOf<T extends SourceUser>(
  scope: { sql: SqlExecutor } & Pick<ImportScope, 'directoryId' | 'directoryType'>,
  kind: ResourceKind,
  listed: AsyncIterable<readonly T[]>,
  onBatch: (read: number) => void,
): Promise<Listing<T>> {
  const seen = new Set<string>();
  const changed: T[] = [];
  let unchanged = 0;
  let unchangedMembers = 0;
  for await (const batch of distinct(listed, seen, onBatch)) {
    const usable = batch.map((item) => ({
      item,
      prepared: prepare(kind, item, scope.directoryType),
    }));
    const prepared = usable.flatMap(({ prepared }) => (isRefusal(prepared) ? [] : [prepared]));
    const known = await knownAmong(scope, kind, prepared);
    for (const { item, prepared } of usable) {
      const before = isRefusal(prepared) ? undefined : known.get(prepared.id);
      const isSame = !isRefusal(prepared) && before?.hash === prepared.hash;
      if (isSame && hasSameMembers(item, before)) {
        unchanged += 1;
        unchangedMembers += before.members.length;
      } else changed.push(item);
    }
    if (changed.length > CHANGES_MAX) {
      throw new Error(
        `more than ${CHANGES_MAX} ${kind}s have changed since the last import: delete the directory and import it again`,
      );
    }
  }
  return { batches: slices(changed), seen, unchanged, unchangedMembers };
}

export async function* idsNotIn(
  pages: (after: string) => Promise<{ id: string }[]>,
  seen: ReadonlySet<string>,
): AsyncGenerator<string[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await pages(after);
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
    const missing = page.map(({ id }) => id).filter((id) => !seen.has(id));
    if (missing.length > 0) yield missing;
  }
}

export type Deleted = Record<ResourceKind, string[]>;

/** Imported resources that the source no longer lists, and confirms as missing. */
export async function deletedOf(
  content: DirectoryContent,
  kind: ResourceKind,
  missing: AsyncIterable<string[]>,
): Promise<string[]> {
  const deleted: string[] = [];
  for await (const ids of missing) deleted.push(...(await content.deleted(kind, ids)));
  return deleted;
}

function hasSameMembers(item: SourceUser, before: Known): boolean {
  if (!('memberIds' in item)) return true;
  const members = memberSet(item as SourceGroup);
  return members.size === before.members.length && before.members.every((id) => members.has(id));
}

/** Offsets shift while a source is written to, so it may list one twice. */
async function* distinct<T extends SourceUser>(
  listed: AsyncIterable<readonly T[]>,
  seen: Set<string>,
  onBatch: (read: number) => void,
): AsyncGenerator<T[]> {
  for await (const batch of listed) {
    const fresh: T[] = [];
    for (const item of batch) {
      const id = String(item.id).toLowerCase();
      if (seen.has(id)) continue;
      seen.add(id);
      fresh.push(item);
    }
    onBatch(fresh.length);
    if (fresh.length > 0) yield fresh;
  }
}

function* slices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH);
}
