import { type SpanDescription } from '@gatehouse/kit/tracing';

/** The span of a request to another service over Redis, at the asker or at the answerer. */
export function messageSpan(pattern: string, kind: 'client' | 'server'): SpanDescription {
  const attributes = { 'messaging.system': 'redis', 'messaging.destination.name': pattern };
  return { name: pattern, kind, attributes };
}
