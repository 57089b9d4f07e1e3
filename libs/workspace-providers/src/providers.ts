import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import { EntraProvider } from './entra/entra.provider.js';
import { ENTRA_DEFAULTS, type EntraSettings } from './entra/entra.settings.js';
import { GoogleProvider } from './google/google.provider.js';
import { GOOGLE_DEFAULTS, type GoogleSettings } from './google/google.settings.js';
import { ProviderHttp } from './http/provider-http.js';
import { RequestPacer } from './http/request-pacer.js';
import { type ProviderName, type WorkspaceProvider } from './provider.js';

export interface ProviderSettings {
  /** As for webhooks. */
  policy: OutboundPolicy;
  google?: Partial<GoogleSettings>;
  entra?: Partial<EntraSettings>;
  /** Timeout of one request; 30 s by default. */
  timeoutMs?: number;
  /** 16 MiB by default. */
  answerBytesMax?: number;
  /** To each provider, by this process; 20 by default. */
  requestsPerSecond?: number;
  /** Delay of the first retry; for tests. */
  retryDelayMs?: number;
}

export interface Providers {
  of(name: ProviderName): WorkspaceProvider;
  /** Ends the requests in flight. */
  close(): Promise<void>;
}

export function createProviders(settings: ProviderSettings): Providers {
  const { policy, timeoutMs = 30_000, answerBytesMax = 16 * 1024 * 1024, retryDelayMs } = settings;
  const { requestsPerSecond = 20 } = settings;
  const http = new ProviderHttp({ policy, timeoutMs, answerBytesMax });
  const pacer = () => new RequestPacer(requestsPerSecond);
  const googleSettings = { ...GOOGLE_DEFAULTS, ...settings.google };
  const entraSettings = { ...ENTRA_DEFAULTS, ...settings.entra };
  const providers = {
    google: new GoogleProvider(googleSettings, http, pacer(), retryDelayMs),
    entra: new EntraProvider(entraSettings, http, pacer(), retryDelayMs),
  };
  return { of: (name) => providers[name], close: () => http.close() };
}
