/**
 * The check for gateways: nginx auth_request, Envoy ext_authz, Traefik forwardAuth. The client's
 * credential is in the headers; the answer is a status with identity headers.
 */
import { Injectable } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError, type ErrorCode } from '@gatehouse/kit/errors';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { arrayOf, optionalParameters, text } from '@gatehouse/nest-kit/openapi';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import { readAuthorizeQuery } from './authorize-query.js';
import { FailureSampler } from './failure-sampler.js';
import { ADMIN_HEADER_SECURITY, type NativeKeyOperation } from '../api/openapi/operation.js';
import { RequestInput } from '../api/input.js';
import { callContextOf } from '../api/call-context.js';
import { RATE_LIMIT_HEADERS, VERIFY_SCOPE } from './verification.routes.js';
import { grantedScopes, meterHeaders, type Verification } from './verification-result.js';
import { VerificationService } from './verification.service.js';
import { CREDENTIAL_ERRORS, KeyErrors } from '../errors.js';

const PATH = '/v2alpha1/admin/apiKeys::authorize';
/** Envoy uses the method of the client's request. */
const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** With the longest owner and limits, the headers of an answer fit into a buffer of 16 KiB of nginx. */
const SCOPES_BYTES_MAX = 8192;

const OPERATION: Omit<NativeKeyOperation, 'method' | 'id'> = {
  path: '/v2alpha1/admin/apiKeys:authorize',
  summary: 'Check the credential in the headers, for gateways',
  description: 'With any method: Envoy sends that of the client.',
  tag: 'Verification',
  parameters: [
    ...optionalParameters('query', {
      scope: arrayOf(text(), { description: 'A scope that is needed; repeatable.' }),
      audience: text('The audience that a token must name. Keys are valid too.'),
      tag: arrayOf(text(), {
        description: 'Tag under which the verification is counted; repeatable.',
      }),
      client_ip: text(
        'The address of the client, where the connection does not come from it or its proxy.',
      ),
      path: text('Ignored with all that follows it: Envoy appends the path of the client here.'),
    }),
    ...optionalParameters('header', {
      'X-API-Key': text('The credential; wins over Authorization.'),
    }),
  ],
  answer: {
    status: 200,
    schema: 'Empty',
    description: 'The credential is valid.',
    headers: {
      'X-Key-Id': 'The key.',
      'X-Actor-Id': 'Its owner, percent-encoded.',
      'X-Scopes': `What it may do, blank-separated and percent-encoded; up to ${SCOPES_BYTES_MAX} bytes.`,
      'X-Scopes-Omitted': '`true` if the scopes are longer, and X-Scopes is left out.',
      ...RATE_LIMIT_HEADERS,
    },
  },
  errorHeaders: { 'X-Refusal-Reason': 'Why the credential is refused, such as KEY_EXPIRED.' },
  // `Authorization` holds the credential of the client.
  security: [ADMIN_HEADER_SECURITY],
  errors: [400, 429],
};

export const AUTHORIZE_OPERATIONS: readonly NativeKeyOperation[] = [
  { ...OPERATION, method: 'get', id: 'adminAuthorize' },
  { ...OPERATION, method: 'post', id: 'adminAuthorizePost' },
];

@Injectable()
export class AuthorizeRoutes implements NativeRoutes {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: VerificationService,
    private readonly failures: FailureSampler,
  ) {}

  register(scope: FastifyInstance): void {
    // A gateway may forward the media type and the body of the client's own request.
    scope.addHook('onRequest', (request, _reply, next) => {
      request.raw.headers['content-type'] = 'application/octet-stream';
      next();
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => {
      payload.resume();
      parsed(null);
    });
    scope.route({
      method: METHODS,
      url: PATH,
      config: { admin: { ...VERIFY_SCOPE, adminHeaderOnly: true } },
      handler: (request, reply) => this.authorize(request, reply),
    });
  }

  private async authorize(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const demands = readAuthorizeQuery(request.url, this.input);
    const credential = credentialOf(request);
    if (credential === undefined) throw refusal(KeyErrors.CREDENTIAL_MISSING);
    const result = await this.service.verify({
      credential,
      address: () => demands.clientIp ?? this.addresses.of(request),
      requiredScopes: demands.requiredScopes,
      audience: demands.audience,
      limits: demands.limits,
      tags: demands.tags,
      cache: 'use',
    });
    if (result.error !== undefined) {
      this.failures.sample(result, () =>
        callContextOf(this.addresses, request, adminCallerOf(request)),
      );
      throw refusal(CREDENTIAL_ERRORS[result.error], result);
    }
    if (result.key?.isMetered) reply.headers(meterHeaders(result));
    return reply
      .headers({
        'x-key-id': result.key?.keyId,
        'x-actor-id': headerText(result.key?.actorId ?? ''),
        ...scopesHeader(grantedScopes(result)),
        'cache-control': 'no-store',
      })
      .type('application/json; charset=utf-8')
      .send('{}');
  }
}

/** `X-API-Key`, otherwise `Authorization` with the scheme Bearer or Api-Key. */
function credentialOf({ headers }: FastifyRequest): string | undefined {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return own;
  return /^(?:bearer|api-key) +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Percent-encodes characters that are not allowed in a header, and the percent sign. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x24\x26-\x7e]/gu, encodeURIComponent);
}

/** All scopes or none: with a part of them, an upstream could not see that others are missing. */
function scopesHeader(scopes: readonly string[]): Record<string, string> {
  const text = scopes.map(headerText).join(' ');
  return text.length > SCOPES_BYTES_MAX ? { 'x-scopes-omitted': 'true' } : { 'x-scopes': text };
}

function refusal(definition: ErrorCode, result?: Verification): DomainError {
  return new DomainError(definition, {
    message: result?.message,
    headers: {
      'cache-control': 'no-store',
      // For gateways that do not forward the body.
      'x-refusal-reason': definition.code,
      ...(result && meterHeaders(result)),
      ...(definition.kind === 'unauthenticated' ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
  });
}
