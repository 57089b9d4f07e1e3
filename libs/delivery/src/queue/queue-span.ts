import { type SpanDescription } from '@gatehouse/kit/tracing';

/** The span of a job that is put into a queue, or taken from it. */
export function queueSpan(operation: 'send' | 'process', queue: string): SpanDescription {
  return {
    name: `${operation} ${queue}`,
    kind: operation === 'send' ? 'producer' : 'consumer',
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.destination.name': queue,
      'messaging.operation.name': operation,
      'messaging.operation.type': operation,
    },
  };
}
