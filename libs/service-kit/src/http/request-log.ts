import { type FastifyInstance } from 'fastify';
import { type Logger } from 'pino';

export interface RequestLogEntry {
  requestId: string;
  method: string;
  /** The template of the route, never the path: people put credentials there. */
  route: string;
  status: number;
  durationMs: number;
}

export type RequestLogger = (entry: RequestLogEntry) => void;

/** One line a request. Nothing in it needs redaction, which would cost more than the line. */
export function requestLogger(logger: Logger): RequestLogger {
  if (!logger.isLevelEnabled('info')) return () => undefined;
  const plain = logger.child({}, { redact: [] });
  return (entry) => {
    const durationMs = Math.round(entry.durationMs * 1000) / 1000;
    plain.info({ ...entry, durationMs }, 'request');
  };
}

/** Logs every request that Fastify answers. */
export function logRequests(fastify: FastifyInstance, logger: Logger, log: RequestLogger): void {
  if (!logger.isLevelEnabled('info')) return;
  fastify.addHook('onResponse', (request, reply, done) => {
    log({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unmatched',
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    });
    done();
  });
}
