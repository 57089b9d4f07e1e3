import { type FakeEntra } from '@gatehouse/testing';

/** The options of a controller that reads directories from a fake Entra ID. */
export function entraOf({ settings, url }: FakeEntra) {
  return {
    clientId: settings.WORKSPACE_ENTRA_CLIENT_ID,
    clientSecret: settings.WORKSPACE_ENTRA_CLIENT_SECRET,
    loginUrl: url,
    apiUrl: settings.WORKSPACE_ENTRA_API_URL,
  };
}
