import { IsIn, Matches, Max, Min } from 'class-validator';
import { parseUrl } from '@gatehouse/kit/input';
import { type Sampler, SAMPLERS } from '@gatehouse/kit/tracing';
import { type TracingSettings } from '@gatehouse/kit/tracing';
import { DatabaseConfig } from '@gatehouse/kit/settings';
import { Env, Secret } from '@gatehouse/kit/settings';
import { asBoolean, asInteger, asList } from '@gatehouse/kit/settings';

const DEFAULT_ENDPOINT = 'http://localhost:4318';
const TRACES_PATH = 'v1/traces';
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
/** Nothing in Gatehouse reads or passes on baggage; it is in the standard's default. */
const PROPAGATORS = ['tracecontext', 'baggage', 'none'];

/**
 * The standard settings of OpenTelemetry for traces. Tracing is on if one of them names an endpoint
 * or an exporter.
 */
export class TracingConfig extends DatabaseConfig implements TracingSettings {
  @Env('OTEL_SDK_DISABLED', asBoolean)
  otelSdkDisabled = false;

  @Env('OTEL_TRACES_EXPORTER')
  @IsIn(['', 'otlp', 'none'], { message: 'must be otlp or none' })
  otelTracesExporter = '';

  /** The address of a collector, to which `/v1/traces` is added. */
  @Env('OTEL_EXPORTER_OTLP_ENDPOINT', asHttpUrl)
  otelEndpoint = '';

  /** The whole address for traces. */
  @Env('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', asHttpUrl)
  otelTracesEndpoint = '';

  @Env('OTEL_EXPORTER_OTLP_PROTOCOL')
  @IsIn(PROTOCOLS, { message: `must be ${PROTOCOLS.join(' or ')}` })
  otelProtocol: TracingSettings['otelProtocol'] = 'http/protobuf';

  @Secret()
  @Env('OTEL_EXPORTER_OTLP_HEADERS', asPairs)
  otelHeaders: Record<string, string> = {};

  @Secret()
  @Env('OTEL_EXPORTER_OTLP_TRACES_HEADERS', asPairs)
  otelTracesHeaders: Record<string, string> = {};

  /** Milliseconds for one export, its retries included. */
  @Env('OTEL_EXPORTER_OTLP_TIMEOUT', asInteger)
  @Min(1)
  @Max(60_000)
  otelTimeoutMs = 10_000;

  @Env('OTEL_SERVICE_NAME')
  @Matches(/^.{0,128}$/, { message: 'must have at most 128 characters' })
  otelServiceName = '';

  @Env('OTEL_RESOURCE_ATTRIBUTES', asPairs)
  otelResourceAttributes: Record<string, string> = {};

  @Env('OTEL_PROPAGATORS', asList)
  @IsIn(PROPAGATORS, { each: true, message: `may be ${PROPAGATORS.join(', ')}` })
  otelPropagators: string[] = ['tracecontext', 'baggage'];

  @Env('OTEL_TRACES_SAMPLER')
  @IsIn(SAMPLERS, { message: `must be one of ${SAMPLERS.join(', ')}` })
  otelSampler: Sampler = 'parentbased_always_on';

  @Env('OTEL_TRACES_SAMPLER_ARG', asRatio)
  otelSamplerRatio = 1;

  /** Traces per second that callers may demand by `traceparent`, beyond what is sampled anyway. */
  @Env('TRACE_CALLERS_PER_SECOND', asInteger)
  @Min(0)
  @Max(100_000)
  traceCallersPerSecond = 10;

  @Env('OTEL_BSP_SCHEDULE_DELAY', asInteger)
  @Min(1)
  @Max(60_000)
  otelBatchDelayMs = 5_000;

  @Env('OTEL_BSP_EXPORT_TIMEOUT', asInteger)
  @Min(1)
  @Max(60_000)
  otelBatchTimeoutMs = 30_000;

  /** Spans that wait for their export; further ones are dropped. */
  @Env('OTEL_BSP_MAX_QUEUE_SIZE', asInteger)
  @Min(1)
  @Max(65_536)
  otelQueueSpansMax = 2_048;

  @Env('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', asInteger)
  @Min(1)
  @Max(65_536)
  otelBatchSpansMax = 512;

  get isTraced(): boolean {
    const isNamed = [this.otelTracesExporter, this.otelEndpoint, this.otelTracesEndpoint].some(
      (text) => text !== '',
    );
    return isNamed && !this.otelSdkDisabled && this.otelTracesExporter !== 'none';
  }

  /** Where spans are sent. */
  get tracesUrl(): string {
    if (this.otelTracesEndpoint !== '') return this.otelTracesEndpoint;
    const base = this.otelEndpoint === '' ? DEFAULT_ENDPOINT : this.otelEndpoint;
    return base.endsWith('/') ? base + TRACES_PATH : `${base}/${TRACES_PATH}`;
  }
}

/** The text is not repeated, because it may contain a password. */
function asHttpUrl(text: string): string {
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error('must be an http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('must not contain a user name or password (set OTEL_EXPORTER_OTLP_HEADERS)');
  }
  return text;
}

/** `key=value,key=value`, percent-encoded, as OpenTelemetry and W3C Baggage write it. */
function asPairs(text: string): Record<string, string> {
  return Object.fromEntries(
    asList(text).map((pair) => {
      const at = pair.indexOf('=');
      try {
        const [key, value] = [pair.slice(0, at), pair.slice(at + 1)].map((part) =>
          decodeURIComponent(part.trim()),
        ) as [string, string];
        if (at > 0 && /^[\x21-\x7e]+$/.test(key) && !/[\r\n\0]/.test(value)) return [key, value];
      } catch {
        // Reported below.
      }
      throw new Error('must be pairs of the form key=value, separated by commas, percent-encoded');
    }),
  );
}

function asRatio(text: string): number {
  const ratio = Number(text);
  if (/^\d*\.?\d+(e-\d+)?$/i.test(text) && ratio <= 1) return ratio;
  throw new Error('must be a number from 0 to 1, such as 0.01');
}
