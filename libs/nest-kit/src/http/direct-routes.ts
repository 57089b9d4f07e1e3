/**
 * Routes below the framework, for hot paths whose response is usually in memory, where the framework
 * would be most of the work. A direct route is a shortcut to a complete Fastify route: it sends the
 * response if it can do so at once, and leaves every other request to Fastify, which receives it
 * unchanged. The request steps of the kit run in both cases.
 */
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type HttpDrain } from './http-drain.js';
import { REQUEST_ID_HEADER, requestId } from './request-id.js';
import { type HeaderList, type RequestSteps } from './request-steps.js';

export interface DirectRoute {
  method: string;
  /** The template of the Fastify route: at most one parameter, and `::` for a colon. */
  route: string;
  /** Larger bodies and bodies of unknown length go to Fastify. Empty bodies do too. */
  bodyBytesMax: number;
  /** Whether the request head alone qualifies for the direct route; if not, Fastify serves it. */
  accepts(request: IncomingMessage): boolean;
  /**
   * Undefined, an exception or a rejection leaves the request to Fastify, so it must not have had
   * side effects that must not happen twice.
   *
   * @param parameter of the path; '' if the route has none
   * @param id of the request
   */
  answer(
    request: IncomingMessage,
    body: Buffer,
    parameter: string,
    id: string,
  ): DirectResponse | Promise<DirectResponse> | undefined;
}

export interface DirectResponse {
  status: number;
  /** Without the length and the headers of every response. */
  headers: HeaderList;
  body: string | Buffer;
  /** The id of the administrator who called, for the request log. */
  caller?: string;
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
  /** Headers of every response. */
  headers: HeaderList;
}

const PARAMETER = /(?<!:):[A-Za-z]+/;
/** A parameter without characters that need decoding. */
const PLAIN = /^[A-Za-z0-9._~-]{1,128}$/;

export class DirectRoutes {
  private readonly entries = new Map<string, Entry>();
  private readonly parameterized: Entry[] = [];

  constructor(
    private readonly steps: RequestSteps,
    private readonly drain: HttpDrain,
  ) {}

  /** Adds a route. Call it before the service listens. */
  add(route: DirectRoute): void {
    const parts = route.route.split(PARAMETER).map((part) => part.replaceAll('::', ':'));
    const [prefix, suffix] = parts as [string, string | undefined];
    const entry = { ...route, prefix, suffix: suffix ?? '', headers: this.steps.headers };
    if (suffix === undefined) this.entries.set(prefix, entry);
    else this.parameterized.push(entry);
  }

  /** Serves what the direct routes can, and leaves the rest to Fastify. */
  inFrontOf(fastify: RequestListener): RequestListener {
    const serve = this.serve.bind(this);
    return (request, response) => {
      const entry = this.entryFor(request);
      if (entry === undefined) return fastify(request, response);
      const call = { entry, request, response, startedMs: performance.now() };
      // A short body arrives with its head, but is only readable in the next tick.
      process.nextTick(serve, call, () => fastify(request, response));
    };
  }

  private entryFor(request: IncomingMessage): Entry | undefined {
    const url = request.url as string;
    const entry = this.entries.get(url) ?? this.parameterized.find((each) => isOf(each, url));
    if (entry === undefined || request.method !== entry.method) return undefined;
    const { headers } = request;
    const isOrdinary = headers.host !== undefined && headers.expect === undefined;
    return isOrdinary && lengthOf(request) <= entry.bodyBytesMax && entry.accepts(request)
      ? entry
      : undefined;
  }

  private serve(call: Call, leave: () => void): void {
    const { entry, request } = call;
    // Leaves a body that has not fully arrived unread, for Fastify.
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

  private send(call: Call, id: string, answer: DirectResponse): void {
    const { status, headers, body, caller } = answer;
    const { entry, request, response, startedMs } = call;
    const bodyBytes = Buffer.byteLength(body);
    this.drain.beforeResponse(response);
    response.writeHead(status, [
      REQUEST_ID_HEADER,
      id,
      ...entry.headers,
      ...headers,
      'content-length',
      String(bodyBytes),
    ]);
    // ASCII text has the same bytes in Latin-1, which Node copies instead of encoding.
    response.end(body, bodyBytes === body.length ? 'latin1' : 'utf8');
    const { method, route } = entry;
    const durationMs = performance.now() - startedMs;
    this.steps.finish({ requestId: id, method, route, status, durationMs, caller }, request);
  }
}

function isOf(entry: Entry, url: string): boolean {
  const { prefix, suffix } = entry;
  return url.startsWith(prefix) && url.endsWith(suffix) && PLAIN.test(parameterOf(entry, url));
}

function parameterOf({ prefix, suffix }: Entry, url: string): string {
  return url.slice(prefix.length, url.length - suffix.length);
}

/** NaN without a length. */
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
