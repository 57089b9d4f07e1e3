// The short cut of verification: a plain request whose answer stands in memory is answered below
// Fastify. Whatever is not that simple (another header, another field, a miss, a refusal, a rate
// limit, an admin credential that is itself an issued key) is left to the route, which is the same
// service behind a framework.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AdminAuth, type DirectAnswer, DirectRoutes } from '@gatehouse/service-kit';
import type { IncomingMessage } from 'node:http';
import { ClientAddresses } from '../wire/call-context.js';
import { jsonOf } from '../wire/plain-json.js';
import { plainCredentialOf } from './verification.routes.js';
import { verificationJson } from './verification-result.js';
import { VerificationService } from './verification.service.js';

const ROUTE = '/v2alpha1/admin/apiKeys::verify';
const BODY_BYTES_MAX = 16 * 1024;
const HEADERS = [
  ...['content-type', 'application/json; charset=utf-8'],
  ...['x-cache', 'HIT', 'ory-talos-cache', 'HIT'],
];

@Injectable()
export class VerifyDirect implements OnModuleInit {
  constructor(
    private readonly directRoutes: DirectRoutes,
    private readonly auth: AdminAuth,
    private readonly addresses: ClientAddresses,
    private readonly service: VerificationService,
  ) {}

  onModuleInit(): void {
    this.directRoutes.add({
      method: 'POST',
      route: ROUTE,
      bodyBytesMax: BODY_BYTES_MAX,
      accepts: (request) => this.accepts(request),
      answer: (request, body) => this.answer(request, body),
    });
  }

  private accepts(request: IncomingMessage): boolean {
    const { headers } = request;
    return (
      headers['content-type'] === 'application/json' &&
      headers['cache-control'] === undefined &&
      headers.pragma === undefined &&
      this.auth.authorizeAtOnce({ headers, raw: request }) !== undefined
    );
  }

  private answer(request: IncomingMessage, body: Buffer): DirectAnswer | undefined {
    const credential = plainCredentialOf(jsonOf(body));
    if (credential === undefined) return undefined;
    const nowMs = Date.now();
    const verification = {
      credential,
      requiredScopes: undefined,
      audience: undefined,
      cache: 'use' as const,
      address: () => this.addresses.of({ raw: request }),
    };
    const result = this.service.verifyValidFromCache(verification, nowMs);
    return result && { status: 200, headers: HEADERS, body: verificationJson(result) };
  }
}
