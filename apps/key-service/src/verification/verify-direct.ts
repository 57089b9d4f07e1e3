/**
 * The direct route of verification: a request that contains only a credential is verified below
 * Fastify. Every other request (another header, another field, an admin credential that is itself
 * an issued key) goes to the Fastify route, which calls the same service.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { AdminAuth, type AdminCaller } from '@gatehouse/nest-kit/admin';
import { type DirectResponse, DirectRoutes } from '@gatehouse/nest-kit/http';
import { type IncomingMessage } from 'node:http';
import { callContextOf } from '../api/call-context.js';
import { jsonOf } from '../api/plain-json.js';
import { FailureSampler } from './failure-sampler.js';
import {
  cacheHeaders,
  meterHeaderList,
  type Verification,
  verificationJson,
} from './verification-result.js';
import { VerificationService } from './verification.service.js';
import { plainCredentialOf } from './verification-request.js';

const ROUTE = '/v2alpha1/admin/apiKeys::verify';
const BODY_BYTES_MAX = 16 * 1024;
const HIT_HEADERS = Object.entries(cacheHeaders('HIT')).flat();

@Injectable()
export class VerifyDirect implements OnModuleInit {
  constructor(
    private readonly directRoutes: DirectRoutes,
    private readonly auth: AdminAuth,
    private readonly addresses: ClientAddresses,
    private readonly service: VerificationService,
    private readonly failures: FailureSampler,
  ) {}

  onModuleInit(): void {
    this.directRoutes.add({
      method: 'POST',
      route: ROUTE,
      bodyBytesMax: BODY_BYTES_MAX,
      accepts: ({ headers }) =>
        headers['content-type'] === 'application/json' &&
        headers['cache-control'] === undefined &&
        headers.pragma === undefined,
      answer: (request, body, _parameter, id) => this.verify(request, body, id),
    });
  }

  private verify(
    raw: IncomingMessage,
    body: Buffer,
    id: string,
  ): DirectResponse | Promise<DirectResponse> | undefined {
    const caller = this.auth.authorizeAtOnce({ headers: raw.headers, raw });
    if (caller === undefined) return undefined;
    const credential = plainCredentialOf(jsonOf(body));
    if (credential === undefined) return undefined;
    const verification = this.service.verify({
      credential,
      requiredScopes: undefined,
      audience: undefined,
      limits: undefined,
      tags: undefined,
      cache: 'use',
      address: () => this.addresses.of({ raw }),
    });
    return verification instanceof Promise
      ? verification.then((result) => this.answer({ raw, id }, caller, result))
      : this.answer({ raw, id }, caller, verification);
  }

  private answer(
    request: { raw: IncomingMessage; id: string },
    caller: AdminCaller,
    result: Verification,
  ): DirectResponse {
    if (result.error !== undefined) {
      this.failures.sample(result, () => callContextOf(this.addresses, request, caller));
    }
    const headers =
      result.cacheState === 'HIT'
        ? HIT_HEADERS
        : Object.entries(cacheHeaders(result.cacheState)).flat();
    const isMetered = result.rateLimit !== undefined || result.credits !== undefined;
    const all = isMetered ? [...headers, ...meterHeaderList(result)] : headers;
    return { status: 200, headers: all, body: verificationJson(result), caller: caller.id };
  }
}
