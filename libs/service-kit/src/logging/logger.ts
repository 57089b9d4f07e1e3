/**
 * JSON lines on stdout: a fixed message plus fields, so that lines can be counted and searched.
 * ERROR means that somebody must act. Credentials are cut out by name wherever they stand.
 */
import { type LoggerService, type LogLevel } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';

/** Injection token of the process's logger. */
export const LOGGER = Symbol('LOGGER');

const CREDENTIAL_FIELDS = [
  'authorization',
  'apiSecret',
  'cookie',
  'credential',
  'password',
  'raw_key',
  'secret',
  'token',
  'x-admin-authorization',
  'x-api-key',
];

/** @param destination where lines go; stdout when left out */
export function createLogger(
  name: string,
  level: string,
  destination: DestinationStream = pino.destination({ dest: 1, sync: false, minLength: 0 }),
): Logger {
  return pino(
    {
      name,
      level,
      base: { service: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: withoutValues },
      redact: {
        paths: CREDENTIAL_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]),
        censor: '[secret]',
      },
    },
    destination,
  );
}

/** Fields of errors that hold values of a statement, and with them people's data. */
const VALUE_FIELDS = ['parameters', 'driverError', 'detail'];

/**
 * An error as a log line shows it, without the values behind it: ioredis adds the arguments of the
 * failed command, TypeORM the parameters of the statement and PostgreSQL the row in `detail`.
 */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const shown: Record<string, unknown> = { ...pino.stdSerializers.err(error) };
  VALUE_FIELDS.forEach((field) => delete shown[field]);
  if (shown.command) {
    shown.command = (shown.command as { name?: unknown }).name;
  }
  return shown;
}

/** Lets Nest's own lines (start-up, microservice transport) go through the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, text(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const err = message instanceof Error ? message : undefined;
    const context = rest.at(-1);
    // A try to reach PostgreSQL at start is followed by another, or by a start that fails.
    const level = context === 'TypeOrmModule' ? 'warn' : 'error';
    this.logger[level]({ context, err }, text(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, text(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, text(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, text(message));
  }

  setLogLevels(_levels: LogLevel[]): void {
    // The level is fixed by LOG_LEVEL at start.
  }
}

function text(message: unknown): string {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : JSON.stringify(message);
}
