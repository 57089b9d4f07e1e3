import { type IncomingMessage } from 'node:http';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { endTraceOf, installed, withinTraceOf } from '@gatehouse/kit/tracing';
import { REQUEST_ID_HEADER } from './request-id.js';

/** Names and values in turn. */
export type HeaderList = readonly string[];

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
export interface RequestWork {
  /** The headers of every response. */
  headers: HeaderList;
  /** Called once for each request, after its response. */
  observers: readonly RequestObserver[];
}

export type RequestObserver = (summary: RequestSummary, request: IncomingMessage) => void;

/** The route of requests that match no route. */
export const UNMATCHED = 'unmatched';

/** Does the work for every request, through hooks for Fastify and directly for responses without. */
export class RequestSteps {
  constructor(private readonly work: RequestWork) {}

  /** Covers all requests that Fastify routes. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      this.addHeaders(reply, request.id);
      done();
    });
    // The body of a request was read outside of its trace.
    if (installed() !== undefined) {
      fastify.addHook('preValidation', (request, _reply, done) => withinTraceOf(request.raw, done));
    }
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

  addHeaders(reply: FastifyReply, requestId: string): void {
    reply.header(REQUEST_ID_HEADER, requestId);
    const { headers } = this;
    for (let index = 0; index < headers.length; index += 2) {
      reply.header(headers[index] as string, headers[index + 1]);
    }
  }

  /** The headers of every response, without the id of the request. */
  get headers(): HeaderList {
    return this.work.headers;
  }

  /** Call it once, after the response. */
  finish(summary: RequestSummary, request: IncomingMessage): void {
    withinTraceOf(request, () => {
      for (const observe of this.work.observers) observe(summary, request);
    });
    const { route } = summary;
    endTraceOf(request, { ...summary, route: route === UNMATCHED ? undefined : route });
  }
}
