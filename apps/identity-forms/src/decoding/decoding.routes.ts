/**
 * `/v1/schemas/{id}/decode`, the hot path: native Fastify routes that await nothing that is already available.
 */
import { type FormEntry } from '@gatehouse/form-decoder';
import { adminCallerOf, requireScope } from '@gatehouse/nest-kit/admin';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { STRICT } from '../http/json-body.js';
import { PROBLEM_ERRORS } from '../http/problem.js';
import { type CompiledSchema, SchemaCatalog } from '../schemas/schema-catalog.js';
import {
  DEFAULT_DECODE_OPTIONS,
  type DecodeRequestOptions,
  OPTION_NAMES,
  readDecodeOptions,
} from './decode-options.js';
import { DecodingService, type DecodeResult } from './decoding.service.js';
import {
  type FormBody,
  namingFormLimit,
  readFormBody,
  readQuery,
  useFormParsers,
} from './form-body.js';

export const DECODE_ROUTE = '/v1/schemas/:id/decode';
const PROTOCOL = { ...PROBLEM_ERRORS, refine: namingFormLimit };
const FIELD = /^traits(?:$|[.[])/;
export const JSON_UTF8 = 'application/json; charset=utf-8';

type DecodeRequest = FastifyRequest<{ Params: { id: string } }>;

@Injectable()
export class DecodingRoutes implements NativeRoutes {
  constructor(
    private readonly catalog: SchemaCatalog,
    private readonly decoding: DecodingService,
    private readonly errors: ErrorFilter,
  ) {}

  /** Registers the routes in a scope with parsers and errors of their own. */
  register(scope: FastifyInstance): void {
    scope.setErrorHandler((error, request, reply) => {
      this.errors.send(error, request, reply, PROTOCOL);
    });
    useFormParsers(scope);
    scope.route({
      url: DECODE_ROUTE,
      method: ['GET', 'POST', 'PUT', 'PATCH'],
      exposeHeadRoute: false,
      // Decoding changes nothing, whatever the method.
      config: { admin: { scope: 'forms:read' as const } },
      handler: (request, reply) => this.decode(request as DecodeRequest, reply),
    });
  }

  private decode(
    request: DecodeRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> {
    const options = request.url.includes('?') ? optionsOf(request) : DEFAULT_DECODE_OPTIONS;
    // The result of a merge contains the stored traits, secret ones too.
    if (options.merge !== undefined) requireScope(adminCallerOf(request), 'forms:admin');
    const schema = this.catalog.get(request.params.id, options.version);
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
    const body = this.read(request, schema);
    const languages = request.headers['accept-language'];
    const result = this.decoding.decode(schema, body, options, languages);
    return result instanceof Promise
      ? result.then((decoded) => answer(reply, decoded))
      : answer(reply, result);
  }

  private read(request: DecodeRequest, { plan }: CompiledSchema): FormBody {
    if (request.method !== 'GET') return readFormBody(request, plan.limits);
    const isField = ([name]: FormEntry) => !OPTION_NAMES.has(name);
    return { entries: readQuery(request, plan.limits).filter(isField) };
  }
}

/** The query of a GET holds the fields too. In other queries fields are ignored. */
function optionsOf({ method, query }: DecodeRequest): DecodeRequestOptions {
  const parameters = query as Record<string, unknown>;
  if (method === 'GET') return readDecodeOptions(parameters);
  const others = Object.entries(parameters).filter(([name]) => !FIELD.test(name));
  return readDecodeOptions(Object.fromEntries(others), STRICT);
}

function answer(reply: FastifyReply, result: DecodeResult): FastifyReply {
  return reply.header('content-type', JSON_UTF8).send(JSON.stringify(result));
}
