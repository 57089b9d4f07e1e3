import { fieldError, type IdentifierValue } from '@gatehouse/form-decoder';
import {
  type IdentityEventPayload,
  IdentityEvents,
  type LoggedIdentityData,
} from '@gatehouse/schemas';
import { DomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { FormsErrors } from '../errors.js';
import { IdentityEventLog } from '../events/identity-event-log.js';
import { identifierDigest } from './identifier-digest.js';
import { changedFields } from './changed-fields.js';
import {
  CLAIM_IDENTIFIERS,
  DELETE_IDENTITY,
  DELETE_OTHER_IDENTIFIERS,
  FIND_HOLDER,
  FIND_IDENTITY,
  INSERT_IDENTITY,
  LIST_IDENTIFIED,
  LIST_IDENTITIES,
  LIST_IDENTITIES_OF_SCHEMA,
  LOCK_IDENTITY,
  SEARCH_IDENTITIES,
  UPDATE_IDENTITY,
} from './identity.sql.js';
import { type Identity, type WrittenIdentity } from './identity.types.js';
import { IdentifierTakenError, type ValidatedTraits } from './validated-traits.js';

/** Identities, their identifiers and their events. Writes run in the transaction of the caller. */
@Injectable()
export class IdentitiesRepository {
  constructor(
    private readonly sql: Sql,
    private readonly log: IdentityEventLog,
  ) {}

  async find(id: string): Promise<Identity | undefined> {
    const [row] = await this.sql.rows<Identity>(FIND_IDENTITY, [id]);
    return row;
  }

  /** Newest first. */
  page(
    { schemaId, digests }: { schemaId?: string; digests?: readonly Buffer[] },
    beforeId: string | undefined,
    limit: number,
  ): Promise<Identity[]> {
    const values = [beforeId ?? null, limit];
    if (digests) return this.sql.rows(LIST_IDENTIFIED, [schemaId ?? null, ...values, digests]);
    if (schemaId === undefined) return this.sql.rows(LIST_IDENTITIES, values);
    return this.sql.rows(LIST_IDENTITIES_OF_SCHEMA, [schemaId, ...values]);
  }

  /** Identities with this id or one of the identifiers, newest first. */
  search(id: string | null, digests: readonly Buffer[], limit: number): Promise<Identity[]> {
    return this.sql.rows(SEARCH_IDENTITIES, [id, digests, limit]);
  }

  /** Locks an identity until the transaction ends. @returns its `updatedAt` */
  async lock(sql: SqlExecutor, id: string): Promise<Date | undefined> {
    const [row] = await sql.rows<Pick<Identity, 'updatedAt'>>(LOCK_IDENTITY, [id]);
    return row?.updatedAt;
  }

  /** @throws IdentifierTakenError; DomainError `already_exists` if an identity has the id */
  async create(
    sql: SqlExecutor,
    validated: ValidatedTraits,
    { id = uuidv7(), flowId }: { id?: string; flowId?: string } = {},
  ): Promise<Required<WrittenIdentity>> {
    const { schemaId, schemaVersion, traits, identifiers } = validated;
    const now = new Date();
    const identity = { id, schemaId, schemaVersion, traits, createdAt: now, updatedAt: now };
    const inserted = await sql.rows(INSERT_IDENTITY, [
      id,
      schemaId,
      schemaVersion,
      JSON.stringify(traits),
      now,
      now,
    ]);
    if (inserted.length === 0) throw new DomainError(FormsErrors.IDENTITY_EXISTS);
    await this.claim(sql, identity, identifiers);
    const data = dataOf(identity, flowId);
    return { identity, event: await this.log.write(sql, IdentityEvents.created, data, now) };
  }

  /**
   * Writes nothing, and no event, if the traits and their schema are those of before.
   *
   * @param known as it was read; locked in this transaction and unchanged since
   * @throws IdentifierTakenError
   */
  async update(
    sql: SqlExecutor,
    known: Identity,
    { schemaVersion, traits, identifiers }: ValidatedTraits,
    flowId?: string,
  ): Promise<WrittenIdentity> {
    // Never the same time twice, even for two changes within one millisecond.
    const updatedAt = new Date(Math.max(Date.now(), known.updatedAt.getTime() + 1));
    const identity = { ...known, schemaVersion, traits, updatedAt };
    const fields = changedFields(known, identity);
    if (fields.length === 0) return { identity: known };
    await sql.rows(UPDATE_IDENTITY, [known.id, schemaVersion, JSON.stringify(traits), updatedAt]);
    await this.claim(sql, identity, identifiers);
    const data = { ...dataOf(identity, flowId), fields };
    const event = await this.log.write(sql, IdentityEvents.updated, data, updatedAt);
    return { identity, event };
  }

  /** Records that somebody signed up again with an identifier of an identity. */
  async recordRepeated(
    sql: SqlExecutor,
    held: EventSubject,
    flowId: string,
  ): Promise<IdentityEventPayload> {
    return this.log.write(sql, IdentityEvents.signUpRepeated, dataOf(held, flowId), new Date());
  }

  /** @returns undefined if it did not exist */
  async delete(sql: SqlExecutor, id: string): Promise<IdentityEventPayload | undefined> {
    const [deleted] = await sql.rows<EventSubject>(DELETE_IDENTITY, [id]);
    return deleted && this.log.write(sql, IdentityEvents.deleted, dataOf(deleted), new Date());
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
      const digest = identifierDigest(value).toString('hex');
      if (!pointers.has(digest)) pointers.set(digest, pointer);
    }
    const digests = [...pointers.keys()].sort();
    const wanted = digests.map((digest) => Buffer.from(digest, 'hex'));
    await sql.rows(DELETE_OTHER_IDENTIFIERS, [id, wanted]);
    if (wanted.length === 0) return;
    const claimed = await sql.rows<{ digest: Buffer }>(CLAIM_IDENTIFIERS, [schemaId, id, wanted]);
    const own = new Set(claimed.map(({ digest }) => digest.toString('hex')));
    // One at a time, in the order of the schema: a sender learns no more than needed.
    const taken = [...pointers].find(([digest]) => !own.has(digest));
    if (!taken) return;
    const [digest, pointer] = taken;
    const [holder] = await sql.rows<{ id: string }>(FIND_HOLDER, [
      schemaId,
      Buffer.from(digest, 'hex'),
    ]);
    throw new IdentifierTakenError(fieldError(pointer, 'identifier.taken'), holder?.id);
  }
}

type EventSubject = Pick<Identity, 'id' | 'schemaId' | 'schemaVersion'>;

/** @param flowId the flow whose submission caused the event */
function dataOf(
  { id, schemaId, schemaVersion }: EventSubject,
  flowId?: string,
): LoggedIdentityData {
  return {
    identity_id: id,
    schema_id: schemaId,
    schema_version: schemaVersion,
    ...(flowId !== undefined && { flow_id: flowId }),
  };
}
