import { type ProviderSettings } from '@gatehouse/workspace-providers';
import { type DsyncWorkerConfig } from './config.js';

const TIMEOUT_MS = 30_000;
/** A longer answer of a provider is refused. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** How this worker reads workspace directories. */
export function providerSettings(config: DsyncWorkerConfig): ProviderSettings {
  return {
    policy: config.webhooks,
    timeoutMs: TIMEOUT_MS,
    answerBytesMax: ANSWER_BYTES_MAX,
    requestsPerSecond: config.workspace.requestsPerSecond,
    google: {
      clientId: config.workspace.googleClientId,
      clientSecret: config.workspace.googleClientSecret,
      tokenUrl: config.workspace.googleTokenUrl,
      apiUrl: config.workspace.googleApiUrl,
      serviceAccount: config.workspace.googleServiceAccount,
    },
    entra: {
      clientId: config.workspace.entraClientId,
      clientSecret: config.workspace.entraClientSecret,
      loginUrl: config.workspace.entraLoginUrl,
      apiUrl: config.workspace.entraApiUrl,
    },
  };
}
