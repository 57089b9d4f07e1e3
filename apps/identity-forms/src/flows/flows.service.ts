import { randomBytes } from 'node:crypto';
import {
  type Decoded,
  type FieldError,
  type JsonObject,
  type JsonValue,
} from '@gatehouse/form-decoder';
import { type DomainError } from '@gatehouse/service-kit';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { DEFAULT_DECODE_OPTIONS } from '../decoding/decode-options.js';
import { DecodingService } from '../decoding/decoding.service.js';
import { type FormBody } from '../decoding/form-body.js';
import { InvalidValuesError } from '../http/problem.js';
import { IdentitiesRepository } from '../identities/identities.repository.js';
import { IdentitiesService } from '../identities/identities.service.js';
import { IdentityWriter, TraitsRefusedError } from '../identities/identity-writer.js';
import { type Identity } from '../identities/identity.entity.js';
import { identityNotFound } from '../identities/identity.errors.js';
import { type CompiledSchema, SchemaCatalogue } from '../schemas/schema-catalogue.js';
import { type Flow, type FlowKind } from './flow.entity.js';
import { flowExpired, flowNotFound, flowUsed } from './flow.errors.js';
import { flowIdDigest, newFlowId } from './flow-ids.js';
import { FlowsRepository } from './flows.repository.js';
import { withoutBlankRows } from './row-actions.js';

export interface StartedFlow {
  id: string;
  expiresAt: Date;
}

/**
 * A submission that does not fit: what is wrong, and the value to show again. A program is told what
 * it sent, without what a form never shows.
 */
export class SubmissionRefusedError extends InvalidValuesError {
  constructor(
    override readonly errors: readonly FieldError[],
    readonly value: JsonObject,
    sent: { value: JsonObject; ignored: string[] },
  ) {
    super('FORM_REFUSED', 'Some values do not fit the schema.', errors, {
      traits: sent.value.traits as JsonValue,
      ignored: sent.ignored,
    });
  }
}

@Injectable()
export class FlowsService {
  constructor(
    private readonly flows: FlowsRepository,
    private readonly identities: IdentitiesService,
    private readonly identityRows: IdentitiesRepository,
    private readonly writer: IdentityWriter,
    private readonly decoding: DecodingService,
    private readonly catalogue: SchemaCatalogue,
  ) {}

  async startSignUp(
    schema: CompiledSchema,
    options: { ttlSeconds: number; returnTo?: string },
  ): Promise<StartedFlow> {
    return this.start('sign-up', { ...options, schema });
  }

  /** @throws DomainError `not_found` when there is no such identity */
  async startProfile(
    identityId: string,
    options: { ttlSeconds: number; returnTo?: string },
  ): Promise<StartedFlow> {
    const identity = await this.identities.get(identityId);
    const schema = await this.catalogue.get(identity.schemaId, identity.schemaVersion);
    return this.start('profile', { ...options, schema, identityId: identity.id });
  }

  /** @throws DomainError `not_found`, or `gone` when it has expired or was used */
  async open(id: string): Promise<Flow> {
    const flow = await this.find(id);
    if (flow.usedAt) throw flowUsed();
    if (flow.expiresAt.getTime() <= Date.now()) throw flowExpired();
    return flow;
  }

  /** A flow that was used, for its thank-you page. @throws DomainError `not_found` */
  async findUsed(id: string): Promise<Flow> {
    const flow = await this.find(id);
    if (!flow.usedAt) throw flowNotFound();
    return flow;
  }

  /**
   * The value that a form begins with: nothing, or the stored traits of a profile.
   * @throws DomainError `not_found`; `gone` when the identity was moved to another version
   */
  async initialValue(flow: Flow): Promise<JsonObject | undefined> {
    if (flow.identityId === null) return undefined;
    const identity = await this.identities.get(flow.identityId);
    if (isMoved(flow, identity)) throw flowExpired();
    return traitsOf(identity);
  }

  /** What a form shows that was sent without being submitted, as a row button does. */
  async preview(flow: Flow, schema: CompiledSchema, body: FormBody): Promise<JsonObject> {
    const stored = await this.initialValue(flow);
    const decoded = this.read(flow, schema, body, stored);
    return stored ? schema.plan.replaceShown(stored, decoded.value) : decoded.value;
  }

