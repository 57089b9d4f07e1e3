/** The requests of one surface: refused, answered here, or handed to a service. */
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type ClientAddresses, clientNetwork } from '@gatehouse/kit/clients';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type Readiness } from '@gatehouse/nest-kit/health';
import { httpFault, type HttpDrain, onceEnded, UNMATCHED } from '@gatehouse/nest-kit/http';
import { type ClientLimits } from './client-limits.js';
import { type Exchange, type OwnAnswers } from './own-answers.js';
import {
  isNormalPath,
  type Route,
  routeOf,
  SCIM,
  SERVICE_NAMES,
  type ServiceName,
  type SurfaceName,
} from './routes.js';
import { type UnsentBytes } from './unsent-bytes.js';

/** Serves a request that the front door has let through. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** The answer of /health/ready. */
export type Ready = () => Promise<{ status: 200 | 503; body: Readiness }>;

export interface SurfaceContext {
  readonly name: SurfaceName;
  /** The routes of those that are left out are not found. */
  readonly services: Readonly<Partial<Record<ServiceName, Serve>>>;
  readonly ready: Ready;
  readonly answers: OwnAnswers;
  readonly drain: HttpDrain;
  readonly addresses: ClientAddresses;
  readonly unsent: UnsentBytes;
  /** Undefined for a surface without limits. */
  readonly limits?: ClientLimits;
}

const NOT_PUBLIC =
  'This API is not on the public surface, but on the admin surface: ADMIN_PORT, 8089 by default.';
const PREFIX_HEADER = 'x-forwarded-prefix';
/** What is where on the admin surface. */
const DIRECTORY = {
  docs: '/docs',
  openapi: '/openapi.json',
  services: Object.fromEntries(
    SERVICE_NAMES.map((name) => [
      name,
      { openapi: `/${name}/openapi.json`, ready: `/${name}/health/ready` },
    ]),
  ),
};

export class Surface {
  private readonly ownRoutes = new Map<string, (exchange: Exchange) => void>();

  constructor(private readonly context: SurfaceContext) {
    const { answers, name } = context;
    const alive = (exchange: Exchange) => answers.json(exchange, { status: 'ok' });
    this.ownRoutes.set('/health', alive);
    this.ownRoutes.set('/health/alive', alive);
    this.ownRoutes.set('/health/ready', (exchange) => void this.answerReady(exchange));
    if (name === 'admin') this.ownRoutes.set('/', (exchange) => answers.json(exchange, DIRECTORY));
  }

  /** Serves a request, as the listener of a server. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    const exchange = { request, response, startedMs: performance.now(), route: UNMATCHED };
    // A request as to a proxy names the server before its path (RFC 9112, section 3.2.2).
    request.url = (request.url as string).replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');
    const [path = ''] = request.url.split('?', 1);
    const fault = httpFault(request) ?? pathFault(path);
    const ownRoute = this.ownRoutes.get(path);
    const route = routeOf(this.context.name, path);
    const serve = route && this.context.services[route.service];
    if (fault !== undefined) this.refuse(exchange, fault);
    else if (ownRoute !== undefined) this.answer({ ...exchange, route: path }, ownRoute);
    else if (serve) this.handOver({ ...exchange, route: route.pattern }, route, serve);
    else this.refuse(exchange, this.notFound(path));
  }

  private refuse(exchange: Exchange, error: DomainError): void {
    this.context.answers.error(exchange, error);
  }

  private notFound(path: string): DomainError {
    // A route of the admin surface is not found on the public surface alone.
    const message = routeOf('admin', path) && NOT_PUBLIC;
    return new DomainError(KitErrors.NOT_FOUND, { message });
  }

  private answer(exchange: Exchange, ownRoute: (exchange: Exchange) => void): void {
    const { method } = exchange.request;
    if (method === 'GET' || method === 'HEAD') return ownRoute(exchange);
    const headers = { allow: 'GET, HEAD' };
    return this.refuse(exchange, new DomainError(KitErrors.METHOD_NOT_ALLOWED, { headers }));
  }

  private async answerReady(exchange: Exchange): Promise<void> {
    try {
      const { status, body: readiness } = await this.context.ready();
      // Errors name parts of the installation.
      const body = this.context.name === 'public' ? { status: readiness.status } : readiness;
      const retry = status === 503 ? { 'retry-after': '1' } : undefined;
      this.context.answers.json(exchange, body, status, { 'cache-control': 'no-store', ...retry });
    } catch (cause) {
      this.refuse(exchange, new DomainError(KitErrors.UNAVAILABLE, { cause }));
    }
  }

  private handOver(
    exchange: Exchange,
    { pattern, prefix, folder = '' }: Route,
    serve: Serve,
  ): void {
    const { request, response } = exchange;
    const { addresses, drain, unsent } = this.context;
    const client = clientNetwork(addresses.peerOf({ raw: request }) ?? '');
    const leave = this.enter(request, pattern, client);
    if (leave === undefined) return this.refuse(exchange, tooManyRequests());
    const unfollow = drain.follow(response);
    const forget = unsent.follow(response, client);
    onceEnded(request, response, () => {
      unfollow();
      forget();
      leave();
    });
    // Always set, as by the gateway: in protected mode, a service refuses what was forwarded.
    request.headers[PREFIX_HEADER] = prefix;
    request.url = folder + (request.url as string).slice(prefix.length);
    return serve(request, response);
  }

  /** Counts a request. @returns what to call when it has ended; undefined beyond the limits */
  private enter(
    request: IncomingMessage,
    pattern: string,
    client: string,
  ): (() => void) | undefined {
    const { limits } = this.context;
    if (limits === undefined) return () => undefined;
    const isAnonymous = pattern !== SCIM || !request.headers.authorization;
    return limits.admit(client, isAnonymous);
  }
}

function pathFault(path: string): DomainError | undefined {
  if (isNormalPath(path)) return undefined;
  const message = 'The path is not in normal form.';
  return new DomainError(KitErrors.INVALID_ARGUMENT, { message });
}

function tooManyRequests(): DomainError {
  const message = 'This client sends too many requests.';
  return new DomainError(KitErrors.RATE_LIMITED, { message, retryAfterSeconds: 1 });
}
