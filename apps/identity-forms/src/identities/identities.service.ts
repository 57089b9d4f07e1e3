import { identifierKeys, type JsonObject, type Language, overlay } from '@gatehouse/form-decoder';
import { type OwnedAdminEvent, adminEventOf, AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { invalidField } from '@gatehouse/kit/input';
import { type Page, type PageRequest, PageTokens } from '@gatehouse/kit/paging';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { FormsErrors } from '../errors.js';
import { IdentityEventLog } from '../events/identity-event-log.js';
import { isUuid } from '../http/uuid.js';
import { type CompiledSchema, SchemaCatalog } from '../schemas/schema-catalog.js';
import { IdentitiesRepository } from './identities.repository.js';
import { identifierDigest } from './identifier-digest.js';
import { type IdentityFilter, type NewIdentity } from './identity.dto.js';
import { type Identity } from './identity.types.js';
import { refuseExcess, TraitsRefusedError, ValidatedTraits } from './validated-traits.js';

const AUDITED_NAMES_MAX = 100;
const AUDITED_NAME_CHARACTERS_MAX = 128;

interface TraitChange {
  traits: JsonObject;
  schemaVersion?: number;
}

@Injectable()
export class IdentitiesService {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly catalog: SchemaCatalog,
    private readonly pageTokens: PageTokens,
    private readonly sql: Sql,
    private readonly log: IdentityEventLog,
    private readonly audit: AuditEvents,
  ) {}

  async get(id: string): Promise<Identity> {
    const identity = isUuid(id) ? await this.identities.find(id) : undefined;
    if (!identity) throw new DomainError(FormsErrors.IDENTITY_NOT_FOUND);
    return identity;
  }

  /** The identity without traits that its schema calls secret: `writeOnly`, and passwords. */
  async withoutSecrets(identity: Identity): Promise<Identity> {
    const { plan } = await this.catalog.get(identity.schemaId, identity.schemaVersion);
    const { traits } = plan.withoutSecrets({ traits: identity.traits as JsonObject });
    return { ...identity, traits: traits as Identity['traits'] };
  }

  /** @throws DomainError `invalid_argument` for a trait that is no identifier; `not_found` */
  async list(filter: IdentityFilter, request: PageRequest): Promise<Page<Identity>> {
    const { schemaId, identifier, trait } = filter;
    if (schemaId !== undefined && trait) await this.requireIdentifier(schemaId, trait.path);
    const text = trait?.value ?? identifier;
    const digests = text === undefined ? undefined : identifierKeys(text).map(identifierDigest);
    const scope = ['identities', schemaId, trait?.path, text].map((each) => each ?? '').join(':');
    return this.pageTokens.page(scope, request, {
      fetch: async (after, limit) => {
        const found = await this.identities.page({ schemaId, digests }, after?.[0], limit);
        return trait ? this.withIdentifier(found, trait) : found;
      },
      positionOf: ({ id }) => [id],
    });
  }

  /**
   * Creates an identity with any of its traits, also those that no form may set.
   *
   * @param language of the messages
   * @throws DomainError `not_found`, `already_exists` for an id that is taken, and for more than a form may
   *   hold; TraitsRefusedError
   */
  async create(
    { id, schemaId, schemaVersion, traits }: NewIdentity,
    language: Language,
    call: CallContext,
  ): Promise<Identity> {
    const schema = await this.catalog.get(schemaId, schemaVersion);
    return localizing(schema, language, async () => {
      const validated = merged(schema, { traits: {} }, traits, { nullRemoves: false });
      const details = { fields: fieldsOf({ traits }) };
      const written = await this.sql.transaction(async (sql) => {
        const created = await this.identities.create(sql, validated, { id });
        const { id: targetId } = created.identity;
        const change = { type: 'identity.created', targetId, ownerId: schemaId, details };
        await this.audit.insert([adminEventOf(change, call)], sql);
        return created;
      });
      this.log.announce(written.event);
      return written.identity;
    });
  }

  /**
   * Merges `traits` into the stored ones (null removes) and validates the result by the identity's
   * own version of the schema, or by the version that it is moved to.
   *
   * @param language of the messages
   * @throws DomainError `not_found`, and for more than a form may hold; TraitsRefusedError
   */
  async patch(
    id: string,
    change: TraitChange,
    language: Language,
    call: CallContext,
  ): Promise<Identity> {
    const details = { fields: fieldsOf(change) };
    const event = adminEventOf({ type: 'identity.updated', targetId: id, details }, call);
    for (;;) {
      const known = await this.get(id);
      const version = change.schemaVersion ?? known.schemaVersion;
      const schema = await this.catalog.get(known.schemaId, version);
      const patched = await localizing(schema, language, async () =>
        this.update(known, merged(schema, known, change.traits), {
          ...event,
          owner_id: known.schemaId,
        }),
      );
      if (patched) return patched;
    }
  }

  async delete(id: string, call: CallContext): Promise<void> {
    if (!isUuid(id)) throw new DomainError(FormsErrors.IDENTITY_NOT_FOUND);
    const event = await this.sql.transaction(async (sql) => {
      const deleted = await this.identities.delete(sql, id);
      if (!deleted) throw new DomainError(FormsErrors.IDENTITY_NOT_FOUND);
      const change = { type: 'identity.deleted', targetId: id, ownerId: deleted.schema_id };
      await this.audit.insert([adminEventOf(change, call)], sql);
      return deleted;
    });
    this.log.announce(event);
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

  private async requireIdentifier(schemaId: string, path: string): Promise<void> {
    const { plan } = await this.catalog.get(schemaId);
    const names = plan.identifiers.map(({ name }) => name.replace(/^traits\./, ''));
    if (names.includes(path)) return;
    const known = names.length > 0 ? `only by ${names.join(', ')}` : 'by none of its traits';
    throw invalidField(`trait.${path}`, `is not an identifier: this schema is searched ${known}`);
  }

  /** Identities with an identifier in this very property; other properties share the index. */
  private async withIdentifier(
    identities: readonly Identity[],
    { path, value }: NonNullable<IdentityFilter['trait']>,
  ): Promise<Identity[]> {
    const keys = identifierKeys(value);
    const kept: Identity[] = [];
    for (const identity of identities) {
      const { plan } = await this.catalog.get(identity.schemaId, identity.schemaVersion);
      const held = plan.identifiersOf({ traits: identity.traits } as JsonObject);
      const isHeld = held.some(
        (each) => each.property === `traits.${path}` && keys.includes(each.value),
      );
      if (isHeld) kept.push(identity);
    }
    return kept;
  }

  /** @returns undefined when the identity has changed since it was read */
  private async update(
    known: Identity,
    traits: ValidatedTraits,
    event: OwnedAdminEvent,
  ): Promise<Identity | undefined> {
    const written = await this.sql.transaction(async (sql) => {
      if (!(await this.lockUnchanged(sql, known))) return undefined;
      await this.audit.insert([event], sql);
      return this.identities.update(sql, known, traits);
    });
    if (!written) return undefined;
    if (written.event) this.log.announce(written.event);
    return written.identity;
  }
}

/** The names of the members that were sent, for audit events. */
function fieldsOf({ traits, schemaVersion }: TraitChange): string[] {
  const names = Object.keys(traits).slice(0, AUDITED_NAMES_MAX);
  const paths = names.map((name) => `traits.${name.slice(0, AUDITED_NAME_CHARACTERS_MAX)}`);
  return schemaVersion === undefined ? paths : [...paths, 'schema_version'];
}

/** Runs `work`; the errors of refused traits are in the given language. */
async function localizing<T>(
  { plan }: CompiledSchema,
  language: Language,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TraitsRefusedError)) throw error;
    throw new TraitsRefusedError(plan.localize(error.errors, language));
  }
}

function merged(
  schema: CompiledSchema,
  known: Pick<Identity, 'traits'>,
  traits: JsonObject,
  options = { nullRemoves: true },
): ValidatedTraits {
  refuseExcess(schema, { traits });
  const taken = schema.plan.takeJson({ traits });
  if (taken.faults.length > 0) throw new TraitsRefusedError(taken.faults);
  const stored = { traits: known.traits } as JsonObject;
  return ValidatedTraits.of(schema, overlay(stored, taken.value, options));
}
