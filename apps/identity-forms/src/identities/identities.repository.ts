import { createHash } from 'node:crypto';
import { fieldError, type IdentifierValue } from '@gatehouse/form-decoder';
import { IdentityEvents, type IdentityEventType } from '@gatehouse/schemas';
import { Sql, type SqlExecutor, uuidv7 } from '@gatehouse/service-kit';
import { Injectable } from '@nestjs/common';
import { identityEvent } from './identity-event.js';
import {
  CLAIM_IDENTIFIERS,
  DELETE_IDENTITY,
  DELETE_OLD_EVENTS,
  DELETE_OTHER_IDENTIFIERS,
  FIND_IDENTITY,
  INSERT_EVENT,
  INSERT_IDENTITY,
  LIST_IDENTITIES,
  LOCK_IDENTITY,
  UPDATE_IDENTITY,
} from './identity.sql.js';
import { type Identity, type WrittenIdentity } from './identity.types.js';
import { TraitsRefusedError, type ValidatedTraits } from './validated-traits.js';

/** Identities, their identifiers and their events. Writes run in the transaction of the caller. */
@Injectable()
export class IdentitiesRepository {
  constructor(private readonly sql: Sql) {}

  async find(id: string): Promise<Identity | undefined> {
    const [row] = await this.sql.rows<Identity>(FIND_IDENTITY, [id]);
    return row;
  }

  /** Newest first. */
  page(
    schemaId: string | undefined,
    beforeId: string | undefined,
    limit: number,
  ): Promise<Identity[]> {
    return this.sql.rows(LIST_IDENTITIES, [schemaId ?? null, beforeId ?? null, limit]);
  }

  /** Locks an identity until the transaction ends. @returns its `updatedAt` */
  async lock(sql: SqlExecutor, id: string): Promise<Date | undefined> {
    const [row] = await sql.rows<Pick<Identity, 'updatedAt'>>(LOCK_IDENTITY, [id]);
    return row?.updatedAt;
  }

  /** @throws TraitsRefusedError for an identifier that belongs to another identity */
  async create(sql: SqlExecutor, validated: ValidatedTraits): Promise<WrittenIdentity> {
    const { schemaId, schemaVersion, traits, identifiers } = validated;
    const now = new Date();
    const identity = {
      id: uuidv7(),
      schemaId,
      schemaVersion,
      traits,
      createdAt: now,
      updatedAt: now,
    };
    const { id } = identity;
    await sql.rows(INSERT_IDENTITY, [
      id,
      schemaId,
      schemaVersion,
      JSON.stringify(traits),
      now,
      now,
    ]);
    await this.claim(sql, identity, identifiers);
    return this.record(sql, identity, IdentityEvents.created);
  }

  /**
   * @param known as it was read; locked in this transaction and unchanged since
   * @throws TraitsRefusedError for an identifier that belongs to another identity
   */
  async update(
    sql: SqlExecutor,
    known: Identity,
    { schemaVersion, traits, identifiers }: ValidatedTraits,
  ): Promise<WrittenIdentity> {
    // Never the same time twice, even for two changes within one millisecond.
    const updatedAt = new Date(Math.max(Date.now(), known.updatedAt.getTime() + 1));
    const identity = { ...known, schemaVersion, traits, updatedAt };
    await sql.rows(UPDATE_IDENTITY, [known.id, schemaVersion, JSON.stringify(traits), updatedAt]);
    await this.claim(sql, identity, identifiers);
    return this.record(sql, identity, IdentityEvents.updated);
  }

  /** @returns whether it existed */
  async delete(id: string): Promise<boolean> {
    return (await this.sql.rows(DELETE_IDENTITY, [id])).length > 0;
  }

  /** Deletes at most `limit` events older than `before`. @returns how many */
  async deleteEventsBefore(before: Date, limit: number): Promise<number> {
    return (await this.sql.rows(DELETE_OLD_EVENTS, [before, limit])).length;
  }

  /**
   * Makes `identifiers` the identifiers of an identity, and of no other. All writers claim them in
   * the order of their digests, so that two of them wait for each other instead of deadlocking.
   */
  private async claim(
    sql: SqlExecutor,
    { id, schemaId }: Identity,
    identifiers: readonly IdentifierValue[],
  ): Promise<void> {
    const pointers = new Map<string, string>();
    for (const { value, pointer } of identifiers) {
      const digest = createHash('sha256').update(value).digest('hex');
      if (!pointers.has(digest)) pointers.set(digest, pointer);
    }
    const digests = [...pointers.keys()].sort();
    const wanted = digests.map((digest) => Buffer.from(digest, 'hex'));
    await sql.rows(DELETE_OTHER_IDENTIFIERS, [id, wanted]);
    if (wanted.length === 0) return;
    const claimed = await sql.rows<{ digest: Buffer }>(CLAIM_IDENTIFIERS, [schemaId, id, wanted]);
    const own = new Set(claimed.map(({ digest }) => digest.toString('hex')));
    const taken = digests.filter((digest) => !own.has(digest));
    if (taken.length === 0) return;
    throw new TraitsRefusedError(
      taken.map((digest) => fieldError(pointers.get(digest) as string, 'identifier.taken')),
    );
  }

  private async record(
    sql: SqlExecutor,
    identity: Identity,
    type: IdentityEventType,
  ): Promise<WrittenIdentity> {
    const event = identityEvent(type, identity);
    await sql.rows(INSERT_EVENT, [
      event.id,
      event.type,
      event.identityId,
      JSON.stringify(event.payload),
      event.createdAt,
    ]);
    return { identity, event };
  }
}
