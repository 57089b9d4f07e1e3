/** The SDK of OpenTelemetry. Only this module loads its packages, and only where tracing is on. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  getBooleanFromEnv,
  getNumberFromEnv,
  getStringFromEnv,
  getStringListFromEnv,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { CallersSampler } from './callers-sampler.js';
import { type TracedService, type TracingLogger, type TracingSettings } from './tracing.types.js';
import { type Tracing } from './traces.js';

type ExportCallback = Parameters<SpanExporter['export']>[1];

/** `ExportResultCode.SUCCESS`. */
const EXPORTED = 0;
const ATTRIBUTE_CHARACTERS_MAX = 256;
const PARENT_BASED = 'parentbased_';
const QUEUE_SPANS = 2_048;
const BATCH_SPANS = 512;

/** @returns undefined if the standard settings turn traces off */
export function startSdk(
  settings: TracingSettings,
  service: TracedService,
  logger: TracingLogger,
): Tracing | undefined {
  const isOff = getStringFromEnv('OTEL_TRACES_EXPORTER') === 'none';
  if (isOff || getBooleanFromEnv('OTEL_SDK_DISABLED')) return undefined;
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const { base, ratio } = samplerOf(logger);
  const sampler = new CallersSampler(base, { ratio, callersPerSecond: settings.callersPerSecond });
  const provider = new TracerProvider({
    sampler,
    resource: resourceOf(service),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_CHARACTERS_MAX },
    spanProcessors: [batchesTo(withWarnings(exporterTo(settings), logger))],
  });
  const propagators = getStringListFromEnv('OTEL_PROPAGATORS') ?? ['tracecontext'];
  return {
    api,
    tracer: provider.getTracer('gatehouse', service.version),
    propagator: propagators.includes('tracecontext') ? new W3CTraceContextPropagator() : undefined,
    wantsRoot: () => sampler.wantsRoot(),
    close: async (timeoutMs) => {
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([flushed, sleep(timeoutMs, undefined, { ref: false })]);
    },
  };
}

/** OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG. */
function samplerOf(logger: TracingLogger): { base: Sampler; ratio: number } {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const given = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1;
  const roots: Readonly<Record<string, { base: Sampler; ratio: number }>> = {
    always_on: { base: new AlwaysOnSampler(), ratio: 1 },
    always_off: { base: new AlwaysOffSampler(), ratio: 0 },
    traceidratio: { base: new TraceIdRatioBasedSampler(given), ratio: given },
  };
  const root = roots[name.replace(PARENT_BASED, '')];
  if (root === undefined) {
    logger.warn({ sampler: name }, 'OTEL_TRACES_SAMPLER is not known; all traces are recorded');
    return { base: new ParentBasedSampler({ root: new AlwaysOnSampler() }), ratio: 1 };
  }
  const isParentBased = name.startsWith(PARENT_BASED);
  return isParentBased ? { ...root, base: new ParentBasedSampler({ root: root.base }) } : root;
}

/** OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME come before the names of the service itself. */
function resourceOf({ name, version }: TracedService) {
  const own = resourceFromAttributes({ 'service.name': name, 'service.version': version });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The exporter reads its headers and timeouts from the environment itself. */
function exporterTo(settings: TracingSettings): SpanExporter {
  const url = getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? settings.url;
  return getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL') === 'http/json'
    ? new JsonExporter({ url })
    : new ProtobufExporter({ url });
}

function batchesTo(exporter: SpanExporter): BatchSpanProcessor {
  const maxQueueSize = getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE') ?? QUEUE_SPANS;
  const batchSpans = getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? BATCH_SPANS;
  return new BatchSpanProcessor({
    exporter,
    maxQueueSize,
    maxExportBatchSize: Math.min(batchSpans, maxQueueSize),
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
  });
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
