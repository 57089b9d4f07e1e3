/**
 * The pages that people see: `/sign-up`, `/flows/{id}` and its thank-you page. Native Fastify
 * routes, because forms arrive in media types that the JSON API does not read.
 */
import { InputReader } from '@gatehouse/kit/input';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';
import { FORM_BODY_BYTES_MAX, useFormParsers, useMultipart } from '../decoding/form-body.js';
import { namingBodyLimit } from '../http/body-limit.js';
import { flowErrors } from '../pages/page-errors.js';
import { SchemaCatalogue } from '../schemas/schema-catalogue.js';
import { FlowAddress } from './flow-address.js';
import { FlowEntry, type FlowRequest } from './flow-entry.js';
import { FlowPages } from './flow-pages.js';
import { FlowSubmission } from './flow-submission.js';
import { OpenFlows } from './open-flows.js';

@Injectable()
export class FlowRoutes implements NativeRoutes {
  constructor(
    private readonly entry: FlowEntry,
    private readonly openFlows: OpenFlows,
    private readonly pages: FlowPages,
    private readonly submission: FlowSubmission,
    private readonly address: FlowAddress,
    private readonly catalogue: SchemaCatalogue,
    private readonly config: IdentityFormsConfig,
    private readonly errors: ErrorFilter,
  ) {}

  async register(scope: FastifyInstance): Promise<void> {
    useFormParsers(scope);
    await useMultipart(scope);
    const refine = namingBodyLimit(FORM_BODY_BYTES_MAX);
    const protocol = flowErrors((request) => this.entry.frameOf(request), refine);
    scope.setErrorHandler((error, request, reply) => {
      this.errors.send(error, request, reply, protocol);
    });
    scope.route({
      method: 'GET',
      url: '/sign-up',
      handler: (request, reply) => this.signUp(request, reply),
    });
    scope.route({
      method: 'GET',
      url: '/flows/:id',
      handler: (request, reply) => this.pages.show(request as FlowRequest, reply),
    });
    scope.route({
      method: 'POST',
      url: '/flows/:id',
      handler: (request, reply) => this.submission.submit(request as FlowRequest, reply),
    });
    scope.route({
      method: 'GET',
      url: '/flows/:id/done',
      handler: (request, reply) => this.pages.done(request as FlowRequest, reply),
    });
  }

  /** Starts a sign-up with a public schema. Other schemas are 404, like missing ones. */
  private async signUp(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = InputReader.ofQuery(request.query as object);
    const id = query.string('schema') ?? '';
    const given = query.string('return_to');
    query.throwIfInvalid();
    const schema = await this.catalogue.getPublic(id);
    const secret = await this.openFlows.startPublic(schema, {
      ttlSeconds: this.config.flowTtlSeconds,
      returnTo: given === undefined ? undefined : this.address.checkReturnTo(given),
    });
    return reply
      .code(303)
      .header('location', this.address.pathOf(secret))
      .header('cache-control', 'no-store')
      .send();
  }
}
