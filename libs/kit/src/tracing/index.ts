export { SAMPLERS, type Sampler } from './head-sampler.js';
export { endTraceOf, tracedListener, withinTraceOf } from './request-traces.js';
export { type TracingSettings } from './sdk.js';
export { startTracing, stopTracing } from './start-tracing.js';
export { flagsOf } from './trace-context.js';
export {
  type RecordedSpan,
  type SpanAttributes,
  type SpanDescription,
  continuedTraceparent,
  currentScope,
  currentTraceparent,
  errorType,
  inContinuation,
  inEntry,
  inSpan,
  installedTracer,
} from './tracer.js';
