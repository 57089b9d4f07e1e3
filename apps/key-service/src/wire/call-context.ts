import { Injectable } from '@nestjs/common';
import {
  type AdminCaller,
  clientAddress,
  type Network,
  parseNetwork,
} from '@gatehouse/service-kit';
import type { FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../config.js';

/** The caller of a request, for audit events. `ip` is '' when it is unknown. */
export interface CallContext {
  readonly caller: string;
  readonly ip: string;
  readonly requestId: string;
}

/** Finds the client's address according to CLIENT_IP_SOURCE and TRUSTED_PROXIES. */
@Injectable()
export class ClientAddresses {
  private readonly trustedProxies: readonly Network[];

  constructor(private readonly config: KeyServiceConfig) {
    this.trustedProxies = config.trustedProxies.map(parseNetwork);
  }

  of(request: Pick<FastifyRequest, 'raw'>): string | undefined {
    return clientAddress(request.raw, this.config.clientIpSource, this.trustedProxies);
  }

  callContext(
    request: Pick<FastifyRequest, 'raw' | 'id'>,
    caller: AdminCaller | 'holder',
  ): CallContext {
    return {
      caller: caller === 'holder' ? caller : caller.id,
      ip: this.of(request) ?? '',
      requestId: request.id,
    };
  }
}
