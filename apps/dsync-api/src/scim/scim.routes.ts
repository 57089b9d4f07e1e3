/**
 * The SCIM endpoints: native Fastify routes in a separate scope with their own body handling,
 * because identity providers expect SCIM bodies for all errors (RFC 7644 section 3.12).
 */
import {
  bearer,
  type DirectorySync,
  httpFailure,
  mediaRefusal,
  SCIM_BODY_BYTES_MAX,
  scimMediaType,
  type ScimRequest,
  scimRequestOf,
  type ScimResponse,
  type SeenAccess,
} from '@gatehouse/directory-sync';
import { toDomainError } from '@gatehouse/kit/errors';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { DIRECTORY_SYNC } from '../sync.module.js';
import { requestLogMetrics } from './request-log.metrics.js';
import { SCIM_PREFIXES } from './scim.errors.js';

const BELOW_PREFIX = ['/', '//'].flatMap((slash) => [
  `${slash}:directoryId`,
  `${slash}:directoryId/*`,
]);
/** Fastify adds HEAD itself. Methods that a path does not support are answered with 405. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

type ScimHttpRequest = FastifyRequest<{
  Params: { directoryId: string };
  Querystring: Record<string, unknown>;
}>;

/** Facts about a request that the log collects before the answer. */
interface Seen {
  /** Below the directory's, percent-encoded and without the query. */
  path?: string;
  access?: SeenAccess;
  request?: ScimRequest;
  response?: Pick<ScimResponse, 'data'>;
}

/** The property of a request that holds `Seen`; a WeakMap would slow every garbage collection. */
const SEEN = Symbol('seen');

type SeenRequest = FastifyRequest & { [SEEN]?: Seen };

/** The routes of all directories. */
@Injectable()
export class ScimRoutes implements NativeRoutes {
  constructor(
    @Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync,
    private readonly errors: ErrorFilter,
    registry: Registry,
  ) {
    requestLogMetrics(registry, sync.requestLog);
  }

  async register(scope: FastifyInstance): Promise<void> {
    for (const prefix of SCIM_PREFIXES) {
      await scope.register(
        (prefixed, _options, done) => {
          this.registerBelow(prefixed);
          done();
        },
        { prefix },
      );
    }
  }

  private registerBelow(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    scope.decorateRequest(SEEN, undefined);
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body);
    });
    scope.setErrorHandler((error, request, reply) => {
      if (request.is404) {
        send(reply, request, notServed(request));
      } else {
        const detail = toDomainError(error).message;
        this.seenOf(request).response = { data: { detail } };
        this.errors.send(error, request, reply);
      }
    });
    scope.setNotFoundHandler((request, reply) => send(reply, request, notServed(request)));
    for (const url of BELOW_PREFIX) {
      scope.route<{ Params: { directoryId: string }; Querystring: Record<string, unknown> }>({
        method: METHODS,
        url,
        bodyLimit: SCIM_BODY_BYTES_MAX,
        onRequest: (request, reply) => this.refuse(request, reply),
        handler: (request, reply) => this.respond(request, reply),
        onResponse: (request, reply, done) => {
          this.log(request, reply);
          done();
        },
      });
    }
  }

  /** Checks the credential of a request with a body before the body is read, in the directory's share. */
  private async refuse(request: ScimHttpRequest, reply: FastifyReply): Promise<void> {
    if (!hasBody(request)) return;
    const refusal = await this.refusalOf(request);
    if (refusal) this.send(reply, request, refusal);
    else request.bodyOwner = this.seenOf(request).access?.directoryId;
  }

  private async respond(request: ScimHttpRequest, reply: FastifyReply): Promise<FastifyReply> {
    const unreadable = mediaRefusal(request.headers);
    if (unreadable) {
      const refusal = hasBody(request) ? undefined : await this.refusalOf(request);
      return this.send(reply, request, refusal ?? unreadable);
    }
    const seen = this.seenOf(request);
    seen.path = pathOf(request);
    const { method, query, headers, body, params } = request;
    const scimRequest = scimRequestOf({ ...params, method, path: seen.path, query, headers, body });
    seen.request = scimRequest;
    scimRequest.onAccess = (access) => (seen.access = access);
    return this.send(reply, request, await this.sync.requests.scim.respond(scimRequest));
  }

  private refusalOf(request: ScimHttpRequest): Promise<ScimResponse | undefined> {
    const { directoryId } = request.params;
    const apiSecret = bearer(request.headers);
    const seen = this.seenOf(request);
    const onAccess = (access: SeenAccess) => (seen.access = access);
    return this.sync.requests.scim.refusalOf({ directoryId, apiSecret, onAccess });
  }

  private send(reply: FastifyReply, request: FastifyRequest, response: ScimResponse): FastifyReply {
    this.seenOf(request).response = response;
    return send(reply, request, response);
  }

  private seenOf(request: SeenRequest): Seen {
    return (request[SEEN] ??= {});
  }

  /** Logs a request of a known directory. */
  private log(request: ScimHttpRequest & SeenRequest, reply: FastifyReply): void {
    const seen = request[SEEN];
    if (!seen?.access) return;
    this.sync.requestLog.record({
      access: seen.access,
      requestId: request.id,
      method: request.method,
      path: seen.path ?? pathOf(request),
      userAgent: request.headers['user-agent'] ?? '',
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      request: seen.request,
      response: seen.response,
    });
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * A method that no path has is 405. RFC 7644 section 3.12 allows 501 too, which would let strangers raise
 * the rate of server errors that operators watch.
 */
function notServed({ method }: FastifyRequest): ScimResponse {
  if (method === 'HEAD' || METHODS.includes(method)) {
    return httpFailure(404, 'Nothing exists at this address.');
  }
  const refused = httpFailure(405, 'This method is not supported.');
  return { ...refused, headers: { Allow: METHODS.join(', ') } };
}

/** The raw path after the directory's id, percent-encoded and without the query. */
function pathOf({ raw, params }: ScimHttpRequest): string {
  const path = raw.url?.split('?', 1)[0] ?? '';
  const encoded = path.split('/').find((segment) => decoded(segment) === params.directoryId) ?? '';
  const start = path.indexOf(`/${encoded}`) + encoded.length + 1;
  return path.slice(start);
}

function send(reply: FastifyReply, request: FastifyRequest, response: ScimResponse): FastifyReply {
  reply.status(response.status).headers(response.headers);
  if (response.data === null) return reply.send();
  return reply
    .header('Content-Type', scimMediaType(request.headers.accept))
    .send(JSON.stringify(response.data));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
