import { type JsonObject, type Language, overlay } from '@gatehouse/form-decoder';
import { Injectable } from '@nestjs/common';
import { type Page, PageTokens } from '../paging/page-tokens.js';
import { type CompiledSchema, SchemaCatalogue } from '../schemas/schema-catalogue.js';
import { IdentitiesRepository } from './identities.repository.js';
import { IdentityWriter, refuseExcess, TraitsRefusedError } from './identity-writer.js';
import { isUuid } from './identity.dto.js';
import { type Identity } from './identity.entity.js';
import { identityNotFound } from './identity.errors.js';
import { changeFaults } from './trait-changes.js';

interface TraitChange {
  traits: JsonObject;
  schemaVersion?: number;
}

@Injectable()
export class IdentitiesService {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly writer: IdentityWriter,
    private readonly catalogue: SchemaCatalogue,
    private readonly pageTokens: PageTokens,
  ) {}

  async get(id: string): Promise<Identity> {
    const identity = isUuid(id) ? await this.identities.find(id) : null;
    if (!identity) throw identityNotFound();
    return identity;
  }

  list(request: {
    schemaId: string | undefined;
    pageSize: number;
    pageToken: string;
  }): Promise<Page<Identity>> {
    const filter = { schemaId: request.schemaId };
    return this.pageTokens.page(`identities:${request.schemaId ?? ''}`, request, {
      fetch: (cursor, limit) => this.identities.page(filter, cursor, limit),
      cursorOf: ({ id }) => id,
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
      // Read before the transaction: loading a schema there would need a second connection.
      const known = await this.get(id);
      const version = change.schemaVersion ?? known.schemaVersion;
      const schema = await this.catalogue.get(known.schemaId, version);
      try {
        const patched = await this.patchBy(schema, known, change);
        if (patched) return patched;
      } catch (error) {
        if (!(error instanceof TraitsRefusedError)) throw error;
        throw new TraitsRefusedError(schema.plan.localize(error.errors, language));
      }
    }
  }

  async delete(id: string): Promise<void> {
    if (!isUuid(id) || !(await this.identities.delete(id))) throw identityNotFound();
  }

  /** @returns undefined when the identity was moved to another version meanwhile */
  private async patchBy(
    schema: CompiledSchema,
    known: Identity,
    change: TraitChange,
  ): Promise<Identity | undefined> {
    refuseExcess(schema, { traits: change.traits });
    const faults = changeFaults(change.traits);
    if (faults.length > 0) throw new TraitsRefusedError(faults);
    return this.writer.transaction(async (manager) => {
      const identity = await this.identities.lock(manager, known.id);
      if (!identity) throw identityNotFound();
      const isMoved = identity.schemaVersion !== known.schemaVersion;
      if (isMoved && change.schemaVersion === undefined) return undefined;
      const stored = { traits: identity.traits } as JsonObject;
      const value = overlay(stored, { traits: change.traits }, { nullRemoves: true });
      return this.writer.update(manager, identity, schema, value);
    });
  }
}
