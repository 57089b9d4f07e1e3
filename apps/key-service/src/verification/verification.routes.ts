/** The hot routes are native to Fastify, because Nest's pipeline costs more than a cache hit. */
import { Injectable } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { optionalParameters, text } from '@gatehouse/nest-kit/openapi';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { FailureSampler } from './failure-sampler.js';
import { type NativeKeyOperation } from '../api/openapi/operation.js';
import { RequestInput } from '../api/input.js';
import { callContextOf } from '../api/call-context.js';
import {
  type CacheMode,
  readBatch,
  readVerifyRequest,
  type VerifyInput,
} from './verification-request.js';
import {
  cacheHeaders,
  type Verification,
  verificationHeaders,
  verificationJson,
} from './verification-result.js';
import { VerificationService } from './verification.service.js';

/** Admin scopes that may verify. */
export const VERIFY_SCOPE = { scope: 'keys:verify' } as const;

const CACHE_HEADERS = optionalParameters('header', {
  'Cache-Control': text('no-cache reads the store, no-store keeps nothing either.'),
  Pragma: text('no-cache, as Cache-Control: no-cache.'),
});

export const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': 'The limits of the key, where it has any.',
  RateLimit: 'What is left of them.',
  'Retry-After': 'Seconds until there is more, when nothing is left.',
};
const CACHE_ANSWER_HEADERS = {
  'X-Cache': 'HIT, MISS or SKIP.',
  'Ory-Talos-Cache': 'The same.',
};

export const VERIFICATION_OPERATIONS: readonly NativeKeyOperation[] = [
  {
    method: 'post',
    path: '/v2alpha1/admin/apiKeys:verify',
    id: 'adminVerifyApiKey',
    summary: 'Verify a credential',
    tag: 'Verification',
    body: 'VerifyApiKeyRequest',
    parameters: CACHE_HEADERS,
    answer: {
      status: 200,
      schema: 'VerifyApiKeyResponse',
      description: 'Valid, or why not.',
      headers: { ...CACHE_ANSWER_HEADERS, ...RATE_LIMIT_HEADERS },
    },
    errors: [400],
  },
  {
    method: 'post',
    path: '/v2alpha1/admin/apiKeys:batchVerify',
    id: 'adminBatchVerifyApiKeys',
    summary: 'Verify up to 100 credentials',
    tag: 'Verification',
    body: 'BatchVerifyApiKeysRequest',
    parameters: CACHE_HEADERS,
    answer: {
      status: 200,
      schema: 'BatchVerifyApiKeysResponse',
      description: 'The results, in the order of the requests.',
      headers: CACHE_ANSWER_HEADERS,
    },
    errors: [400],
  },
];

@Injectable()
export class VerificationRoutes implements NativeRoutes {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: VerificationService,
    private readonly failures: FailureSampler,
  ) {}

  register(scope: FastifyInstance): void {
    const options = { config: { admin: VERIFY_SCOPE } };
    scope.post('/v2alpha1/admin/apiKeys::verify', options, (request, reply) =>
      this.verify(request, reply),
    );
    scope.post('/v2alpha1/admin/apiKeys::batchVerify', options, (request, reply) =>
      this.batchVerify(request, reply),
    );
  }

  private verify(
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> {
    this.input.checkParameters(request.query);
    const verification = this.verifyOne(
      readVerifyRequest(request.body, this.input),
      request,
      cacheModeOf(request),
    );
    return verification instanceof Promise
      ? verification.then((result) => this.answer(request, reply, result))
      : this.answer(request, reply, verification);
  }

  private async batchVerify(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.input.checkParameters(request.query);
    const cache = cacheModeOf(request);
    const results: Verification[] = [];
    const pending: Promise<unknown>[] = [];
    readBatch(request.body, this.input).forEach((input, index) => {
      const verification = this.verifyOne(input, request, cache);
      if (verification instanceof Promise) {
        pending.push(verification.then((result) => (results[index] = result)));
      } else {
        results[index] = verification;
      }
    });
    // Without an await, a batch of cached credentials is answered in this turn.
    if (pending.length > 0) await Promise.all(pending);
    for (const result of results) this.sampleFailure(request, result);
    const states = new Set(results.map(({ cacheState }) => cacheState));
    const worst = (['SKIP', 'MISS'] as const).find((state) => states.has(state)) ?? 'HIT';
    const json = results.map((result) => verificationJson(result)).join(',');
    return reply.headers(cacheHeaders(worst)).send(`{"results":[${json}]}`);
  }

  private verifyOne(
    { credential, requiredScopes, audience, limits, tags, clientIp }: VerifyInput,
    request: FastifyRequest,
    cache: CacheMode,
  ): Verification | Promise<Verification> {
    return this.service.verify({
      credential,
      requiredScopes,
      audience,
      limits,
      tags,
      cache,
      address: () => clientIp ?? this.addresses.of(request),
    });
  }

  private answer(request: FastifyRequest, reply: FastifyReply, result: Verification): FastifyReply {
    this.sampleFailure(request, result);
    return reply.headers(verificationHeaders(result)).send(verificationJson(result));
  }

  private sampleFailure(request: FastifyRequest, result: Verification): void {
    if (result.error === undefined) return;
    this.failures.sample(result, () =>
      callContextOf(this.addresses, request, adminCallerOf(request)),
    );
  }
}

function cacheModeOf({ headers }: FastifyRequest): CacheMode {
  const directives = headers['cache-control'];
  if (directives === undefined && headers.pragma === undefined) return 'use';
  const given = (directives ?? '').toLowerCase().split(/[\s,]+/);
  if (given.includes('no-store')) return 'bypass';
  const isNoCache =
    given.includes('no-cache') || /(^|[\s,])no-cache($|[\s,])/i.test(headers.pragma ?? '');
  return isNoCache ? 'refresh' : 'use';
}
