/**
 * Writes users or groups of a source. What was imported before is compared three ways: what the source
 * holds, what was imported, and what is stored now. A change on one side is kept; a change on both is
 * a conflict, in which what is stored wins.
 */
import { inSavepoint, sqlFault } from '@gatehouse/kit/sql';
import { conflict, countsOf, type ImportScope, type Known, usageOf } from './import-scope.js';
import * as statements from './import.sql.js';
import { type ResourceKind, type SourceUser } from './import.types.js';
import { isRefusal, prepare, type Prepared } from './prepared.js';

const UNIQUE_VIOLATION = '23505';

interface Written {
  id: string;
  bytes: number;
}

/** @returns the ids of the resources that were created or changed */
export async function importBatch(
  scope: ImportScope,
  kind: ResourceKind,
  batch: readonly SourceUser[],
): Promise<{ created: string[]; known: Map<string, Known> }> {
  const prepared: Prepared[] = [];
  for (const item of batch) {
    const result = prepare(kind, item, scope.directoryType);
    if (isRefusal(result)) conflict(scope, kind, String(item.id), result.reason, result.detail);
    else prepared.push(result);
  }
  const known = await knownAmong(scope, kind, prepared);
  const fresh = prepared.filter(({ id }) => !known.has(id));
  const created = await create(scope, kind, fresh);
  await change(scope, kind, prepared, known);
  return { created, known };
}

export async function knownAmong(
  { sql, directoryId }: Pick<ImportScope, 'sql' | 'directoryId'>,
  kind: ResourceKind,
  resources: readonly { id: string }[],
): Promise<Map<string, Known>> {
  const ids = resources.map(({ id }) => id);
  const rows = await sql.rows<Known>(statements.knownOf(kind), [directoryId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

async function create(
  scope: ImportScope,
  kind: ResourceKind,
  fresh: readonly Prepared[],
): Promise<string[]> {
  const free = await withFreeIds(scope, kind, fresh);
  const fitting = free.filter((resource) => {
    if (scope.room.take(usageOf(kind, 1, resource.bytes))) return true;
    conflict(scope, kind, resource.id, 'over_quota');
    return false;
  });
  if (fitting.length === 0) return [];
  const rows = fitting.map(({ id, columns }) => ({ id, ...columns }));
  const written = await write(scope, statements.insertOf(kind), rows);
  const bytes = new Map(written.map((row) => [row.id, row.bytes]));
  for (const resource of fitting) {
    const stored = bytes.get(resource.id);
    scope.room.count(
      stored === undefined
        ? usageOf(kind, -1, -resource.bytes)
        : usageOf(kind, 0, stored - resource.bytes),
    );
    if (stored === undefined) refuseName(scope, kind, resource);
  }
  const created = fitting.filter(({ id }) => bytes.has(id));
  await save(scope, kind, created);
  countsOf(scope, kind).created += created.length;
  return created.map(({ id }) => id);
}

/**
 * Leaves out what has the id of a user or group that is not of this import: members are found by id, so
 * an id must not be used in two directories.
 */
async function withFreeIds(
  scope: ImportScope,
  kind: ResourceKind,
  fresh: readonly Prepared[],
): Promise<Prepared[]> {
  if (fresh.length === 0) return [];
  const ids = fresh.map(({ id }) => id);
  const rows = await scope.sql.rows<{ id: string }>(statements.TAKEN_IDS, [ids]);
  const taken = new Set(rows.map(({ id }) => id));
  for (const { id } of fresh) if (taken.has(id)) conflict(scope, kind, id, 'id_taken');
  return fresh.filter(({ id }) => !taken.has(id));
}

async function change(
  scope: ImportScope,
  kind: ResourceKind,
  prepared: readonly Prepared[],
  known: ReadonlyMap<string, Known>,
): Promise<void> {
  const changed: Prepared[] = [];
  for (const resource of prepared) {
    const before = known.get(resource.id);
    if (!before) continue;
    if (before.hash === resource.hash) countsOf(scope, kind).unchanged += 1;
    else if (before.current === null) conflict(scope, kind, resource.id, 'deleted_here');
    else if (before.current !== before.version) conflict(scope, kind, resource.id, 'changed_here');
    else changed.push(resource);
  }
  if (changed.length === 0 || (await update(scope, kind, changed, known))) return;
  // The name of one of them is taken, perhaps by another one of them: one after the other shows which.
  for (const resource of changed) {
    const isWritten = await update(scope, kind, [resource], known);
    if (!isWritten) refuseName(scope, kind, resource);
  }
}

/** @returns false, with nothing written, if a name is taken */
async function update(
  scope: ImportScope,
  kind: ResourceKind,
  changed: readonly Prepared[],
  known: ReadonlyMap<string, Known>,
): Promise<boolean> {
  const rows = changed.map(({ id, columns }) => ({
    id,
    version: known.get(id)?.version,
    ...columns,
  }));
  try {
    const written = await inSavepoint(scope.sql, (sql) =>
      write({ ...scope, sql }, statements.updateOf(kind), rows),
    );
    const ids = new Set(written.map(({ id }) => id));
    for (const { id, bytes } of written) {
      scope.room.count(usageOf(kind, 0, bytes - (known.get(id)?.bytes ?? 0)));
    }
    for (const { id } of changed) if (!ids.has(id)) conflict(scope, kind, id, 'changed_here');
    await save(
      scope,
      kind,
      changed.filter(({ id }) => ids.has(id)),
    );
    countsOf(scope, kind).updated += written.length;
    return true;
  } catch (error) {
    if (sqlFault(error).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

function refuseName(scope: ImportScope, kind: ResourceKind, { id, name }: Prepared): void {
  conflict(scope, kind, id, kind === 'user' ? 'name_taken' : 'group_name_taken', `"${name}"`);
}

function write(
  { sql, directoryId }: Pick<ImportScope, 'sql' | 'directoryId'>,
  statement: ReturnType<typeof statements.insertOf>,
  rows: readonly object[],
): Promise<Written[]> {
  return sql.rows<Written>(statement, [directoryId, JSON.stringify(rows)]);
}

async function save(
  { sql, directoryId }: ImportScope,
  kind: ResourceKind,
  resources: readonly Prepared[],
): Promise<void> {
  const rows = resources.map(({ id, hash }) => ({ id, hash }));
  await sql.rows(statements.saveOf(kind), [directoryId, JSON.stringify(rows)]);
}
