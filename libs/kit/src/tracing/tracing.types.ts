export interface TracingLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The settings that are not the SDK's own; see TracingConfig. */
export interface TracingSettings {
  readonly isOn: boolean;
  /** The whole address for traces, by default. */
  readonly url: string;
  readonly callersPerSecond: number;
}

/** The service that is traced. */
export interface TracedService {
  name: string;
  version: string;
}