  /**
   * Uses the flow: makes the identity, or replaces the traits that the form shows. All or nothing;
   * of two submissions at once exactly one gets through.
   *
   * @throws SubmissionRefusedError; DomainError `gone` when the flow was used meanwhile, or expired,
   *   or the identity was moved to another version of the schema
   */
  submit(flow: Flow, schema: CompiledSchema, body: FormBody): Promise<Identity> {
    const { plan } = schema;
    return this.writer.transaction(async (manager) => {
      // The identity first: deleting it takes it and then its flows, and both orders would deadlock.
      const identity =
        flow.identityId === null ? null : await this.identityRows.lock(manager, flow.identityId);
      if (flow.identityId !== null && !identity) throw identityNotFound();
      if (!(await this.flows.use(manager, flow.idDigest))) throw await this.ended(manager, flow);
      if (identity && isMoved(flow, identity)) throw flowExpired();
      const stored = identity ? traitsOf(identity) : undefined;
      const after = ({ value }: Decoded) => (stored ? plan.replaceShown(stored, value) : value);
      let decoded = this.read(flow, schema, body, stored);
      let value = after(decoded);
      let errors = plan.errors({ ...decoded, value });
      if (errors.length > 0 && 'entries' in body) {
        decoded = plan.withoutUntouched(decoded, errors);
        value = after(decoded);
        errors = plan.errors({ ...decoded, value });
      }
      const sent = { value: plan.withoutSecrets(decoded.value), ignored: decoded.ignored };
      if (errors.length > 0) throw new SubmissionRefusedError(errors, value, sent);
      try {
        return identity
          ? await this.writer.update(manager, identity, schema, value)
          : await this.writer.create(manager, schema, value);
      } catch (error) {
        if (!(error instanceof TraitsRefusedError)) throw error;
        throw new SubmissionRefusedError(error.errors, value, sent);
      }
    });
  }

  schemaOf(flow: Flow): CompiledSchema | Promise<CompiledSchema> {
    return this.catalogue.get(flow.schemaId, flow.schemaVersion);
  }

  private async start(
    kind: FlowKind,
    options: { schema: CompiledSchema; identityId?: string; ttlSeconds: number; returnTo?: string },
  ): Promise<StartedFlow> {
    const id = newFlowId();
    const now = Date.now();
    const expiresAt = new Date(now + options.ttlSeconds * 1000);
    await this.flows.insert({
      idDigest: flowIdDigest(id) as Buffer,
      kind,
      schemaId: options.schema.id,
      schemaVersion: options.schema.version,
      identityId: options.identityId ?? null,
      returnTo: options.returnTo ?? null,
      csrfKey: randomBytes(32),
      createdAt: new Date(now),
      expiresAt,
      usedAt: null,
    });
    return { id, expiresAt };
  }

  /** Why a flow that was open a moment ago cannot be used: only one that was used is saved. */
  private async ended(manager: EntityManager, { idDigest }: Flow): Promise<DomainError> {
    const flow = await this.flows.find(idDigest, manager);
    if (!flow) return flowNotFound();
    return flow.usedAt ? flowUsed() : flowExpired();
  }

  private async find(id: string): Promise<Flow> {
    const digest = flowIdDigest(id);
    const flow = digest && (await this.flows.find(digest));
    if (!flow) throw flowNotFound();
    return flow;
  }

  private read(flow: Flow, { plan }: CompiledSchema, body: FormBody, stored?: JsonObject) {
    // In a profile a blank answer clears what was there; in a sign-up there is nothing to clear.
    const emptyNullable = flow.kind === 'profile' ? 'null' : 'missing';
    const filled = 'entries' in body ? { entries: withoutBlankRows(body.entries) } : body;
    // What the form does not send stays, and decides with the rest which fields there are.
    const beneath = stored && plan.replaceShown(stored, {});
    return this.decoding.read(plan, filled, { ...DEFAULT_DECODE_OPTIONS, emptyNullable, beneath });
  }
}

/** Whether the fields of a profile flow are no longer those of its identity. */
function isMoved(flow: Flow, identity: Identity): boolean {
  return identity.schemaVersion !== flow.schemaVersion;
}

function traitsOf(identity: Identity): JsonObject {
  return { traits: identity.traits } as JsonObject;
}
