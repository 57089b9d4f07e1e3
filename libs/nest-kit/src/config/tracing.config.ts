import { Max, Min } from 'class-validator';
import { parseUrl } from '@gatehouse/kit/input';
import { asInteger, Env } from '@gatehouse/kit/settings';
import { type TracingSettings } from '@gatehouse/kit/tracing';

const TRACES_PATH = 'v1/traces';

/**
 * Whether spans are exported. The SDK of OpenTelemetry, which is loaded only then, reads its own settings
 * from the environment.
 */
export class TracingConfig implements TracingSettings {
  @Env(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'The address of a collector, such as `http://collector:4318`, to which `/v1/traces` is added; ' +
      'turns [traces](docs/operations.md#traces) on',
    asHttpUrl,
  )
  endpoint = '';

  @Env(
    'TRACE_CALLERS_PER_SECOND',
    'Traces per second and process that callers may demand by `traceparent`, beyond what is sampled anyway',
    asInteger,
  )
  @Min(0)
  @Max(100_000)
  callersPerSecond = 10;

  get isOn(): boolean {
    return this.endpoint !== '';
  }

  get url(): string {
    return this.endpoint.endsWith('/')
      ? this.endpoint + TRACES_PATH
      : `${this.endpoint}/${TRACES_PATH}`;
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
