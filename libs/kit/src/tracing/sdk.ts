/** The SDK of OpenTelemetry behind `SpanRecorder`. Only this module loads its packages. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@opentelemetry/api';
import { type Attributes, type SpanContext, type SpanKind as ApiKind } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import * as sdk from '@opentelemetry/sdk-trace';
import { type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { type Sampler } from './head-sampler.js';
import { type TraceContext } from './trace-context.js';
import { type NewSpan, type RecordedSpan, type SpanKind, type SpanRecorder } from './tracer.js';

type ExportCallback = Parameters<SpanExporter['export']>[1];

export interface TracingLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** See TracingConfig, which explains them. */
export interface TracingSettings {
  readonly isTraced: boolean;
  readonly tracesUrl: string;
  readonly otelProtocol: 'http/protobuf' | 'http/json';
  readonly otelHeaders: Record<string, string>;
  readonly otelTracesHeaders: Record<string, string>;
  readonly otelTimeoutMs: number;
  readonly otelServiceName: string;
  readonly otelResourceAttributes: Record<string, string>;
  readonly otelPropagators: readonly string[];
  readonly otelSampler: Sampler;
  readonly otelSamplerRatio: number;
  readonly traceCallersPerSecond: number;
  readonly otelBatchDelayMs: number;
  readonly otelBatchTimeoutMs: number;
  readonly otelQueueSpansMax: number;
  readonly otelBatchSpansMax: number;
}

/** The service that is traced. */
export interface TracedService {
  name: string;
  version: string;
}

export interface Sdk {
  recorder: SpanRecorder;
  /** The standard decision of a ratio for a trace id. */
  isInRatio: (traceId: string) => boolean;
}

/** `SpanKind` of the API, which is not loaded for this. */
const KINDS: Readonly<Record<SpanKind, ApiKind>> = {
  internal: 0,
  server: 1,
  client: 2,
  producer: 3,
  consumer: 4,
};
const STATUS_ERROR = 2;
/** `ExportResultCode.SUCCESS`. */
const EXPORTED = 0;
const ATTRIBUTE_CHARACTERS_MAX = 256;
const LINKS_MAX = 128;
/** W3C Trace Context section 3.3.1.5. */
const STATE_CHARACTERS_MAX = 512;

/** Starts the SDK. */
export function startSdk(
  config: TracingSettings,
  service: TracedService,
  logger: TracingLogger,
): Sdk {
  // The ids are made by the tracer, which decides before a span exists.
  const next = { traceId: '', spanId: '' };
  const provider = new sdk.TracerProvider({
    sampler: new sdk.AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.version': service.version,
        ...config.otelResourceAttributes,
        'service.name': serviceNameOf(config, service.name),
      }),
    ),
    spanLimits: {
      attributeValueLengthLimit: ATTRIBUTE_CHARACTERS_MAX,
      linkCountLimit: LINKS_MAX,
    },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: withWarnings(otlpExporter(config), logger),
        scheduledDelayMillis: config.otelBatchDelayMs,
        exportTimeoutMillis: config.otelBatchTimeoutMs,
        maxQueueSize: config.otelQueueSpansMax,
        maxExportBatchSize: Math.min(config.otelBatchSpansMax, config.otelQueueSpansMax),
      }),
    ],
  });
  const tracer = provider.getTracer('gatehouse', service.version);
  const ratio = new sdk.TraceIdRatioBasedSampler(config.otelSamplerRatio);
  const { ROOT_CONTEXT, createTraceState, trace } = api;

  const contextOf = (context: TraceContext, state?: string): SpanContext => ({
    traceId: context.traceId,
    spanId: context.spanId,
    traceFlags: context.isSampled ? 1 : 0,
    isRemote: true,
    traceState:
      state === undefined || state.length > STATE_CHARACTERS_MAX
        ? undefined
        : createTraceState(state),
  });

  const start = ({ name, kind, attributes, context, parent, state, links }: NewSpan) => {
    Object.assign(next, { traceId: context.traceId, spanId: context.spanId });
    const options = {
      kind: KINDS[kind],
      attributes: attributes as Attributes,
      links: links?.map((link) => ({ context: contextOf(link) })),
    };
    const around = parent
      ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent, state))
      : ROOT_CONTEXT;
    const span = tracer.startSpan(name, options, around);
    // The SDK makes an error with its stack for each call after the end, even if nothing shows it.
    const whileOpen = (change: () => void) => {
      if (span.isRecording()) change();
    };
    return {
      set: (more) => whileOpen(() => span.setAttributes(more)),
      rename: (newName) => whileOpen(() => span.updateName(newName)),
      fail: (type) =>
        whileOpen(() => {
          span.setAttribute('error.type', type);
          span.setStatus({ code: STATUS_ERROR });
        }),
      end: () => whileOpen(() => span.end()),
    } satisfies RecordedSpan;
  };

  return {
    recorder: {
      start,
      close: async (timeoutMs) => {
        const flushed = provider.shutdown().catch(() => undefined);
        await Promise.race([flushed, sleep(timeoutMs, undefined, { ref: false })]);
      },
    },
    isInRatio: (traceId) =>
      ratio.shouldSample(ROOT_CONTEXT, traceId).decision ===
      sdk.SamplingDecision.RECORD_AND_SAMPLED,
  };
}

/** OTEL_SERVICE_NAME takes precedence over OTEL_RESOURCE_ATTRIBUTES. */
function serviceNameOf({ otelServiceName, otelResourceAttributes }: TracingSettings, own: string) {
  if (otelServiceName !== '') return otelServiceName;
  return otelResourceAttributes['service.name'] ?? own;
}

function otlpExporter(config: TracingSettings): SpanExporter {
  const options = {
    url: config.tracesUrl,
    headers: { ...config.otelHeaders, ...config.otelTracesHeaders },
    timeoutMillis: config.otelTimeoutMs,
  };
  return config.otelProtocol === 'http/json'
    ? new JsonExporter(options)
    : new ProtobufExporter(options);
}

/**
 * Logs once that exports fail, and once that they succeed again. A batch that failed is lost, so the
 * processor need not know.
 */
function withWarnings(exporter: SpanExporter, logger: TracingLogger): SpanExporter {
  let lostSpans = 0;
  const report = (spans: number, error: Error | undefined) => {
    if (error === undefined) {
      if (lostSpans > 0) logger.info({ lostSpans }, 'traces are exported again');
      lostSpans = 0;
      return;
    }
    if (lostSpans === 0) {
      const { code = error.message } = error as { code?: string | number };
      logger.warn({ reason: code }, 'traces cannot be exported');
    }
    lostSpans += spans;
  };
  return {
    export: (spans: ReadableSpan[], done: ExportCallback) => {
      exporter.export(spans, ({ code, error }) => {
        report(
          spans.length,
          Number(code) === EXPORTED ? undefined : (error ?? new Error('failed')),
        );
        done({ code: EXPORTED });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
