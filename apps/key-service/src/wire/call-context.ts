import { Injectable } from '@nestjs/common';
import {
  type AdminCaller,
  clientAddress,
  type Network,
  parseNetwork,
} from '@gatehouse/service-kit';
import type { FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../config.js';

/** Who asked, for audit events. `ip` is '' when it cannot be told. */
export interface CallContext {
  readonly caller: string;
  readonly ip: string;
  readonly requestId: string;
}

/** Tells the address of the client by CLIENT_IP_SOURCE and TRUSTED_PROXIES. */
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
