/** Span attributes of outbound requests. Paths and queries are left out: they may contain secrets. */
import { fail } from '../tracing/index.js';
import { type Attributes, type Span } from '@opentelemetry/api';

/** The status from which a client sees an error, by the semantic conventions. */
const CLIENT_ERROR = 400;
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export function requestAttributes(method: string, address: string): Attributes {
  const { protocol, hostname, port } = new URL(address);
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': port === '' ? PORTS[protocol] : Number(port),
    'url.scheme': protocol.slice(0, -1),
  };
}

/** @param status undefined if there was no answer */
export function recordAnswer(span: Span | undefined, status: number | undefined): void {
  span?.setAttributes({ 'http.response.status_code': status });
  if (status === undefined) fail(span, 'no_answer');
  else if (status >= CLIENT_ERROR) fail(span, String(status));
}
