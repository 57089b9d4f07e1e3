/** What spans say about requests to others: never a path or a query, which may contain secrets. */
import { type RecordedSpan, type SpanAttributes } from '@gatehouse/kit/tracing';

/** The status from which a client sees an error, by the semantic conventions. */
const CLIENT_ERROR = 400;
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export function requestAttributes(method: string, address: string): SpanAttributes {
  const { protocol, hostname, port } = new URL(address);
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': port === '' ? PORTS[protocol] : Number(port),
    'url.scheme': protocol.slice(0, -1),
  };
}

/** @param status undefined if there was no answer */
export function recordAnswer(span: RecordedSpan | undefined, status: number | undefined): void {
  span?.set({ 'http.response.status_code': status });
  if (status === undefined) span?.fail('no_answer');
  else if (status >= CLIENT_ERROR) span?.fail(String(status));
}
