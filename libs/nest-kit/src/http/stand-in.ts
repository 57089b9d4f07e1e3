/**
 * Answers in place of a service that waits for PostgreSQL at its start: alive, and not ready. A
 * process that ended instead would be restarted ever more slowly (CrashLoopBackOff), and stay away for
 * minutes after the database is back.
 */
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HelmetOptions } from 'helmet';
import { type Logger } from 'pino';
import { type ServiceConfig } from '../config/service.config.js';
import { BoundedClient } from '@gatehouse/kit/sql';
import { DomainError } from '@gatehouse/kit/errors';
import { type ErrorProtocol, PLAIN_ERRORS } from '../errors/error-protocol.js';
import { KitErrors } from '@gatehouse/kit/errors';
import { newRequestId, REQUEST_ID_HEADER } from './request-id.js';
import { API_HEADERS, securityHeaders } from './security-headers.js';

export interface StandIn {
  /** Stops listening, so that the service can take the port. */
  close: () => Promise<void>;
}

export interface StandInOptions {
  config: ServiceConfig;
  errors?: ErrorProtocol;
  helmet?: HelmetOptions;
}

const ANSWER_TIMEOUT_MS = 5_000;
const PAUSE_MS = 1_000;
const LOG_INTERVAL_MS = 30_000;

/**
 * Waits until PostgreSQL answers, however long that takes.
 *
 * @returns the server that has answered meanwhile; undefined if PostgreSQL answered at once
 * @throws Error if the port is taken
 */
export async function untilDatabaseAnswers(
  options: StandInOptions,
  logger: Logger,
): Promise<StandIn | undefined> {
  const { url: databaseUrl } = options.config.database;
  let fault = await databaseFault(databaseUrl);
  if (fault === undefined) return undefined;
  const server = await listen(options);
  for (let loggedAt = -Infinity; fault !== undefined; fault = await databaseFault(databaseUrl)) {
    if (performance.now() - loggedAt >= LOG_INTERVAL_MS) {
      loggedAt = performance.now();
      logger.warn({ reason: fault }, 'waiting for PostgreSQL');
    }
    await sleep(PAUSE_MS);
  }
  logger.info('PostgreSQL answers');
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Why PostgreSQL does not answer; undefined if it does. */
async function databaseFault(connectionString: string): Promise<string | undefined> {
  const client = new BoundedClient({
    connectionString,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return undefined;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return message || (code ?? 'no answer');
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function listen({ config, errors = PLAIN_ERRORS, helmet }: StandInOptions): Promise<Server> {
  const headers = securityHeaders(helmet ?? API_HEADERS);
  const fault = new DomainError(KitErrors.UNAVAILABLE);
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const id = newRequestId();
    const isAlive = url === '/health/alive';
    const isHealth = url.startsWith('/health/');
    const body = isAlive ? ALIVE : isHealth ? UNREADY : errors.body(fault, id);
    const type = isHealth ? 'application/json; charset=utf-8' : errors.mediaType;
    response.writeHead(isAlive ? 200 : 503, [
      REQUEST_ID_HEADER,
      id,
      ...headers,
      'content-type',
      type,
      ...(isAlive ? [] : ['retry-after', '1']),
      // The service takes the port soon, on connections of its own.
      'connection',
      'close',
    ]);
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  return server;
}

const ALIVE = { status: 'ok' };
const UNREADY = { status: 'unavailable', errors: { database: 'not reachable' } };
