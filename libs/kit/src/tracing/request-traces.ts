/** Spans of HTTP requests to this process, below Fastify and the direct routes alike. */
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { installedTracer, type Scope } from './tracer.js';

const SCOPE = Symbol('scope');
const STATE_HEADER = 'tracestate';
const SERVER_ERROR = 500;
/** Probes ask every few seconds; their traces would hide the others. */
const PROBES = '/health/';

type TracedRequest = IncomingMessage & { [SCOPE]?: Scope };

/** A request that was answered. */
interface Answered {
  method: string;
  /** The template of the route. */
  route: string | undefined;
  status: number;
}

/** Traces all requests of a listener; the listener itself if tracing is off. */
export function tracedListener(listener: RequestListener): RequestListener {
  const tracer = installedTracer();
  if (tracer === undefined) return listener;
  return (request: TracedRequest, response) => {
    const { headers, method = '', url = '' } = request;
    const isWanted = headers.traceparent === undefined ? tracer.wantsRoot() : undefined;
    // Not recorded, and no caller's trace to name in the log.
    if (isWanted === false || url.startsWith(PROBES)) return listener(request, response);
    const state = headers[STATE_HEADER];
    const scope = tracer.enter(
      { name: method, kind: 'server', attributes: { 'http.request.method': method } },
      'caller',
      headers.traceparent,
      { state: Array.isArray(state) ? state.join(',') : state, isWanted },
    );
    request[SCOPE] = scope;
    if (scope.isSampled) endWhenClosed(scope, response);
    tracer.run(scope, () => listener(request, response));
  };
}

/**
 * Goes on in the trace of a request. What the connection reads, such as a body, happens outside of
 * any trace.
 */
export function withinTraceOf(request: IncomingMessage, work: () => void): void {
  const scope = (request as TracedRequest)[SCOPE];
  const tracer = installedTracer();
  if (scope === undefined || tracer === undefined) work();
  else tracer.run(scope, work);
}

/** Completes the span of a request. */
export function endTraceOf(request: IncomingMessage, { method, route, status }: Answered): void {
  const span = (request as TracedRequest)[SCOPE]?.span;
  if (span === undefined) return;
  if (route !== undefined) span.rename(`${method} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': status });
  if (status >= SERVER_ERROR) span.fail(String(status));
  span.end();
}

/** A client that went away gets no response, and yet its span ends. */
function endWhenClosed({ span }: Scope, response: ServerResponse): void {
  response.once('close', () => {
    if (!response.writableFinished) span?.fail('client_closed');
    setImmediate(() => span?.end());
  });
}
