/**
 * JSON lines on stdout: a fixed message plus fields, so that lines can be counted and searched.
 * ERROR means that somebody must act. Credentials are cut out by name wherever they stand.
 */
import { type LoggerService, type LogLevel } from '@nestjs/common';
import { type Logger, pino } from 'pino';

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

export function createLogger(name: string, level: string): Logger {
  return pino(
    {
      name,
      level,
      base: { service: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: CREDENTIAL_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]),
        censor: '[secret]',
      },
    },
    pino.destination({ dest: 1, sync: false, minLength: 0 }),
  );
}

/** Lets Nest's own lines (start-up, microservice transport) go through the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, text(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const err = message instanceof Error ? message : undefined;
    this.logger.error({ context: rest.at(-1), err }, text(message));
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
