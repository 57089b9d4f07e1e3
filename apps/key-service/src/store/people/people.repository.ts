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

/** People of directories as actors of keys. Methods take the executor of their transaction. */
@Injectable()
export class PeopleRepository {
  /** Until the transaction ends, no other one changes people of the source. Call it first. */
  async lockSource(sql: SqlExecutor, { sourceId }: PeopleSource): Promise<void> {
    await sql.rows(statements.LOCK_SOURCE, [sourceId]);
  }

  /** Until the transaction ends, no other one decides on the actors. Call it once, before decisions are read. */
  async lockActors(sql: SqlExecutor, actorIds: readonly string[]): Promise<void> {
    await sql.rows(statements.LOCK_ACTORS, [actorIds]);
  }

  /**
   * Stores a link, unless a newer one is known.
   *
   * @returns its identity: the revision since which the link names the same actors
   */
  async putLink(
    sql: SqlExecutor,
    { tenant, product }: PeopleSource,
    link: PeopleLink,
  ): Promise<string> {
    const scope = [tenant, product];
    const [known] = await sql.rows<LinkRevision>(statements.FIND_REVISION, scope);
    if (known && BigInt(known.revision) >= BigInt(link.revision)) return known.identity;
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
    const [put] = await sql.rows<LinkRevision>(statements.FIND_REVISION, scope);
    return put?.identity ?? String(link.revision);
  }

  /**
   * Forgets people of a source that were known by a number of its log, and the link with the last of them.
   * What was sent by then is ignored from now on.
   *
   * @returns the actors that they were, and whether none is left
   */
  async forget(
    sql: SqlExecutor,
    { sourceId, tenant, product }: PeopleSource,
    number: string,
  ): Promise<{ actorIds: string[]; isDone: boolean }> {
    await sql.rows(statements.NOTE_FORGOTTEN, [sourceId, number]);
    const rows = await sql.rows<{ actorId: string }>(statements.FORGET, [sourceId, number]);
    const isDone = rows.length < statements.ROWS_MAX;
    if (isDone) await sql.rows(statements.DELETE_UNUSED_LINK, [tenant, product]);
    return { actorIds: [...new Set(rows.map(({ actorId }) => actorId))], isDone };
  }

  /**
   * Stores changes of people; see `changedPeople`. Those before the source was forgotten are ignored.
   *
   * @param identity of the link by which the changes name actors
   */
  async store(
    sql: SqlExecutor,
    { sourceId, tenant, product }: PeopleSource,
    identity: string,
    sent: readonly PersonChange[],
  ): Promise<void> {
    const [forgotten] = await sql.rows<{ sequence: string }>(statements.FIND_FORGOTTEN, [sourceId]);
    const changes = sent.filter(
      ({ sequence }) => !forgotten || BigInt(sequence) > BigInt(forgotten.sequence),
    );
    const userIds = [...new Set(changes.map(({ user_id: userId }) => userId))];
    if (userIds.length === 0) return;
    const known = await sql.rows<Person>(statements.FIND_OF_USERS, [sourceId, userIds, identity]);
    const { stored, dropped } = changedPeople(known, changes);
    if (dropped.length > 0) {
      await sql.rows(statements.FORGET_ACTORS, [sourceId, ...namesOf(dropped)]);
    }
    if (stored.length === 0) return;
    await sql.rows(statements.UPSERT, [
      sourceId,
      tenant,
      product,
      identity,
      ...namesOf(stored),
      stored.map(({ state }) => state),
      stored.map(({ named }) => named),
      stored.map(({ sequence }) => sequence),
    ]);
  }

  /**
   * Ends a snapshot: people whom it did not contain are gone, actors of a former link are forgotten, and a
   * changed policy applies to all who have left.
   *
   * @returns false if a part is left
   */
  async endSnapshot(
    sql: SqlExecutor,
    { sourceId, tenant, product }: PeopleSource,
    identity: string,
    snapshot: string,
  ): Promise<boolean> {
    const { FORGET_FORMER_LINK, END_SNAPSHOT, APPLY_AGAIN, ROWS_MAX } = statements;
    const changed = [
      await sql.rows(FORGET_FORMER_LINK, [sourceId, identity]),
      await sql.rows(END_SNAPSHOT, [sourceId, snapshot]),
      await sql.rows(APPLY_AGAIN, [sourceId]),
    ];
    if (changed.some(({ length }) => length === ROWS_MAX)) return false;
    await sql.rows(statements.NOTE_SNAPSHOT, [tenant, product]);
    return true;
  }

  /** Actors of a source whose keys do not yet stand as their people do. */
  async actorsToApply(sql: SqlExecutor, sourceId: string, limit: number): Promise<string[]> {
    const rows = await sql.rows<{ actorId: string }>(statements.ACTORS_TO_APPLY, [sourceId, limit]);
    return rows.map(({ actorId }) => actorId);
  }

  /** The people who decide for actors, by actor: one for each tenant. */
  async standingsOf(
    sql: SqlExecutor,
    actorIds: readonly string[],
  ): Promise<Map<string, Standing[]>> {
    const rows = await sql.rows<Standing>(statements.STANDINGS, [actorIds]);
    const standings = new Map<string, Standing[]>();
    for (const row of rows) {
      standings.set(row.actorId, [...(standings.get(row.actorId) ?? []), row]);
    }
    return standings;
  }

  async markApplied(sql: SqlExecutor, actorIds: readonly string[]): Promise<void> {
    await sql.rows(statements.MARK_APPLIED, [actorIds]);
  }
}

/** Bigints, as text. */
interface LinkRevision {
  readonly revision: string;
  readonly identity: string;
}

const namesOf = (people: readonly Person[]) => [
  people.map(({ userId }) => userId),
  people.map(({ actorId }) => actorId),
];
