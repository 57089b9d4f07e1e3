/**
 * The first half of a run: reads a listing of the provider page by page into tables. A page and the
 * token of the next one are stored in one transaction, so a listing goes on where it stopped, and
 * no more than one page is in memory.
 */
import { sha256 } from '@gatehouse/crypto';
import { type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import {
  type Page,
  WorkspaceError,
  type WorkspaceMember,
  type WorkspaceSession,
} from '@gatehouse/workspace-providers';
import { checkBounds, type ListingBounds } from './bounds.js';
import { choiceOf, namesOf } from './choice.js';
import * as statements from './listing.sql.js';
import { type Lease, type RunRepository } from './run.repository.js';
import { type HoldReason, LISTING_PHASES, type ListingPhase, type Run } from './run.types.js';
import { type WorkspaceSettings } from './settings.types.js';
import { storableText, uniqueOf } from './storable.js';

export interface Listing {
  runs: RunRepository;
  lease: Lease;
  session: WorkspaceSession;
  settings: WorkspaceSettings;
  bounds: ListingBounds;
  signal: AbortSignal;
}

/** A page as it is stored: the statement, its values after directory and run, and the rest. */
interface ReadPage {
  statement: Statement;
  values: unknown[][] | [string, ...unknown[][]];
  /** Items of the page that belong to the directory. */
  count: number;
  /** Size of users and groups. */
  bytes: number;
  next: string | null;
  calls: number;
  counted: 'users_listed' | 'groups_listed' | 'members_listed';
}

const INCOMPLETE: HoldReason = {
  reason: 'incomplete_listing',
  message:
    'The provider sent a page twice, so its listing may lack users, groups or members. ' +
    'What is missing from it is not deleted, even if the run is approved.',
};

/** A provider whose page tokens expire more often fails the run. */
const RESTARTS_MAX = 3;

/** Reads and stores the next page of a run. @throws WorkspaceError */
export async function listPage(listing: Listing, run: Run): Promise<Run> {
  const { runs, lease, settings, bounds } = listing;
  const isMembers = run.phase === 'members';
  const group = isMembers ? await nextGroup(runs.sql, run, settings) : undefined;
  if (isMembers && group === undefined) {
    return runs.save(run, lease, (sql) => afterPhase(sql, run));
  }
  const page = await readPage(listing, run, group).catch((error: unknown) => {
    if (!isExpired(error) || restartsOf(run) >= RESTARTS_MAX) throw error;
  });
  if (!page) return runs.save(run, lease, () => Promise.resolve(restarted(run)));
  return runs.save(run, lease, async (sql) => {
    const values = [run.directoryId, run.id, ...page.values];
    const [row] = await sql.rows<{ count: number }>(page.statement, values);
    const known = row?.count ?? 0;
    const next = withPage(run, page, page.count - known);
    checkBounds(next, bounds);
    if (isRepeated(run, page, known)) {
      return {
        ...next,
        phase: 'plan',
        pageToken: null,
        position: '',
        holdReasons: [INCOMPLETE],
      };
    }
    if (page.next !== null) return { ...next, pageToken: page.next };
    if (group !== undefined) return { ...next, pageToken: null, position: group };
    return afterPhase(sql, next);
  });
}

function withPage(
  { counts, amounts, ...run }: Run,
  { calls, counted, count, bytes }: ReadPage,
  added: number,
): Run {
  return {
    ...run,
    pages: run.pages + 1,
    apiCalls: run.apiCalls + calls,
    setbacks: 0,
    counts: { ...counts, [counted]: counts[counted] + added },
    amounts: {
      ...amounts,
      bytes: amounts.bytes + (count === 0 ? 0 : Math.round((bytes * added) / count)),
    },
  };
}

/**
 * Whether a page leads nowhere, or has nothing but items of the pages before. A last page may have just
 * those: items that moved there while the listing was read.
 */
function isRepeated(run: Run, { next, count }: ReadPage, known: number): boolean {
  if (next !== null && next === run.pageToken) return true;
  if (next === null || isSecondListing(run) || restartsOf(run) > 0) return false;
  return count > 0 && known === count;
}

function isExpired(error: unknown): boolean {
  return error instanceof WorkspaceError && error.kind === 'page_expired';
}

function restartsOf({ amounts }: Run): number {
  return amounts.restarts ?? 0;
}

/** The run with its phase, or the members of its group, to be listed again from the first page. */
function restarted(run: Run): Run {
  return { ...run, pageToken: null, amounts: { ...run.amounts, restarts: restartsOf(run) + 1 } };
}

function isSecondListing({ phase }: Run): boolean {
  return phase === 'missing_users' || phase === 'missing_groups';
}

async function nextGroup(
  sql: SqlExecutor,
  { directoryId, id, position }: Run,
  { flatten_groups: flattens }: WorkspaceSettings,
): Promise<string | undefined> {
  const values = [directoryId, id, position, flattens];
  const [group] = await sql.rows<{ id: string }>(statements.NEXT_LISTED_GROUP, values);
  return group?.id;
}

/** The next phase of a listing; the second listings are left out if nothing is missing. */
async function afterPhase(sql: SqlExecutor, run: Run): Promise<Run> {
  const next = LISTING_PHASES[LISTING_PHASES.indexOf(run.phase as ListingPhase) + 1] ?? 'plan';
  const started: Run = { ...run, phase: next, pageToken: null, position: '' };
  const missing = MISSING[next];
  if (!missing) return started;
  const [row] = await sql.rows<{ missing: boolean }>(missing, [run.directoryId, run.id]);
  return row?.missing ? started : afterPhase(sql, started);
}

const MISSING: Partial<Record<ListingPhase, Statement>> = {
  missing_users: statements.IS_MISSING_USERS,
  missing_groups: statements.IS_MISSING_GROUPS,
};

function readPage(listing: Listing, run: Run, group: string | undefined): Promise<ReadPage> {
  if (group !== undefined) return readMembers(listing, run, group);
  const isUsers = run.phase === 'users' || run.phase === 'missing_users';
  return isUsers ? readUsers(listing, run) : readGroups(listing, run);
}

async function readUsers(
  { session, settings, signal }: Listing,
  { pageToken }: Run,
): Promise<ReadPage> {
  const { items, next, calls } = await session.listUsers(pageToken, signal);
  const users = uniqueOf(items).filter(choiceOf(settings).hasUser);
  const texts = users.map(({ resource }) => storableText(resource));
  const values = [users.map(({ id }) => id), texts.map(hashOf), texts];
  const stored = {
    statement: statements.STORE_USERS,
    values,
    count: users.length,
    bytes: sizeOf(texts),
  };
  return { ...stored, next, calls, counted: 'users_listed' };
}

async function readGroups(
  { session, settings, signal }: Listing,
  { pageToken }: Run,
): Promise<ReadPage> {
  const { items, next, calls } = await session.listGroups(pageToken, signal);
  const groups = uniqueOf(items);
  const { hasGroup } = choiceOf(settings);
  const texts = groups.map(({ resource }) => storableText(resource));
  const names = groups.map((listed) => namesOf(listed));
  const values = [
    groups.map(({ id }) => id),
    texts.map(hashOf),
    texts,
    names.map(hasGroup),
    names.map(storableText),
  ];
  const stored = {
    statement: statements.STORE_GROUPS,
    values,
    count: groups.length,
    bytes: sizeOf(texts),
  };
  return { ...stored, next, calls, counted: 'groups_listed' };
}

async function readMembers(
  { session, signal }: Listing,
  { pageToken }: Run,
  group: string,
): Promise<ReadPage> {
  const page = await membersOf(session, group, pageToken, signal);
  if (!page) return { ...DELETED, values: [group] };
  const { items, next, calls } = page;
  const members = uniqueOf(items);
  const ids = members.map(({ id }) => id);
  const kinds = members.map(({ kind }) => kind === 'group');
  const stored = { statement: statements.STORE_MEMBERS, count: members.length, bytes: 0 };
  return { ...stored, values: [group, ids, kinds], next, calls, counted: 'members_listed' };
}

/** A group that was deleted since it was listed. */
const DELETED: Omit<ReadPage, 'values'> = {
  statement: statements.UNLIST_GROUP,
  count: 0,
  bytes: 0,
  next: null,
  calls: 1,
  counted: 'members_listed',
};

/** Undefined if the provider no longer has the group. */
async function membersOf(
  session: WorkspaceSession,
  group: string,
  pageToken: string | null,
  signal: AbortSignal,
): Promise<Page<WorkspaceMember> | undefined> {
  try {
    return await session.listMembers(group, pageToken, signal);
  } catch (error) {
    if (error instanceof WorkspaceError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}

function hashOf(text: string): string {
  return sha256(text).toString('base64url');
}
