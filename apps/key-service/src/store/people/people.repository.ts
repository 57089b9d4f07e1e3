import { type PeopleLink, type PersonChange } from '@gatehouse/schemas';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import * as statements from './people.sql.js';
import { changedPeople, type Person, type Standing } from './person.types.js';

/** A directory of a tenant and product, or the identities of the form service. */
export interface PeopleSource {
  readonly sourceId: string;
  readonly tenant: string;
  readonly product: string;
}

/** People that one statement forgets. */
const FORGOTTEN_MAX = 10_000;

/** People of directories as actors of keys. Methods take the executor of their transaction. */
@Injectable()
export class PeopleRepository {
  /** Until the transaction ends, no other one changes people of the tenant. Call it first. */
  async lockTenant(sql: SqlExecutor, tenant: string): Promise<void> {
    await sql.rows(statements.LOCK_TENANT, [tenant]);
  }

  async putLink(
    sql: SqlExecutor,
    { tenant, product }: PeopleSource,
    link: PeopleLink,
  ): Promise<void> {
    await sql.rows(statements.PUT_LINK, [
      tenant,
      product,
      link.revision,
      link.attribute,
      link.actor_prefix,
      link.email_domains,
      link.on_deactivate,
      link.on_delete,
    ]);
  }

  /** Forgets the people of a source, and its link with the last of them. @returns false if some are left */
  async forget(sql: SqlExecutor, { sourceId, tenant, product }: PeopleSource): Promise<boolean> {
    const forgotten = await sql.rows(statements.FORGET, [sourceId, FORGOTTEN_MAX]);
    if (forgotten.length === FORGOTTEN_MAX) return false;
    await sql.rows(statements.DELETE_UNUSED_LINK, [tenant, product]);
    return true;
  }

  /**
   * Stores changes of people; see `changedPeople`.
   *
   * @param snapshot that the changes are a page of
   */
  async store(
    sql: SqlExecutor,
    { sourceId, tenant, product }: PeopleSource,
    changes: readonly PersonChange[],
    snapshot?: string,
  ): Promise<void> {
    const userIds = [...new Set(changes.map(({ user_id: userId }) => userId))];
    const known = await sql.rows<Person>(statements.FIND_OF_USERS, [sourceId, userIds]);
    const people = changedPeople(known, changes, snapshot);
    if (people.length === 0) return;
    await sql.rows(statements.UPSERT, [
      sourceId,
      tenant,
      product,
      people.map(({ userId }) => userId),
      people.map(({ actorId }) => actorId),
      people.map(({ state }) => state),
      people.map(({ isCurrent }) => isCurrent),
      people.map(({ sequence }) => sequence),
      people.map((person) => person.snapshot),
    ]);
  }

  /** Ends a snapshot: people whom it did not name are gone, and a changed link applies to all who are. */
  async endSnapshot(
    sql: SqlExecutor,
    { sourceId, tenant, product }: PeopleSource,
    snapshot: string,
  ): Promise<void> {
    await sql.rows(statements.END_SNAPSHOT, [sourceId, snapshot]);
    await sql.rows(statements.APPLY_AGAIN, [sourceId]);
    await sql.rows(statements.NOTE_SNAPSHOT, [tenant, product]);
  }

  /** Actors of a source whose keys do not yet stand as their people do. */
  async actorsToApply(sql: SqlExecutor, sourceId: string, limit: number): Promise<string[]> {
    const rows = await sql.rows<{ actorId: string }>(statements.ACTORS_TO_APPLY, [sourceId, limit]);
    return rows.map(({ actorId }) => actorId);
  }

  /** The people behind actors, by actor; of each, the latest to change comes first. */
  async standingsOf(
    sql: SqlExecutor,
    tenant: string,
    actorIds: readonly string[],
  ): Promise<Map<string, Standing[]>> {
    const rows = await sql.rows<Standing>(statements.STANDINGS, [tenant, actorIds]);
    const standings = new Map<string, Standing[]>();
    for (const row of rows) {
      standings.set(row.actorId, [...(standings.get(row.actorId) ?? []), row]);
    }
    return standings;
  }

  async markApplied(sql: SqlExecutor, tenant: string, actorIds: readonly string[]): Promise<void> {
    await sql.rows(statements.MARK_APPLIED, [tenant, actorIds]);
  }
}
