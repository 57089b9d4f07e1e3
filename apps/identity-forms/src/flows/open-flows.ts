import { addressDigest, newAddressSecret } from '@gatehouse/pages';
import { randomBytes } from 'node:crypto';
import { adminEventOf, AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { Sql } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { FormsErrors } from '../errors.js';
import { isUuid } from '../http/uuid.js';
import { IdentitiesService } from '../identities/identities.service.js';
import { type CompiledSchema, SchemaCatalog } from '../schemas/schema-catalog.js';
import { type Flow, type FlowKind } from './flow.types.js';
import { FlowsRepository } from './flows.repository.js';
import { SealedSignUps } from './sealed-sign-ups.js';

export interface StartOptions {
  ttlSeconds: number;
  returnTo?: string;
  isBound?: boolean;
}

export interface StartedFlow {
  id: string;
  /** Opens the form; part of its address. */
  secret: string;
  expiresAt: Date;
}

/** Starts flows and finds them again. */
@Injectable()
export class OpenFlows {
  constructor(
    private readonly flows: FlowsRepository,
    private readonly identities: IdentitiesService,
    private readonly catalog: SchemaCatalog,
    private readonly sealed: SealedSignUps,
    private readonly sql: Sql,
    private readonly audit: AuditEvents,
  ) {}

  async startSignUp(
    schema: CompiledSchema,
    options: StartOptions,
    call: CallContext,
  ): Promise<StartedFlow> {
    return this.start('sign-up', { ...options, schema }, call);
  }

  /** A public sign-up, of which nothing is stored. @returns the secret of its address */
  startPublic({ id, version }: CompiledSchema, options: StartOptions): Promise<string> {
    const { ttlSeconds, returnTo } = options;
    return this.sealed.create({ schemaId: id, schemaVersion: version, returnTo, ttlSeconds });
  }

  /** @throws DomainError `not_found` when there is no such identity */
  async startProfile(
    identityId: string,
    options: StartOptions,
    call: CallContext,
  ): Promise<StartedFlow> {
    const identity = await this.identities.get(identityId);
    const schema = await this.catalog.get(identity.schemaId, identity.schemaVersion);
    return this.start('profile', { ...options, schema, identityId: identity.id }, call);
  }

  /** A flow by the secret of its address, in any state. */
  async find(secret: string): Promise<Flow | undefined> {
    const digest = addressDigest(secret);
    if (digest) return this.flows.find(digest);
    const flow = await this.sealed.open(secret);
    return flow && ((await this.flows.find(flow.idDigest)) ?? flow);
  }

  /** A flow that was used, for its thank-you page. @throws DomainError `not_found` */
  async findUsed(secret: string): Promise<Flow> {
    const flow = await this.find(secret);
    if (!flow?.usedAt) throw new DomainError(FormsErrors.FLOW_NOT_FOUND);
    return flow;
  }

  /** A flow by its public name, in any state. @throws DomainError `not_found` */
  async get(id: string): Promise<Flow> {
    const flow = isUuid(id) ? await this.flows.findById(id) : undefined;
    if (!flow) throw new DomainError(FormsErrors.FLOW_NOT_FOUND);
    return flow;
  }

  private async start(
    kind: FlowKind,
    options: StartOptions & { schema: CompiledSchema; identityId?: string },
    call: CallContext,
  ): Promise<StartedFlow> {
    const id = uuidv7();
    const secret = newAddressSecret();
    const now = Date.now();
    const expiresAt = new Date(now + options.ttlSeconds * 1000);
    const flow = {
      id,
      idDigest: addressDigest(secret) as Buffer,
      kind,
      schemaId: options.schema.id,
      schemaVersion: options.schema.version,
      identityId: options.identityId ?? null,
      returnTo: options.returnTo ?? null,
      csrfKey: randomBytes(32),
      createdAt: new Date(now),
      expiresAt,
      isBound: options.isBound ?? false,
    };
    const { schemaId, identityId } = flow;
    const details = { kind, schema_id: schemaId, ...(identityId && { identity_id: identityId }) };
    await this.sql.transaction(async (sql) => {
      await this.flows.insert(sql, flow);
      const change = { type: 'flow.created', targetId: id, ownerId: schemaId, details };
      await this.audit.insert([adminEventOf(change, call)], sql);
    });
    return { id, secret, expiresAt };
  }
}
