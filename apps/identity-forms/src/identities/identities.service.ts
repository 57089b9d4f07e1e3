import { type JsonObject, type Language, overlay } from '@gatehouse/form-decoder';
import {
  DomainError,
  EventPublisher,
  type Page,
  type PageRequest,
  PageTokens,
  Sql,
  type SqlExecutor,
} from '@gatehouse/service-kit';
import { Injectable } from '@nestjs/common';
import { FormsErrors } from '../errors.js';
import { type CompiledSchema, SchemaCatalogue } from '../schemas/schema-catalogue.js';
import { IdentitiesRepository } from './identities.repository.js';
import { isUuid } from './identity.dto.js';
import { type Identity } from './identity.types.js';
import { changeFaults } from './trait-changes.js';
import { refuseExcess, TraitsRefusedError, ValidatedTraits } from './validated-traits.js';

interface TraitChange {
  traits: JsonObject;
  schemaVersion?: number;
}

@Injectable()
export class IdentitiesService {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly catalogue: SchemaCatalogue,
    private readonly pageTokens: PageTokens,
    private readonly sql: Sql,
    private readonly events: EventPublisher,
  ) {}

  async get(id: string): Promise<Identity> {
    const identity = isUuid(id) ? await this.identities.find(id) : undefined;
    if (!identity) throw new DomainError(FormsErrors.IDENTITY_NOT_FOUND);
    return identity;
  }

  list(schemaId: string | undefined, request: PageRequest): Promise<Page<Identity>> {
    return this.pageTokens.page(`identities:${schemaId ?? ''}`, request, {
      fetch: (after, limit) => this.identities.page(schemaId, after?.[0], limit),
      positionOf: ({ id }) => [id],
    });
  }

  /**
   * Merges `traits` into the stored ones (null removes) and validates the result by the identity's
   * own version of the schema, or by the version that it is moved to.
   *
   * @param language of the messages
   * @throws DomainError `not_found`, and for more than a form may hold; TraitsRefusedError
   */
  async patch(id: string, change: TraitChange, language: Language): Promise<Identity> {
    for (;;) {
      const known = await this.get(id);
      const version = change.schemaVersion ?? known.schemaVersion;
      const schema = await this.catalogue.get(known.schemaId, version);
      try {
        const patched = await this.update(known, merged(schema, known, change.traits));
        if (patched) return patched;
      } catch (error) {
        if (!(error instanceof TraitsRefusedError)) throw error;
        throw new TraitsRefusedError(schema.plan.localize(error.errors, language));
      }
    }
  }

  async delete(id: string): Promise<void> {
    if (!isUuid(id) || !(await this.identities.delete(id))) {
      throw new DomainError(FormsErrors.IDENTITY_NOT_FOUND);
    }
  }

  /**
   * Locks an identity that was read before the transaction.
   * @returns false when it has changed since
   * @throws DomainError `not_found` when it was deleted
   */
  async lockUnchanged(sql: SqlExecutor, known: Identity): Promise<boolean> {
    const updatedAt = await this.identities.lock(sql, known.id);
    if (!updatedAt) throw new DomainError(FormsErrors.IDENTITY_NOT_FOUND);
    return updatedAt.getTime() === known.updatedAt.getTime();
  }

  /** @returns undefined when the identity has changed since it was read */
  private async update(known: Identity, traits: ValidatedTraits): Promise<Identity | undefined> {
    const written = await this.sql.transaction(async (sql) =>
      (await this.lockUnchanged(sql, known))
        ? this.identities.update(sql, known, traits)
        : undefined,
    );
    if (!written) return undefined;
    this.events.publish(written.event.type, written.event.payload);
    return written.identity;
  }
}

function merged(schema: CompiledSchema, known: Identity, traits: JsonObject): ValidatedTraits {
  refuseExcess(schema, { traits });
  const faults = changeFaults(traits);
  if (faults.length > 0) throw new TraitsRefusedError(faults);
  const stored = { traits: known.traits } as JsonObject;
  return ValidatedTraits.of(schema, overlay(stored, { traits }, { nullRemoves: true }));
}
