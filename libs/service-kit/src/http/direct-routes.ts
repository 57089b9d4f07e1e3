/**
 * Routes below the framework, for a path whose answer mostly stands ready in memory, so that the
 * framework around it would be most of the work. A direct route is a short cut to a Fastify route
 * that is complete without it: it answers what it can answer at once and leaves everything else to
 * Fastify. Nothing is lost by that, since the request is untouched or is put back as it came. The
 * request steps of the kit run either way.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type FastifyServerFactory } from 'fastify';
import { requestId } from './request-id.js';
import { HeaderList, type RequestSteps } from './request-steps.js';

export interface DirectRoute {
  method: string;
  /** The template of the Fastify route: at most one parameter, and `::` for a colon. */
  route: string;
  /** Larger bodies, and bodies of unknown length, go to Fastify. At least one byte is there. */
  bodyBytesMax: number;
  /** Whether the head lets a short answer hope for; false leaves the request to Fastify unread. */
  accepts(request: IncomingMessage): boolean;
  /**
   * Undefined, a throw or a rejection leaves the request to Fastify; it must have changed nothing
   * then that may not happen twice.
   *
   * @param parameter of the path; '' where the route has none
   * @param id of the request, if it is answered here
   */
  answer(
    request: IncomingMessage,
    body: Buffer,
    parameter: string,
    id: string,
  ): DirectAnswer | Promise<DirectAnswer> | undefined;
}

export interface DirectAnswer {
  status: number;
  /** Names and values in turn, without the length and those that every answer has. */
  headers: readonly string[];
  body: string | Buffer;
}

interface Call {
  entry: Entry;
  request: IncomingMessage;
  response: ServerResponse;
  startedMs: number;
}

interface Entry extends DirectRoute {
  /** The path before and after the parameter. */
  prefix: string;
  suffix: string;
}

const PARAMETER = /(?<!:):[A-Za-z]+/;
/** A parameter that stands in the path as it is. */
const PLAIN = /^[A-Za-z0-9._~-]{1,128}$/;

export class DirectRoutes {
  private readonly entries = new Map<string, Entry>();
  private readonly parametrised: Entry[] = [];
  private isClosed = false;

  constructor(private readonly steps: RequestSteps) {}

  /** Adds a route; to be called before the service listens. */
  add(route: DirectRoute): void {
    const parts = route.route.split(PARAMETER).map((part) => part.replaceAll('::', ':'));
    const [prefix, suffix] = parts as [string, string | undefined];
    const entry = { ...route, prefix, suffix: suffix ?? '' };
    if (suffix === undefined) this.entries.set(prefix, entry);
    else this.parametrised.push(entry);
  }

  /** From now on Fastify answers everything, as it says goodbye to each connection. */
  close(): void {
    this.isClosed = true;
  }

  /** Makes Fastify's server as Fastify would, with the routes in front of it. */
  readonly serverFactory: FastifyServerFactory = (fastify, options) => {
    const serve = this.serve.bind(this);
    const server = createServer(options.http as object, (request, response) => {
      const entry = this.entryFor(request);
      if (entry === undefined) return fastify(request, response);
      const call = { entry, request, response, startedMs: performance.now() };
      // A short body comes with its head, but is heard of after it.
      process.nextTick(serve, call, () => fastify(request, response));
    });
    server.keepAliveTimeout = options.keepAliveTimeout as number;
    server.requestTimeout = options.requestTimeout as number;
    server.setTimeout(options.connectionTimeout as number);
    return server;
  };

  private entryFor(request: IncomingMessage): Entry | undefined {
    const url = request.url as string;
    const entry = this.entries.get(url) ?? this.parametrised.find((each) => isOf(each, url));
    if (entry === undefined || this.isClosed || request.method !== entry.method) return undefined;
    const { headers } = request;
    const isOrdinary = headers.host !== undefined && headers.expect === undefined;
    return isOrdinary && lengthOf(request) <= entry.bodyBytesMax && entry.accepts(request)
      ? entry
      : undefined;
  }

  private serve(call: Call, leave: () => void): void {
    const { entry, request } = call;
    // Of a body that is still on its way nothing is read: Fastify waits for it, or for its end.
    if (request.readableLength !== lengthOf(request)) return leave();
    const body = request.read() as Buffer | null;
    if (body === null) return leave();
    const id = requestId(request);
    const answer = answerOf(entry, request, body, id);
    if (answer !== undefined && 'status' in answer) return this.send(call, id, answer);
    request.unshift(body);
    if (answer === undefined) return leave();
    answer.then((late) => this.send(call, id, late), leave);
  }

  private send(call: Call, id: string, { status, headers, body }: DirectAnswer): void {
    const { entry, request, response, startedMs } = call;
    const bodyBytes = Buffer.byteLength(body);
    const head = new HeaderList();
    this.steps.addHeaders(head, id, request.url as string);
    head.list.push(...headers, 'content-length', String(bodyBytes));
    response.writeHead(status, head.list);
    // The body was read, so the connection is free for the next request: nobody waits for its end.
    // Text of nothing but ASCII is the same bytes in Latin-1, which is copied instead of encoded.
    response.end(body, bodyBytes === body.length ? 'latin1' : 'utf8');
    this.steps.finish({
      requestId: id,
      method: entry.method,
      route: entry.route,
      status,
      durationMs: performance.now() - startedMs,
    });
  }
}

function isOf(entry: Entry, url: string): boolean {
  const { prefix, suffix } = entry;
  return url.startsWith(prefix) && url.endsWith(suffix) && PLAIN.test(parameterOf(entry, url));
}

function parameterOf({ prefix, suffix }: Entry, url: string): string {
  return url.slice(prefix.length, url.length - suffix.length);
}

/** NaN when there is no length. */
function lengthOf(request: IncomingMessage): number {
  return Number(request.headers['content-length']);
}

function answerOf(
  entry: Entry,
  request: IncomingMessage,
  body: Buffer,
  id: string,
): ReturnType<DirectRoute['answer']> {
  try {
    return entry.answer(request, body, parameterOf(entry, request.url as string), id);
  } catch {
    return undefined;
  }
}
