import { type IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import {
  clientAddress,
  type ClientAddressSource,
  isForwarded,
  isInNetwork,
  parseNetwork,
} from './client-address.js';

/** CLIENT_IP_SOURCE and TRUSTED_PROXIES. */
export interface ClientAddressOptions {
  readonly clientIpSource: ClientAddressSource;
  readonly trustedProxies: readonly string[];
}

/** The caller of a request and its address, for audit events. Unknown texts are ''. */
export interface CallContext {
  readonly caller: string;
  /** The actor of an issued key that administrates. */
  readonly callerActorId?: string;
  readonly ip: string;
  readonly requestId: string;
}

/** Where a program calls a library without saying for whom. */
export const LIBRARY_CALL: CallContext = { caller: 'library', ip: '', requestId: '' };

/** The id of a credential that administrates, and the actor of an issued key. */
export interface CallerIdentity {
  readonly id: string;
  readonly actorId?: string;
}

const ADDRESSES_MAX = 10_000;

interface ClientRequest {
  readonly raw: IncomingMessage;
}

/** Finds the addresses of clients according to CLIENT_IP_SOURCE and TRUSTED_PROXIES. */
export class ClientAddresses {
  /** Comparing an address with networks costs more than a small request. */
  private readonly trusted: LRUCache<string, boolean>;

  constructor(private readonly options: ClientAddressOptions) {
    const networks = options.trustedProxies.map(parseNetwork);
    this.trusted = new LRUCache({
      max: ADDRESSES_MAX,
      memoMethod: (address) => networks.some((network) => isInNetwork(address, network)),
    });
  }

  /**
   * The address to compare with the networks of a key. Undefined, which matches no network, if it is
   * not known: with CLIENT_IP_SOURCE=socket, the address of a forwarded request is that of a proxy.
   */
  of(request: ClientRequest): string | undefined {
    const isHidden = this.options.clientIpSource === 'socket' && isForwarded(request.raw);
    return isHidden ? undefined : this.peerOf(request);
  }

  /** The address to write down or to count: that of the client, or of the proxy that hides it. */
  peerOf({ raw }: ClientRequest): string | undefined {
    return clientAddress(raw, this.options.clientIpSource, (address) => this.trusted.memo(address));
  }

  /** @param caller an administrator, or a name for audit events */
  callContext(
    request: ClientRequest & { readonly id: string },
    caller: CallerIdentity | string,
  ): CallContext {
    const { id, actorId } = typeof caller === 'string' ? { id: caller } : caller;
    const ip = this.peerOf(request) ?? '';
    return { caller: id, callerActorId: actorId, ip, requestId: request.id };
  }
}
