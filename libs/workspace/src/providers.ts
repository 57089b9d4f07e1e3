import { type OutboundPolicy } from '@gatehouse/delivery';
import { GoogleProvider } from './google/google.provider.js';
import { type GoogleSettings } from './google/google.settings.js';
import { ProviderHttp } from './http/provider-http.js';
import { RequestPacer } from './http/request-pacer.js';
import { type ProviderName, type WorkspaceProvider } from './provider.js';

export interface ProviderSettings {
  policy: OutboundPolicy;
  /** Of one request. */
  timeoutMs: number;
  answerBytesMax: number;
  /** To each provider, by this process. */
  requestsPerSecond: number;
  google: GoogleSettings;
  /** Of the first try again; for tests. */
  retryDelayMs?: number;
}

export interface Providers {
  of(name: ProviderName): WorkspaceProvider;
  /** Ends the requests in flight. */
  close(): Promise<void>;
}

export function createProviders(settings: ProviderSettings): Providers {
  const http = new ProviderHttp(settings);
  const { requestsPerSecond, retryDelayMs } = settings;
  const google = new GoogleProvider(
    settings.google,
    http,
    new RequestPacer(requestsPerSecond),
    retryDelayMs,
  );
  return { of: () => google, close: () => http.close() };
}
