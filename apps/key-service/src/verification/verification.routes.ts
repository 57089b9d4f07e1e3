// The hot routes, native to Fastify: no pipeline of Nest stands between a request and a cache hit.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { adminCallerOf } from '@gatehouse/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FailureSampler } from './failure-sampler.js';
import type { NativeOperation } from '../openapi/operation.js';
import { BodyReader, isObject } from '../wire/body-reader.js';
import { ClientAddresses } from '../wire/call-context.js';
import { readCredential } from '../wire/credential.js';
import { readScopes } from '../wire/key-fields.js';
import type { CacheMode } from '../credentials/credential-resolver.js';
import {
  type CacheState,
  rateLimitHeaders,
  refused,
  type Verification,
  verificationJson,
} from './verification-result.js';
import { VerificationService, type VerificationRequest } from './verification.service.js';

/** Admin scopes that may verify. */
export const VERIFY_SCOPES = { scopes: ['keys:admin', 'keys:verify'] };
const BATCH_MAX = 100;
const JSON_TYPE = 'application/json; charset=utf-8';

const CACHE_HEADERS: NativeOperation['headers'] = {
  'Cache-Control': {
    type: 'string',
    description: 'no-cache reads the store, no-store keeps nothing either.',
  },
  Pragma: { type: 'string', description: 'no-cache, as Cache-Control: no-cache.' },
};

export const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': 'The limit of the key, where it has one.',
  RateLimit: 'What is left of it.',
  'Retry-After': 'Seconds until there is more, when nothing is left.',
};
const CACHE_ANSWER_HEADERS = {
  'X-Cache': 'HIT, MISS or SKIP.',
  'Ory-Talos-Cache': 'The same.',
};

export const VERIFICATION_OPERATIONS: readonly NativeOperation[] = [
  {
    method: 'post',
    path: '/v2alpha1/admin/apiKeys:verify',
    id: 'adminVerifyApiKey',
    summary: 'Verify a credential',
    tag: 'Verification',
    body: 'VerifyApiKeyRequest',
    headers: CACHE_HEADERS,
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
    headers: CACHE_HEADERS,
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
export class VerificationRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly addresses: ClientAddresses,
    private readonly service: VerificationService,
    private readonly failures: FailureSampler,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const options = { config: { admin: VERIFY_SCOPES } };
    fastify.post('/v2alpha1/admin/apiKeys::verify', options, (request, reply) =>
      this.verify(request, reply),
    );
    fastify.post('/v2alpha1/admin/apiKeys::batchVerify', options, (request, reply) =>
      this.batchVerify(request, reply),
    );
  }

  private verify(
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> {
    const asked = readVerifyRequest(request.body);
    const verification = this.verificationOf(asked, request, cacheModeOf(request));
    const cached = this.service.verifyFromCache(verification, Date.now());
    if (cached !== undefined) return this.answer(request, reply, cached, 'HIT');
    return this.service
      .verify(verification)
      .then(({ result, cacheState }) => this.answer(request, reply, result, cacheState));
  }

  private verificationOf(
    asked: Asked,
    request: FastifyRequest,
    cache: CacheMode,
  ): VerificationRequest {
    return {
      credential: asked.credential,
      requiredScopes: asked.requiredScopes,
      audience: asked.audience,
      cache,
      address: () => this.addresses.of(request),
    };
  }

  private answer(
    request: FastifyRequest,
    reply: FastifyReply,
    result: Verification,
    cacheState: CacheState,
  ): FastifyReply {
    if (result.error !== undefined) this.noteFailure(request, result);
    if (result.rateLimit) reply.headers(rateLimitHeaders(result.rateLimit));
    return send(reply, verificationJson(result), cacheState);
  }

  private async batchVerify(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const items = readBatch(request.body);
    const cache = cacheModeOf(request);
    const nowMs = Date.now();
    const states = new Set<CacheState>();
    const results: Verification[] = [];
    const asked: Promise<void>[] = [];
    items.forEach((item, index) => {
      const verification = this.verificationOf(item, request, cache);
      const known =
        item.credential === ''
          ? refused('VERIFICATION_ERROR_INVALID_FORMAT')
          : this.service.verifyFromCache(verification, nowMs);
      if (known !== undefined) return void (results[index] = known);
      const answered = this.service.verify(verification).then(({ result, cacheState }) => {
        states.add(cacheState);
        results[index] = result;
      });
      asked.push(answered);
    });
    if (asked.length > 0) await Promise.all(asked);
    for (const result of results) {
      if (result.error !== undefined) this.noteFailure(request, result);
    }
    const json = results.map((result) => verificationJson(result)).join(',');
    const worst = (['SKIP', 'MISS'] as const).find((state) => states.has(state)) ?? 'HIT';
    return send(reply, `{"results":[${json}]}`, worst);
  }

  private noteFailure(request: FastifyRequest, result: Verification): void {
    this.failures.note(result, () => this.addresses.callContext(request, adminCallerOf(request)));
  }
}

function send(reply: FastifyReply, json: string, cacheState: CacheState): FastifyReply {
  return reply
    .header('content-type', JSON_TYPE)
    .header('x-cache', cacheState)
    .header('ory-talos-cache', cacheState)
    .send(json);
}

type Asked = Pick<VerificationRequest, 'credential' | 'requiredScopes' | 'audience'>;

/** Reads one request; the plain one, a credential and nothing else, without any detour. */
export function readVerifyRequest(json: unknown): Asked {
  const credential = plainCredentialOf(json);
  if (credential !== undefined) return plain(credential);
  const body = BodyReader.of(json);
  const asked = { credential: readCredential(body), ...readDemands(body) };
  body.finish();
  return asked;
}

/** The credential of a body that holds that and nothing else; undefined for every other body. */
export function plainCredentialOf(json: unknown): string | undefined {
  if (!isObject(json) || !isPlain(json)) return undefined;
  const { credential } = json;
  return typeof credential === 'string' && credential !== '' ? credential : undefined;
}

function plain(credential: string): Asked {
  return { credential, requiredScopes: undefined, audience: undefined };
}

function isPlain(json: object): boolean {
  for (const name in json) if (name !== 'credential') return false;
  return true;
}

function readDemands(body: BodyReader): Omit<Asked, 'credential'> {
  return {
    requiredScopes: readScopes(body, 'required_scopes'),
    audience: body.text('audience', { max: 1024 }) || undefined,
  };
}

/** Reads 1 to 100 requests; an item without a credential keeps an empty one. */
function readBatch(json: unknown): Asked[] {
  const body = BodyReader.of(json);
  const requests = body.list('requests', { min: 1, max: BATCH_MAX });
  body.finish();
  return requests.map((item, index) => {
    if (isObject(item) && typeof item.credential === 'string' && isPlain(item)) {
      return plain(item.credential);
    }
    const reader = BodyReader.of(item, `requests[${index}]`);
    const credential = reader.raw('credential') ?? '';
    if (typeof credential !== 'string') reader.refuse('credential', 'must be a string', '');
    const asked = { credential: credential as string, ...readDemands(reader) };
    reader.finish();
    return asked;
  });
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
