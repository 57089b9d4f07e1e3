/**
 * Spans of this process. Modules call `inSpan` where work passes, and `inEntry` where it comes in from
 * outside; both do nothing but the work unless `startTracing` has turned tracing on. Until then, no package
 * of OpenTelemetry is loaded.
 */
import {
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type TextMapPropagator,
  type Tracer,
} from '@opentelemetry/api';

export interface SpanDescription {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Values that the semantic conventions define. Never a credential, a query or personal data. */
  readonly attributes?: Attributes;
}

/** The parts of active tracing. */
export interface Tracing {
  readonly api: typeof import('@opentelemetry/api');
  readonly tracer: Tracer;
  /** Accepts and sends `traceparent`; none if OTEL_PROPAGATORS leaves it out. */
  readonly propagator: TextMapPropagator | undefined;
  /** Whether to record a request that comes without a trace. */
  readonly wantsRoot: () => boolean;
  /** Exports what has ended, within the time. */
  readonly close: (timeoutMs: number) => Promise<void>;
}

/** Spans below one entry; further ones are not recorded, so that a long run stays within bounds. */
const SPANS_PER_ENTRY_MAX = 1_000;
const BUDGET = Symbol('spans that the entry may still have');
/** Set where a request comes from the other end of a connection, not from a service of Gatehouse. */
export const FROM_CALLER = Symbol('from a caller');
/** Set where `wantsRoot` was answered with yes. */
export const IS_WANTED = Symbol('is wanted');

const SAMPLED = 1;
const ERROR_TYPE = /^[A-Za-z0-9_.:-]{1,64}$/;

let tracing: Tracing | undefined;

/** Turns tracing on, or off. */
export function install(next: Tracing | undefined): void {
  tracing = next;
}

/** Undefined if tracing is off. */
export function installed(): Tracing | undefined {
  return tracing;
}

/** The current position in a trace, recorded or not; undefined outside a trace or with tracing off. */
export function currentSpanContext(): SpanContext | undefined {
  return tracing?.api.trace.getActiveSpan()?.spanContext();
}

/** Whether what happens now is recorded. */
export function isRecorded(): boolean {
  return tracing !== undefined && isSampled(currentSpanContext());
}

/** Where others may continue the current trace; undefined unless it is recorded. */
export function currentTraceparent(): string | undefined {
  if (tracing?.propagator === undefined) return undefined;
  const current = currentSpanContext();
  return isSampled(current) ? `00-${current.traceId}-${current.spanId}-01` : undefined;
}

/** Runs work in a span below the current one. It is not recorded if the current one is not. */
export function inSpan<T>(
  description: SpanDescription,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (tracing === undefined || !isRecorded()) return work();
  const around = tracing.api.context.active();
  const budget = around.getValue(BUDGET) as { left: number } | undefined;
  if (budget !== undefined && (budget.left -= 1) < 0) return work();
  return runToEnd(startSpan(tracing, description, around), around, work);
}

/** @returns a function that runs work later, in the trace of now */
export function traceKeeper(): <T>(work: () => T) => T {
  if (tracing === undefined) return (work) => work();
  const { context } = tracing.api;
  const now = context.active();
  return (work) => context.with(now, work);
}

/**
 * Runs work for things that were logged in traces of their own: in the first of these, with links to
 * the others and to the current one. Without any, as `inSpan`.
 *
 * @param origins `traceparent` texts
 */
export function inContinuation<T>(
  description: SpanDescription,
  origins: readonly (string | null)[],
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const hasOrigin = tracing.propagator && origins.some((origin) => origin !== null);
  return hasOrigin
    ? inEntry(description, [...origins, currentTraceparent()], work)
    : inSpan(description, work);
}

/**
 * The `traceparent` to send on: that of the current span, or the first origin unchanged if this process
 * records nothing.
 *
 * @param origins as for `inContinuation`
 */
export function continuedTraceparent(origins: readonly (string | null)[]): string | undefined {
  if (tracing !== undefined && tracing.propagator === undefined) return undefined;
  return currentTraceparent() ?? origins.find((origin) => origin !== null) ?? undefined;
}

/**
 * Runs work that a message of another process of Gatehouse started, as the continuation of its trace.
 *
 * @param origins `traceparent` texts: the span continues the first, and links to the others
 */
export function inEntry<T>(
  description: SpanDescription,
  origins: readonly (string | null | undefined)[],
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const { api } = tracing;
  const [first, ...others] = new Set(origins.filter((origin) => typeof origin === 'string'));
  const links = others
    .map((origin) => api.trace.getSpanContext(contextOf({ traceparent: origin })))
    .filter((context) => context !== undefined)
    .map((context): Link => ({ context }));
  const around = contextOf(first === undefined ? {} : { traceparent: first });
  return runToEnd(startSpan(tracing, description, around, links), around, work);
}

/** The position in the trace that the headers of a request or message name, as the start of an entry. */
export function contextOf(headers: Readonly<Record<string, unknown>>): Context {
  const { api, propagator } = tracing as Tracing;
  const entry = api.ROOT_CONTEXT.setValue(BUDGET, { left: SPANS_PER_ENTRY_MAX });
  return propagator?.extract(entry, headers, api.defaultTextMapGetter) ?? entry;
}

export function startSpan(
  { api, tracer }: Tracing,
  { name, kind, attributes }: SpanDescription,
  around: Context,
  links?: Link[],
): Span {
  const kinds = {
    internal: api.SpanKind.INTERNAL,
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
  };
  return tracer.startSpan(name, { kind: kinds[kind], attributes, links }, around);
}

async function runToEnd<T>(
  span: Span,
  around: Context,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const { api } = tracing as Tracing;
  const recorded = span.isRecording() ? span : undefined;
  try {
    return await api.context.with(api.trace.setSpan(around, span), () => work(recorded));
  } catch (error) {
    fail(recorded, errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Marks a span as failed.
 *
 * @param type a class of errors, such as a code; no message, which may contain values
 */
export function fail(span: Span | undefined, type: string): void {
  const code = tracing?.api.SpanStatusCode.ERROR;
  if (code === undefined) return;
  span?.setAttribute('error.type', type).setStatus({ code });
}

/** The code of an error, or its name. */
export function errorType(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const type = [code, name].find((text) => typeof text === 'string' && ERROR_TYPE.test(text));
  return (type as string | undefined) ?? 'error';
}

function isSampled(context: SpanContext | undefined): context is SpanContext {
  return context !== undefined && (context.traceFlags & SAMPLED) !== 0;
}
