import { type SpanDescription } from '../tracing/traces.js';

/** The span of a request to another service, at the asker or at the answerer. */
export function messageSpan(
  system: 'redis' | 'local',
  pattern: string,
  kind: 'client' | 'server',
): SpanDescription {
  const attributes = { 'messaging.system': system, 'messaging.destination.name': pattern };
  return { name: pattern, kind, attributes };
}
