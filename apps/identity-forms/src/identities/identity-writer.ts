/**
 * The one way to write an identity: traits validated, identifiers claimed, event recorded, all in
 * one transaction; the event is published once it is committed.
 */
import { createHash } from 'node:crypto';
import { type FieldError, fieldError, type JsonObject } from '@gatehouse/form-decoder';
import { IdentityEvents } from '@gatehouse/schemas';
import { EventPublisher, uuidv7 } from '@gatehouse/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { refuseLimits } from '../http/form-errors.js';
import { InvalidValuesError } from '../http/problem.js';
import { type CompiledSchema } from '../schemas/schema-catalogue.js';
import { IdentitiesRepository } from './identities.repository.js';
import { type IdentityEvent } from './identity-event.entity.js';
import { Identity } from './identity.entity.js';

export type IdentityEventType = (typeof IdentityEvents)[keyof typeof IdentityEvents];

export interface WrittenIdentity {
  identity: Identity;
  event: IdentityEvent;
}

/** Traits that were refused on writing; `errors` name the fields. */
export class TraitsRefusedError extends InvalidValuesError {
  constructor(override readonly errors: readonly FieldError[]) {
    super('TRAITS_REFUSED', 'The traits do not fit the schema.', errors);
  }
}

/**
 * What is kept may be no larger than what a form may send, however it came.
 * @throws DomainError naming the limit
 */
export function refuseExcess({ plan }: CompiledSchema, value: JsonObject): void {
  const excess = plan.excess(value);
  if (excess) refuseLimits([excess]);
}

/** PostgreSQL: serialisation failure, deadlock. Both say: the same once more may well succeed. */
const TRY_AGAIN = /^40(001|P01)$/;
const TRIES_MAX = 3;

@Injectable()
export class IdentityWriter {
  constructor(
    private readonly dataSource: DataSource,
    private readonly identities: IdentitiesRepository,
    private readonly events: EventPublisher,
  ) {}

  /**
   * Runs `work` in a transaction and publishes the event of what it wrote after the commit.
   * `work` may run again after a deadlock, so it must do nothing outside the transaction; it may
   * write nothing and return undefined.
   */
  async transaction<Written extends WrittenIdentity | undefined>(
    work: (manager: EntityManager) => Promise<Written>,
  ): Promise<Identity | (Written extends undefined ? undefined : never)> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const written = await this.dataSource.transaction(work);
        if (written === undefined) return undefined as never;
        this.events.publish(written.event.type, written.event.payload);
        return written.identity;
      } catch (error) {
        const code = (error as { driverError?: { code?: unknown } }).driverError?.code;
        if (attempt >= TRIES_MAX || typeof code !== 'string' || !TRY_AGAIN.test(code)) throw error;
      }
    }
  }

  /** @throws TraitsRefusedError, DomainError for more than a form may hold */
  async create(
    manager: EntityManager,
    schema: CompiledSchema,
    value: JsonObject,
  ): Promise<WrittenIdentity> {
    const traits = this.checked(schema, value);
    const now = new Date();
    const identity: Identity = {
      id: uuidv7(),
      schemaId: schema.id,
      schemaVersion: schema.version,
      traits,
      createdAt: now,
      updatedAt: now,
    };
    await this.identities.insert(manager, identity);
    await this.claimIdentifiers(manager, identity, schema, value);
    return { identity, event: await this.record(manager, identity, IdentityEvents.created) };
  }

  /** @param identity as it was read under lock in this transaction. @throws TraitsRefusedError */
  async update(
    manager: EntityManager,
    identity: Identity,
    schema: CompiledSchema,
    value: JsonObject,
  ): Promise<WrittenIdentity> {
    const traits = this.checked(schema, value);
    const updated: Identity = {
      ...identity,
      traits,
      schemaVersion: schema.version,
      updatedAt: new Date(),
    };
    await this.identities.update(manager, updated);
    await this.claimIdentifiers(manager, updated, schema, value);
    return {
      identity: updated,
      event: await this.record(manager, updated, IdentityEvents.updated),
    };
  }

  private checked(schema: CompiledSchema, value: JsonObject): Record<string, unknown> {
    refuseExcess(schema, value);
    const errors = schema.plan.validate(value);
    if (errors.length > 0) throw new TraitsRefusedError(errors);
    return value.traits as JsonObject;
  }

  private async claimIdentifiers(
    manager: EntityManager,
    identity: Identity,
    { plan }: CompiledSchema,
    value: JsonObject,
  ): Promise<void> {
    const pointers = new Map<string, string>();
    for (const identifier of plan.identifiersOf(value)) {
      const digest = createHash('sha256').update(identifier.value).digest('hex');
      if (!pointers.has(digest)) pointers.set(digest, identifier.pointer);
    }
    const digests = [...pointers.keys()].map((digest) => Buffer.from(digest, 'hex'));
    const taken = await this.identities.claimIdentifiers(manager, identity, digests);
    if (taken.length === 0) return;
    throw new TraitsRefusedError(
      taken.map((digest) =>
        fieldError(pointers.get(digest.toString('hex')) as string, 'identifier.taken'),
      ),
    );
  }

  private async record(
    manager: EntityManager,
    identity: Identity,
    type: IdentityEventType,
  ): Promise<IdentityEvent> {
    const id = uuidv7();
    const event: IdentityEvent = {
      id,
      type,
      identityId: identity.id,
      // Who and what, not the traits: whoever may read them asks for the identity.
      payload: {
        event_id: id,
        type,
        identity_id: identity.id,
        schema_id: identity.schemaId,
        schema_version: identity.schemaVersion,
        occurred_at: identity.updatedAt.toISOString(),
      },
      createdAt: identity.updatedAt,
    };
    await this.identities.insertEvent(manager, event);
    return event;
  }
}
