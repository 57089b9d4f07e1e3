/**
 * The direct route of derivation: a token of a cached key is derived below Fastify. Every other
 * request (a cache miss, an admin credential that is itself an issued key, any error) goes to the
 * Fastify route, which calls the same service.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { AdminAuth } from '@gatehouse/nest-kit/admin';
import { type DirectResponse, DirectRoutes } from '@gatehouse/nest-kit/http';
import { type IncomingMessage } from 'node:http';
import { callContextOf } from '../../api/call-context.js';
import { RequestInput } from '../../api/input.js';
import { plainJsonOf } from '../../api/plain-json.js';
import { DERIVE_HEADERS, DERIVE_ROUTE, readDeriveRequest } from './derive.routes.js';
import { DeriveService, issuedTokenJson } from './derive.service.js';

const BODY_BYTES_MAX = 16 * 1024;
const HEADERS = Object.entries(DERIVE_HEADERS).flat();

@Injectable()
export class DeriveDirect implements OnModuleInit {
  constructor(
    private readonly directRoutes: DirectRoutes,
    private readonly auth: AdminAuth,
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: DeriveService,
  ) {}

  onModuleInit(): void {
    this.directRoutes.add({
      method: 'POST',
      route: DERIVE_ROUTE,
      bodyBytesMax: BODY_BYTES_MAX,
      accepts: ({ headers }) => headers['content-type'] === 'application/json',
      answer: (request, body, _parameter, id) => this.answer(request, body, id),
    });
  }

  private answer(
    raw: IncomingMessage,
    body: Buffer,
    id: string,
  ): Promise<DirectResponse> | undefined {
    const caller = this.auth.authorizeAtOnce({ headers: raw.headers, raw });
    if (caller === undefined) return undefined;
    const json = plainJsonOf(body);
    if (json === undefined) return undefined;
    const context = Object.assign(callContextOf(this.addresses, { raw, id }, caller), {
      address: () => this.addresses.of({ raw }),
    });
    return this.service
      .deriveFromCache(readDeriveRequest(this.input.body(json)), context)
      ?.then((token) => ({
        status: 200,
        headers: HEADERS,
        body: `{"token":${issuedTokenJson(token)}}`,
        caller: caller.id,
      }));
  }
}
