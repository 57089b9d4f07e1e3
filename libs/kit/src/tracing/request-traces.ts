/** Spans of HTTP requests to this process, below Fastify and the direct routes alike. */
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Context, type Span } from '@opentelemetry/api';
import { contextOf, fail, FROM_CALLER, installed, IS_WANTED, startSpan } from './traces.js';

const CONTEXT = Symbol('context');
const SERVER_ERROR = 500;
/** Probes ask every few seconds; their traces would hide the others. */
const PROBES = '/health/';

type TracedRequest = IncomingMessage & { [CONTEXT]?: Context };

/** A request that was answered. */
interface Answered {
  method: string;
  /** The template of the route. */
  route: string | undefined;
  status: number;
}

/** Traces all requests of a listener; the listener itself if tracing is off. */
export function tracedListener(listener: RequestListener): RequestListener {
  const tracing = installed();
  if (tracing === undefined) return listener;
  const { api, wantsRoot } = tracing;
  return (request: TracedRequest, response) => {
    const { headers, method = '', url = '' } = request;
    const hasTrace = headers.traceparent !== undefined;
    // Asked before anything is made, because most are not recorded. Without a caller's trace, there is
    // nothing to name in the log either.
    if ((!hasTrace && !wantsRoot()) || url.startsWith(PROBES)) return listener(request, response);
    const around = contextOf(headers).setValue(hasTrace ? FROM_CALLER : IS_WANTED, true);
    const attributes = { 'http.request.method': method };
    const span = startSpan(tracing, { name: method, kind: 'server', attributes }, around);
    const context = api.trace.setSpan(around, span);
    request[CONTEXT] = context;
    if (span.isRecording()) endWhenClosed(span, response);
    api.context.with(context, () => listener(request, response));
  };
}

/**
 * Goes on in the trace of a request. What the connection reads, such as a body, happens outside of
 * any trace.
 */
export function withinTraceOf(request: IncomingMessage, work: () => void): void {
  const context = (request as TracedRequest)[CONTEXT];
  const tracing = installed();
  if (context === undefined || tracing === undefined) work();
  else tracing.api.context.with(context, work);
}

/** Completes the span of a request. */
export function endTraceOf(request: IncomingMessage, { method, route, status }: Answered): void {
  const context = (request as TracedRequest)[CONTEXT];
  const span = context && installed()?.api.trace.getSpan(context);
  if (!span?.isRecording()) return;
  if (route !== undefined) span.updateName(`${method} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
  if (status >= SERVER_ERROR) fail(span, String(status));
  span.end();
}

/** A client that went away gets no response, and yet its span ends. */
function endWhenClosed(span: Span, response: ServerResponse): void {
  response.once('close', () => {
    if (!response.writableFinished && span.isRecording()) fail(span, 'client_closed');
    setImmediate(() => {
      if (span.isRecording()) span.end();
    });
  });
}
