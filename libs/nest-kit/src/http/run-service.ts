/** A service as a process: it waits for PostgreSQL, starts, and ends by a signal or a fault. */
import { type Logger } from 'pino';
import { type ServiceConfig } from '../config/service.config.js';
import { createLogger } from '../logging/logger.js';
import { startTracing } from '@gatehouse/kit/tracing';
import { BUILD_INFO } from '../config/build-info.js';
import { type StandIn, untilDatabaseAnswers } from './stand-in.js';
import { type RunningProcess, type ServiceDefinition, startService } from './start-service.js';

/** Runs a service until a signal. */
export function runService(definition: ServiceDefinition): Promise<void> {
  return runProcess(definition, (logger, standIn) => startService(definition, logger, { standIn }));
}

/** What a process is, as long as its services have not been started. */
export type ProcessDefinition = Pick<
  ServiceDefinition,
  'name' | 'config' | 'errors' | 'health' | 'helmet'
>;

/**
 * Runs what `start` starts until a signal, and waits for PostgreSQL first. If the start fails, logs the
 * reason in one line and exits with 1.
 */
export async function runProcess(
  definition: ProcessDefinition,
  start: (logger: Logger, standIn: StandIn | undefined) => Promise<RunningProcess>,
): Promise<void> {
  const { name, config } = definition;
  const logger = createLogger(name, config.logLevel, { isTraced: config.tracing.isOn });
  exitOnUnexpectedFaults(logger);
  try {
    await startTracing(config.tracing, { name, version: BUILD_INFO.version }, logger);
    const running = await endingOnSignals(async () => {
      const { health, errors, helmet } = definition;
      const standIn = health.database
        ? await untilDatabaseAnswers({ config, errors, helmet }, logger)
        : undefined;
      return start(logger, standIn);
    });
    closeOnSignals(running, config, logger);
  } catch (error) {
    logger.flush();
    process.stderr.write(`${name} could not start: ${startFault(error)}\n`);
    process.exit(1);
  }
}

/**
 * Until the process serves, a signal ends it at once: nothing is under way that PostgreSQL would not take back. As the
 * first process of a container, it would otherwise be deaf to signals.
 */
async function endingOnSignals<T>(work: () => Promise<T>): Promise<T> {
  const end = () => process.exit(0);
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  try {
    return await work();
  } finally {
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
  }
}

/** SIGINT is Ctrl-C: no load balancer has to notice, so there is no drain time. */
function closeOnSignals(
  { close }: RunningProcess,
  { drainTimeSeconds, shutdownTimeoutSeconds }: ServiceConfig,
  logger: Logger,
): void {
  let isClosing = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isClosing) return;
    isClosing = true;
    logger.info({ signal }, 'shutting down');
    const urgent = signal === 'SIGINT';
    const timeoutSeconds = (urgent ? 0 : drainTimeSeconds) + shutdownTimeoutSeconds;
    const giveUp = setTimeout(() => {
      logger.error({ timeoutSeconds }, 'shutdown took too long');
      logger.flush();
      process.exit(1);
    }, timeoutSeconds * 1000);
    close({ urgent }).then(
      () => {
        clearTimeout(giveUp);
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'shutdown failed');
        logger.flush();
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function exitOnUnexpectedFaults(logger: Logger): void {
  const exit = (error: unknown) => {
    logger.fatal({ err: error }, 'unexpected fault');
    logger.flush();
    process.exit(1);
  };
  process.on('uncaughtException', exit);
  process.on('unhandledRejection', exit);
}

function startFault(error: unknown): string {
  const { message, code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (code === 'EADDRINUSE') return `port ${port} is taken (set another in its place)`;
  if (code === 'ECONNREFUSED') return `PostgreSQL does not answer at ${address}:${port}`;
  return message || (code ?? String(error));
}
