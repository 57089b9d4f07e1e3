/**
 * Requests to addresses that users configure, such as webhooks: no redirects, timeouts for the
 * connection and in total, a capped response, keep-alive per origin. The check for public addresses
 * applies to the address the socket connects to, which also protects against DNS rebinding.
 */
import { type LookupFunction } from 'node:net';
import { parseUrl } from '../input/index.js';
import { inSpan } from '../tracing/index.js';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { type Agent, type buildConnector, type Dispatcher } from 'undici';
import { exchange, type ExchangeBounds, type Received } from './exchange.js';
import { recordAnswer, requestAttributes } from './outbound-traces.js';
import { dnsResolver, type NameResolver, systemResolver } from './resolvers.js';

export interface OutboundPolicy {
  /** Allows private, loopback and link-local addresses; for local stacks only. */
  allowPrivate: boolean;
  /** The ports of public addresses; 80 and 443 by default. */
  ports?: readonly number[];
  /** 2,048 by default. */
  urlCharactersMax?: number;
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** A longer response is cut. */
  bytesMax: number;
  signal?: AbortSignal;
}

/** A request was not sent or got no response. `message` may be shown to the owner of the address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

/** The client was closed during a request. That says nothing about the endpoint. */
export class OutboundClosed extends Error {
  override readonly name = 'OutboundClosed';
}

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const URL_CHARACTERS_MAX = 2_048;
const KEEP_ALIVE_MS = 10_000;
const TARGETS_MAX = 1_000;
const DEFAULT_PORTS = [80, 443];
/** Serves each virtual machine of Azure the secrets of its host, although the address is public. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Why an address is not acceptable; undefined if it is. Host names are not resolved here: every
 * connection checks the resolved address.
 */
export function outboundUrlFault(text: string, policy: OutboundPolicy): string | undefined {
  const { urlCharactersMax = URL_CHARACTERS_MAX } = policy;
  if (text.length > urlCharactersMax) return `must not exceed ${urlCharactersMax} characters`;
  const url = parseUrl(text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return 'must be an http or https URL';
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (policy.allowPrivate) return undefined;
  const { ports = DEFAULT_PORTS } = policy;
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (!ports.includes(port)) return `must use one of the ports ${ports.join(', ')}`;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isLocalName = host === 'localhost' || host.endsWith('.localhost');
  return isLocalName || (ipaddr.isValid(host) && !isPublic(host))
    ? 'must not point to a private, loopback or link-local address'
    : undefined;
}

/** Whether an IP address is public unicast; embedded IPv4 addresses are unwrapped first. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address.replace(/%.*$/, ''));
  // In IPv6 only 2000::/3 is global unicast; other ranges hold embedded IPv4 and private networks.
  if (ip.toString() === AZURE_WIRE_SERVER) return false;
  const isGlobal = ip.kind() === 'ipv4' || (ip.toByteArray()[0] ?? 0) >> 5 === 1;
  return isGlobal && ip.range() === 'unicast';
}

interface Target {
  origin: string;
  path: string;
}

export class OutboundClient {
  private opening: Promise<Agent> | undefined;
  private readonly targets = new LRUCache<string, Target>({ max: TARGETS_MAX });
  private isClosed = false;

  constructor(
    private readonly policy: OutboundPolicy,
    private readonly resolveName: NameResolver = policy.allowPrivate
      ? systemResolver()
      : dnsResolver(),
  ) {}

  /**
   * POSTs a body and reads at most 64 KiB of the response.
   *
   * @throws OutboundError if the policy refuses the address, on a connection error and on timeout;
   *   OutboundClosed once the client is closed
   */
  post(
    url: string,
    headers: Record<string, string>,
    body: string | Uint8Array,
    timeoutMs: number,
  ): Promise<Received> {
    const request = { ...this.targetOf(url), method: 'POST', headers, body } as const;
    const bounds = { timeoutMs, bytesMax: ANSWER_BYTES_MAX };
    return this.exchange(request, bounds);
  }

  /**
   * Sends a request to an address that changes with each request, such as that of a page.
   *
   * @throws as `post`; the reason of the signal once it is aborted
   */
  async request({ url, method, headers, body, ...bounds }: OutboundRequest): Promise<Received> {
    const target = checkedTarget(url, this.policy);
    return inSpan({ name: method, kind: 'client' }, async (span) => {
      span?.setAttributes(requestAttributes(method, url));
      const request = { ...target, method, headers, body: body ?? null };
      const received = await this.exchange(request, bounds);
      recordAnswer(span, received.status);
      return received;
    });
  }

  private async exchange(
    request: Dispatcher.DispatchOptions,
    bounds: ExchangeBounds,
  ): Promise<Received> {
    try {
      const agent = await (this.opening ??= this.open());
      if (this.isClosed) throw new Error('closed');
      return await exchange(agent, request, bounds);
    } catch (error) {
      bounds.signal?.throwIfAborted();
      if (this.isClosed) throw new OutboundClosed('closed', { cause: error });
      throw new OutboundError(causeOf(error), { cause: error });
    }
  }

  /** Loads undici with the first request: it is large, and a start need not wait for it. */
  private async open(): Promise<Agent> {
    const { default: undici } = await import('undici');
    // No limit of connections per origin: a queued request would use up its timeout before it is
    // sent, and most products have one address for all their directories.
    return new undici.Agent({
      connect: guardedConnector(undici.buildConnector, this.policy, this.resolveName),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
  }

  /** Remembers the parts of an address that passed the check, because a lane posts to it repeatedly. */
  private targetOf(url: string): Target {
    const known = this.targets.get(url);
    if (known) return known;
    const target = checkedTarget(url, this.policy);
    this.targets.set(url, target);
    return target;
  }

  /** Aborts the requests in flight. */
  async close(): Promise<void> {
    this.isClosed = true;
    await (await this.opening)?.destroy();
  }
}

function checkedTarget(url: string, policy: OutboundPolicy): Target {
  const fault = outboundUrlFault(url, policy);
  if (fault !== undefined) throw new OutboundError(`the address ${fault}`);
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

/** Checks the resolved addresses before connecting, and the peer address after. */
function guardedConnector(
  connectorOf: typeof buildConnector,
  policy: OutboundPolicy,
  resolveName: NameResolver,
): buildConnector.connector {
  const isAllowed = policy.allowPrivate ? () => true : isPublic;
  const lookup = guardedLookup(resolveName, isAllowed);
  const connect = connectorOf({ timeout: CONNECT_TIMEOUT_MS, lookup });
  if (policy.allowPrivate) return connect;
  return (target, callback) => {
    connect(target, (...[error, socket]: [Error | null, unknown]) => {
      if (error) return callback(error, null);
      const connected = socket as Parameters<typeof callback>[1] & { remoteAddress?: string };
      if (!isPublic(connected?.remoteAddress ?? '')) {
        connected?.destroy();
        return callback(refused(), null);
      }
      callback(null, connected);
    });
  };
}

/** Resolves a name to its allowed addresses, which are all the socket can connect to. */
function guardedLookup(
  resolveName: NameResolver,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname).then(
      (addresses) => {
        const usable = addresses.filter(({ address }) => isAllowed(address));
        const [first] = usable;
        if (!first) return callback(refused(), '', 0);
        if (options.all) return callback(null, usable);
        callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

function refused(): OutboundError {
  return new OutboundError('the address is private, loopback or link-local');
}

function causeOf(error: unknown): string {
  if (error instanceof OutboundError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined || code.startsWith('UND_ERR') ? message : code;
}
