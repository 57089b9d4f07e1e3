import { type ProviderSettings } from '@gatehouse/workspace-providers';
import { type DsyncWorkerConfig } from './config.js';

/** How this worker reads workspace directories. */
export function providerSettings(config: DsyncWorkerConfig): ProviderSettings {
  return {
    policy: { allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts },
    timeoutMs: config.workspaceRequestTimeoutSeconds * 1_000,
    answerBytesMax: config.workspaceAnswerBytesMax,
    requestsPerSecond: config.workspaceRequestsPerSecond,
    google: {
      clientId: config.workspaceClientId,
      clientSecret: config.workspaceClientSecret,
      tokenUrl: config.workspaceTokenUrl,
      apiUrl: config.workspaceApiUrl,
      serviceAccount: config.workspaceServiceAccount,
    },
    entra: {
      clientId: config.workspaceEntraClientId,
      clientSecret: config.workspaceEntraClientSecret,
      loginUrl: config.workspaceEntraLoginUrl,
      apiUrl: config.workspaceEntraApiUrl,
    },
  };
}
