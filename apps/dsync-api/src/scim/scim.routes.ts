/**
 * The SCIM surface: native Fastify routes in a scope of their own, with their own body handling,
 * because identity providers count on SCIM bodies for every failure (RFC 7644 section 3.12).
 */
import {
  type DirectorySync,
  type ScimAnswer,
  type ScimCall,
  scimTarget,
} from '@gatehouse/directory-sync';
import { scimErrorBody } from '@gatehouse/scim';
import { toDomainError } from '@gatehouse/service-kit';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { type Logger } from 'pino';

const BASE = '/api/scim/v2.0/:directoryId';
const BODY_BYTES_MAX = 2 * 1024 * 1024;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const MEDIA_TYPES = new Set(['application/scim+json', 'application/json', '']);

type ScimRequest = FastifyRequest<{
  Params: { directoryId: string };
  Querystring: Record<string, unknown>;
}>;

/** Registers the routes of every directory. */
export async function registerScimRoutes(
  fastify: FastifyInstance,
  sync: DirectorySync,
  logger: Logger,
): Promise<void> {
  await fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => {
      parsed(null, body);
    });
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const fault = toDomainError(error);
      if (fault.httpStatus >= 500)
        logger.error({ err: error, requestId: request.id }, 'scim fault');
      return send(reply, request, failure(fault.httpStatus, fault.message));
    });
    const handler = async (request: ScimRequest, reply: FastifyReply) => {
      if (!MEDIA_TYPES.has(mediaType(request.headers['content-type']))) {
        return send(
          reply,
          request,
          failure(415, 'Send application/scim+json or application/json.'),
        );
      }
      return send(reply, request, await sync.requests.respond(callOf(request)));
    };
    for (const url of [BASE, `${BASE}/*`]) {
      scope.route<{ Params: { directoryId: string }; Querystring: Record<string, unknown> }>({
        method: [...METHODS],
        url,
        bodyLimit: BODY_BYTES_MAX,
        handler,
      });
    }
    done();
  });
}

function callOf(request: ScimRequest): ScimCall {
  const { directoryId } = request.params;
  const { headers } = request;
  const call: ScimCall = {
    directoryId,
    apiSecret: bearer(headers.authorization),
    method: request.method,
    target: scimTarget(pathBelow(request.raw.url ?? '', directoryId)),
    query: request.query,
    body: parsed(request.body),
    bodyBytes: typeof request.body === 'string' ? Buffer.byteLength(request.body) : 0,
  };
  if (headers['if-match'] !== undefined) call.ifMatch = headers['if-match'];
  if (headers['if-none-match'] !== undefined) call.ifNoneMatch = headers['if-none-match'];
  if (/(^|[,;\s])return=minimal\b/i.test(textOf(headers.prefer))) call.prefersMinimal = true;
  return call;
}

/** The raw path after the directory's id, still percent-encoded, without the query. */
function pathBelow(url: string, directoryId: string): string {
  const path = url.split('?', 1)[0] ?? '';
  const encoded = path.split('/').find((segment) => decoded(segment) === directoryId) ?? '';
  const start = path.indexOf(`/${encoded}`) + encoded.length + 1;
  return path.slice(start);
}

/** A body that is no JSON stays a text: the engine refuses it, after the credential was checked. */
function parsed(body: unknown): unknown {
  if (typeof body !== 'string' || body === '') return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

function bearer(header: string | undefined): string {
  return /^bearer +(\S{1,4096})$/i.exec(header ?? '')?.[1] ?? '';
}

function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function send(reply: FastifyReply, request: FastifyRequest, answer: ScimAnswer): FastifyReply {
  reply.status(answer.status).headers(answer.headers);
  if (answer.data === null) return reply.send();
  return reply
    .header('Content-Type', `${acceptedType(request.headers.accept)}; charset=utf-8`)
    .send(JSON.stringify(answer.data));
}

/** `application/scim+json`, unless the client accepts plain JSON alone. */
function acceptedType(accept: string | undefined): string {
  const wanted = (accept ?? '').toLowerCase();
  const onlyPlain = wanted.includes('application/json') && !wanted.includes('scim+json');
  return onlyPlain ? 'application/json' : 'application/scim+json';
}

function failure(status: number, detail: string): ScimAnswer {
  return { status, headers: {}, data: { ...scimErrorBody(status, detail) } };
}

function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(',') : (header ?? '');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
