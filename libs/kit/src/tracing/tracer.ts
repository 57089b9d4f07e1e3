/**
 * Spans of this process. Modules call `inSpan` where work passes, and `inEntry` where it comes in from
 * outside; both do nothing but the work unless `install` was called at the start.
 *
 * The tracer is one for the process, like a logger's output: connections, queues and clients are made
 * in many places, also by programs that embed a library.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type HeadSampler, type Origin } from './head-sampler.js';
import {
  newSpanId,
  newTraceId,
  parseTraceparent,
  type TraceContext,
  traceparentOf,
} from './trace-context.js';

/** Values that the semantic conventions define. Never a credential, a query or personal data. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

export interface SpanDescription {
  name: string;
  kind: SpanKind;
  attributes?: SpanAttributes;
}

/** A span that is recorded. */
export interface RecordedSpan {
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** @param type a class of errors, such as a code; no message, which may contain values */
  fail(type: string): void;
  end(): void;
}

export interface NewSpan extends SpanDescription {
  context: TraceContext;
  parent?: TraceContext;
  /** A `tracestate` that came with the parent. */
  state?: string;
  links?: readonly TraceContext[];
}

/** Records spans: the SDK of OpenTelemetry. */
export interface SpanRecorder {
  start(span: NewSpan): RecordedSpan;
  /** Exports what has ended, within the time. */
  close(timeoutMs: number): Promise<void>;
}

export interface TracerOptions {
  sampler: HeadSampler;
  recorder: SpanRecorder;
  /** Whether to accept and send `traceparent`. */
  propagates: boolean;
}

/** Spans below one entry; further ones are not recorded, so that a long run stays within bounds. */
const SPANS_PER_ENTRY_MAX = 1_000;
const ERROR_TYPE = /^[A-Za-z0-9_.:-]{1,64}$/;

/** A span, or the place of one that is not recorded. */
export class Scope implements TraceContext {
  constructor(
    readonly traceId: string,
    readonly spanId: string,
    readonly span: RecordedSpan | undefined,
    private readonly budget: { left: number } = { left: SPANS_PER_ENTRY_MAX },
  ) {}

  get isSampled(): boolean {
    return this.span !== undefined;
  }

  /** Whether one more span below the entry may be recorded. */
  takePlace(): boolean {
    return (this.budget.left -= 1) >= 0;
  }

  child(spanId: string, span: RecordedSpan): Scope {
    return new Scope(this.traceId, spanId, span, this.budget);
  }
}

export class Tracer {
  private readonly storage = new AsyncLocalStorage<Scope>();

  constructor(private readonly options: TracerOptions) {}

  current(): Scope | undefined {
    return this.storage.getStore();
  }

  run<T>(scope: Scope, work: () => T): T {
    return this.storage.run(scope, work);
  }

  /**
   * Whether to record a request that comes without a trace. Asked before anything is made for it, because
   * most are not recorded.
   */
  wantsRoot(): boolean {
    return this.options.sampler.root();
  }

  /**
   * Begins the part of a trace that runs in this process.
   * @param isWanted the answer of `wantsRoot`, if it was asked
   */
  enter(
    description: SpanDescription,
    origin: Origin,
    traceparent: unknown,
    { state, links, isWanted }: Pick<NewSpan, 'state' | 'links'> & { isWanted?: boolean } = {},
  ): Scope {
    const { sampler, recorder, propagates } = this.options;
    const parent = propagates ? parseTraceparent(traceparent) : undefined;
    const traceId = parent?.traceId ?? newTraceId();
    const isSampled = parent ? sampler.remote(parent, origin) : (isWanted ?? sampler.root());
    const spanId = newSpanId();
    if (!isSampled) return new Scope(traceId, spanId, undefined);
    const context = { traceId, spanId, isSampled };
    return new Scope(
      traceId,
      spanId,
      recorder.start({ ...description, context, parent, state, links }),
    );
  }

  /** Begins a span below the current one; undefined if that is not recorded. */
  child(description: SpanDescription): Scope | undefined {
    const parent = this.current();
    if (!parent?.isSampled || !parent.takePlace()) return undefined;
    const { traceId } = parent;
    const context = { traceId, spanId: newSpanId(), isSampled: true };
    const span = this.options.recorder.start({ ...description, context, parent });
    return parent.child(context.spanId, span);
  }

  get propagates(): boolean {
    return this.options.propagates;
  }

  close(timeoutMs: number): Promise<void> {
    return this.options.recorder.close(timeoutMs);
  }
}

let installed: Tracer | undefined;

/** Sets the tracer of the process, or removes it. */
export function install(tracer: Tracer | undefined): void {
  installed = tracer;
}

/** Undefined if tracing is off. */
export function installedTracer(): Tracer | undefined {
  return installed;
}

/** The current position in a trace, recorded or not; undefined if tracing is off. */
export function currentScope(): Scope | undefined {
  return installed?.current();
}

/** Where others may continue the current trace; undefined unless it is recorded. */
export function currentTraceparent(): string | undefined {
  const scope = currentScope();
  return scope?.isSampled && installed?.propagates ? traceparentOf(scope) : undefined;
}

/** Runs work in a span below the current one. It is not recorded if the current one is not. */
export function inSpan<T>(
  description: SpanDescription,
  work: (span?: RecordedSpan) => Promise<T>,
): Promise<T> {
  const scope = installed?.child(description);
  return scope === undefined ? work() : runToEnd(scope, work);
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
  work: (span?: RecordedSpan) => Promise<T>,
): Promise<T> {
  if (installed === undefined) return work();
  const hasOrigin = installed.propagates && origins.some((origin) => origin !== null);
  return hasOrigin
    ? inEntry(description, [...origins, currentTraceparent()], work)
    : inSpan(description, work);
}

/**
 * What to send on: the current span, or the first origin unchanged if this process records nothing.
 *
 * @param origins as for `inContinuation`
 */
export function continuedTraceparent(origins: readonly (string | null)[]): string | undefined {
  if (installed?.propagates === false) return undefined;
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
  work: (span?: RecordedSpan) => Promise<T>,
): Promise<T> {
  if (installed === undefined) return work();
  const [first, ...others] = new Set(origins.filter((origin) => typeof origin === 'string'));
  const links = others.map(parseTraceparent).filter((context) => context !== undefined);
  return runToEnd(installed.enter(description, 'own', first, { links }), work);
}

async function runToEnd<T>(scope: Scope, work: (span?: RecordedSpan) => Promise<T>): Promise<T> {
  const tracer = installed as Tracer;
  try {
    return await tracer.run(scope, () => work(scope.span));
  } catch (error) {
    scope.span?.fail(errorType(error));
    throw error;
  } finally {
    scope.span?.end();
  }
}

/** The code of an error, or its name. */
export function errorType(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const type = [code, name].find((text) => typeof text === 'string' && ERROR_TYPE.test(text));
  return (type as string | undefined) ?? 'error';
}
