/**
 * The pages that people see: `/sign-up`, `/flows/{id}` and its thank-you page. Native Fastify
 * routes, because forms arrive in media types that the JSON API does not read.
 */
import { seeOther } from '@gatehouse/pages';
import { InputReader } from '@gatehouse/kit/input';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';
import { namingFormLimit, useFormParsers } from '../decoding/form-body.js';
import { flowErrors } from '../pages/page-errors.js';
import { SchemaCatalog } from '../schemas/schema-catalog.js';
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
    private readonly catalog: SchemaCatalog,
    private readonly config: IdentityFormsConfig,
    private readonly errors: ErrorFilter,
  ) {}

  register(scope: FastifyInstance): void {
    useFormParsers(scope);
    const protocol = flowErrors((request) => this.entry.frameOf(request), namingFormLimit);
    scope.setErrorHandler((error, request, reply) => {
      this.errors.send(error, request, reply, protocol);
    });
    scope.get('/sign-up', (request, reply) => this.signUp(request, reply));
    scope.get('/flows/:id', (request: FlowRequest, reply) => this.pages.show(request, reply));
    scope.post('/flows/:id', (request: FlowRequest, reply) =>
      this.submission.submit(request, reply),
    );
    scope.get('/flows/:id/done', (request: FlowRequest, reply) => this.pages.done(request, reply));
  }

  /** Starts a sign-up with a public schema. Other schemas are 404, like missing ones. */
  private async signUp(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = InputReader.ofQuery(request.query as object);
    const id = query.string('schema') ?? '';
    const given = query.string('return_to');
    query.throwIfInvalid();
    const schema = await this.catalog.getPublic(id);
    const secret = await this.openFlows.startPublic(schema, {
      ttlSeconds: this.config.flowTtlSeconds,
      returnTo: given === undefined ? undefined : this.address.checkReturnTo(given),
    });
    return seeOther(reply, this.address.pathOf(secret));
  }
}
