import { type IncomingMessage } from 'node:http';
import { type FastifyInstance } from 'fastify';

/** The response whose headers a step adds to; a Fastify reply is one. */
export interface HeaderTarget {
  header(name: string, value: string): unknown;
}

/** A response that was sent. */
export interface RequestSummary {
  requestId: string;
  method: string;
  /** The template of the route, never the path, which may contain credentials. */
  route: string;
  status: number;
  durationMs: number;
  /** The id of the administrator who called. */
  caller?: string;
}

/** Work for every request, whether Fastify or a direct route serves it. */
export interface RequestStep {
  /** @param url as sent in the request line */
  addHeaders?(target: HeaderTarget, requestId: string, url: string): void;
  onResponse?(summary: RequestSummary, request: IncomingMessage): void;
}

/** The route of requests that match no route. */
export const UNMATCHED = 'unmatched';

/** Runs the steps, through hooks for Fastify and directly for responses without hooks. */
export class RequestSteps {
  constructor(private readonly steps: readonly RequestStep[]) {}

  /** Runs the steps for all requests that Fastify routes. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      this.addHeaders(reply, request.id, request.url);
      done();
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      const summary = {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? UNMATCHED,
        status: reply.statusCode,
        durationMs: reply.elapsedTime,
        caller: request.adminCaller?.id,
      };
      this.finish(summary, request.raw);
      done();
    });
  }

  addHeaders(target: HeaderTarget, requestId: string, url: string): void {
    for (const step of this.steps) {
      step.addHeaders?.(target, requestId, url);
    }
  }

  /** Call it once, after the response. */
  finish(summary: RequestSummary, request: IncomingMessage): void {
    for (const step of this.steps) {
      step.onResponse?.(summary, request);
    }
  }
}

/** Collects headers for `writeHead`: names and values in turn. */
export class HeaderList implements HeaderTarget {
  readonly list: string[] = [];

  header(name: string, value: string): void {
    this.list.push(name, value);
  }
}
