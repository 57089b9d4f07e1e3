/** A logger for problems that no result reports; a pino logger fits. */
export interface SyncLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLogger: SyncLogger = { warn: () => undefined, error: () => undefined };
