export { endTraceOf, tracedListener, withinTraceOf } from './request-traces.js';
export { startTracing, stopTracing } from './start-tracing.js';
export { type TracingSettings } from './tracing.types.js';
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
