import { Injectable } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type InputReader } from '@gatehouse/kit/input';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type NativeKeyOperation } from '../../api/openapi/operation.js';
import { callContextOf } from '../../api/call-context.js';
import { readCredential } from '../../api/fields/credential.js';
import { TOKEN_ALGORITHMS } from '../../api/enums.js';
import {
  readAudience,
  readAudiences,
  readClientIp,
  readCustomClaims,
  readDuration,
  readScopes,
} from '../../api/fields/key-fields.js';
import { RequestInput } from '../../api/input.js';
import { type DeriveRequest, DeriveService, issuedTokenJson } from './derive.service.js';

export const DERIVE_OPERATIONS: readonly NativeKeyOperation[] = [
  {
    method: 'post',
    path: '/v2alpha1/admin/apiKeys:derive',
    id: 'adminDeriveToken',
    summary: 'Derive a short-lived token from a key',
    tag: 'Tokens',
    body: 'DeriveTokenRequest',
    answer: { status: 200, schema: 'DeriveTokenResponse', description: 'The token.' },
    errors: [400, 401, 403],
  },
];

export const DERIVE_ROUTE = '/v2alpha1/admin/apiKeys::derive';
/** The answer contains a credential. */
export const DERIVE_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};

@Injectable()
export class DeriveRoutes implements NativeRoutes {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: DeriveService,
  ) {}

  register(scope: FastifyInstance): void {
    scope.post(DERIVE_ROUTE, { config: { admin: { scope: 'keys:derive' } } }, (request, reply) =>
      this.derive(request, reply),
    );
  }

  private async derive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.input.checkParameters(request.query);
    const derivation = readDeriveRequest(this.input.body(request.body));
    const context = Object.assign(callContextOf(this.addresses, request, adminCallerOf(request)), {
      address: () => this.addresses.of(request),
    });
    const token = await this.service.derive(derivation, context);
    return reply.headers(DERIVE_HEADERS).send(`{"token":${issuedTokenJson(token)}}`);
  }
}

/** @throws DomainError that names the invalid fields */
export function readDeriveRequest(body: InputReader): DeriveRequest {
  const credential = readCredential(body);
  const algorithm = body.enumeration('algorithm', TOKEN_ALGORITHMS);
  const ttlSeconds = readDuration(body, 'ttl');
  const scopes = body.raw('scopes') === undefined ? undefined : readScopes(body);
  const audiences = readTokenAudiences(body);
  const customClaims = readCustomClaims(body);
  const clientIp = readClientIp(body);
  if (audiences.length > 0 && customClaims.aud !== undefined) {
    body.addViolation('custom_claims.aud', 'must not be given together with audiences', undefined);
  }
  body.throwIfInvalid();
  return { credential, algorithm, ttlSeconds, scopes, audiences, customClaims, clientIp };
}

/** `audiences`, or `audience` for one of them; both if they say the same. */
function readTokenAudiences(body: InputReader): string[] {
  const audience = readAudience(body);
  const audiences = readAudiences(body, 'audiences');
  if (audience === undefined) return audiences;
  if (audiences.some((name) => name !== audience)) {
    body.addViolation('audience', 'must not be given together with other audiences', undefined);
  }
  return [audience];
}
