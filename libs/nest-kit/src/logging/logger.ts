/**
 * JSON lines on stdout: a fixed message plus fields, so that lines can be counted and searched.
 * ERROR means that an operator must act. Credentials are redacted by field name at any depth.
 */
import { type LoggerService, type LogLevel } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { currentSpanContext } from '@gatehouse/kit/tracing';

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

export interface LoggerOptions {
  /** Stdout by default. */
  destination?: DestinationStream;
  /** Adds the current position in a trace to each line. */
  isTraced?: boolean;
}

export function createLogger(
  name: string,
  level: string,
  { destination = standardOutput(), isTraced = false }: LoggerOptions = {},
): Logger {
  return pino(
    {
      name,
      level,
      base: { service: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: withoutValues },
      ...(isTraced && { mixin: traceFields }),
      redact: {
        paths: CREDENTIAL_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]),
        censor: '[secret]',
      },
    },
    destination,
  );
}

let output: DestinationStream | undefined;

/** One for the process, so that the lines of several loggers do not mix. */
function standardOutput(): DestinationStream {
  return (output ??= pino.destination({ dest: 1, sync: false, minLength: 0 }));
}

/** Under the names that OpenTelemetry gives them in logs. */
function traceFields(): object {
  const current = currentSpanContext();
  if (current === undefined) return {};
  const { traceId, spanId, traceFlags } = current;
  return { trace_id: traceId, span_id: spanId, trace_flags: String(traceFlags).padStart(2, '0') };
}

/** Fields of errors that contain values of a statement, and so personal data. */
const VALUE_FIELDS = ['parameters', 'driverError', 'detail'];

/**
 * An error for the log, without values: ioredis adds the arguments of the failed command, TypeORM the
 * parameters of the statement, and PostgreSQL the row in `detail`.
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

/** Sends Nest's log lines (startup, microservice transport) to the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, text(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const err = message instanceof Error ? message : undefined;
    const context = rest.at(-1);
    // A failed connection to PostgreSQL at startup is retried, or ends the startup with an error.
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
    // LOG_LEVEL sets the level.
  }
}

function text(message: unknown): string {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : JSON.stringify(message);
}
