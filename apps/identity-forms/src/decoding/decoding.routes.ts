/**
 * `/v1/schemas/{id}/decode`, the hot path: native Fastify routes, nothing awaited that is at hand.
 */
import { type FormEntry, pickLanguage } from '@gatehouse/form-decoder';
import { AdminAuth, DomainError, LOGGER } from '@gatehouse/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { IdentityFormsConfig } from '../config.js';
import { logFault } from '../http/problem.filter.js';
import { sendProblem } from '../http/problem.js';
import { type CompiledSchema, SchemaCatalogue } from '../schemas/schema-catalogue.js';
import {
  DEFAULT_DECODE_OPTIONS,
  type DecodeRequestOptions,
  OPTION_NAMES,
  readDecodeOptions,
} from './decode-options.js';
import { DecodingService, type DecodeResult } from './decoding.service.js';
import { type FormBody, readFormBody, readQuery, useFormParsers } from './form-body.js';

const ALLOWED = ['GET', 'POST', 'PUT', 'PATCH'];
const JSON_UTF8 = 'application/json; charset=utf-8';

type DecodeRequest = FastifyRequest<{ Params: { id: string } }>;

@Injectable()
export class DecodingRoutes {
  constructor(
    private readonly auth: AdminAuth,
    private readonly catalogue: SchemaCatalogue,
    private readonly decoding: DecodingService,
    private readonly config: IdentityFormsConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Registers the routes in a scope of their own. */
  async register(scope: FastifyInstance): Promise<void> {
    await useFormParsers(scope, this.config);
    scope.setErrorHandler((error, request, reply) => {
      logFault(this.logger, sendProblem(error, request, reply), request.id);
    });
    // Before the body is read: who may not call costs nothing.
    scope.addHook('onRequest', (request, _reply, done) => {
      const caller = this.auth.authorize(request);
      if (caller instanceof Promise) caller.then(() => done(), done);
      else done();
    });
    const url = '/v1/schemas/:id/decode';
    scope.route({
      method: ALLOWED,
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => this.decode(request as DecodeRequest, reply),
    });
    scope.route({
      method: ['DELETE', 'HEAD', 'OPTIONS'],
      url,
      handler: () => {
        throw new DomainError(
          'method_not_allowed',
          'METHOD_NOT_ALLOWED',
          `Use one of ${ALLOWED.join(', ')}.`,
          { headers: { allow: ALLOWED.join(', ') } },
        );
      },
    });
  }

  private decode(
    request: DecodeRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> {
    const options = request.url.includes('?')
      ? readDecodeOptions(request.query as Record<string, unknown>)
      : DEFAULT_DECODE_OPTIONS;
    const schema = this.catalogue.get(request.params.id, options.version);
    return schema instanceof Promise
      ? schema.then((found) => this.decodeNow(request, reply, options, found))
      : this.decodeNow(request, reply, options, schema);
  }

  private decodeNow(
    request: DecodeRequest,
    reply: FastifyReply,
    options: DecodeRequestOptions,
    schema: CompiledSchema,
  ): FastifyReply | Promise<FastifyReply> {
    const language = pickLanguage(request.headers['accept-language']);
    const body = this.read(request, schema);
    if (body instanceof Promise) {
      return body
        .then((read) => this.decoding.decode(schema, read, options, language))
        .then((result) => answer(reply, result));
    }
    const result = this.decoding.decode(schema, body, options, language);
    return result instanceof Promise
      ? result.then((decoded) => answer(reply, decoded))
      : answer(reply, result);
  }

  private read(request: DecodeRequest, { plan }: CompiledSchema): FormBody | Promise<FormBody> {
    if (request.method !== 'GET') return readFormBody(request, plan.limits, this.config);
    const isField = ([name]: FormEntry) => !OPTION_NAMES.has(name);
    return { entries: readQuery(request, plan.limits).filter(isField) };
  }
}

function answer(reply: FastifyReply, result: DecodeResult): FastifyReply {
  return reply.header('content-type', JSON_UTF8).send(JSON.stringify(result));
}
