export { endTraceOf, tracedListener, withinTraceOf } from './request-traces.js';
export { startTracing, stopTracing, type TracingSettings } from './start-tracing.js';
export {
  continuedTraceparent,
  currentSpanContext,
  currentTraceparent,
  errorType,
  fail,
  inContinuation,
  inEntry,
  inSpan,
  installed,
  type SpanDescription,
} from './traces.js';
