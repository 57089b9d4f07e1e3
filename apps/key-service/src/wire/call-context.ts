import { Inject, Injectable } from '@nestjs/common';
import {
  type AdminCaller,
  clientAddress,
  isForwarded,
  isLoopback,
  LOGGER,
  type Network,
  parseNetwork,
} from '@gatehouse/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';

/** The caller of a request, for audit events. `ip` is '' when it is unknown. */
export interface CallContext {
  /** The administrator who called; null for the holder of a key. */
  readonly admin: AdminCaller | null;
  readonly caller: string;
  readonly ip: string;
  readonly requestId: string;
}

/** Finds the client's address according to CLIENT_IP_SOURCE and TRUSTED_PROXIES. */
@Injectable()
export class ClientAddresses {
  private readonly trustedProxies: readonly Network[];

  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.trustedProxies = config.trustedProxies.map(parseNetwork);
    if (config.clientIpSource === 'socket' && !isLoopback(config.host)) {
      logger.warn('CLIENT_IP_SOURCE=socket: behind a proxy, keys bound to addresses are refused');
    }
  }

  /**
   * The address to compare with the networks of a key; undefined, which is in no network, when it is
   * not known. With CLIENT_IP_SOURCE=socket, a forwarded request came from a proxy, whose address
   * says nothing of the client.
   */
  of(request: Pick<FastifyRequest, 'raw'>): string | undefined {
    const isHidden = this.config.clientIpSource === 'socket' && isForwarded(request.raw);
    return isHidden ? undefined : this.peerOf(request);
  }

  callContext(
    request: Pick<FastifyRequest, 'raw' | 'id'>,
    caller: AdminCaller | 'holder',
  ): CallContext {
    return {
      admin: caller === 'holder' ? null : caller,
      caller: caller === 'holder' ? caller : caller.id,
      ip: this.peerOf(request) ?? '',
      requestId: request.id,
    };
  }

  private peerOf({ raw }: Pick<FastifyRequest, 'raw'>): string | undefined {
    return clientAddress(raw, this.config.clientIpSource, this.trustedProxies);
  }
}
