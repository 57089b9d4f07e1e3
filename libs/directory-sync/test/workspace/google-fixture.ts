// Two replicas of directory sync, and a server that speaks Google's API.
import { type FakeGoogle, startFakeGoogle, type TestDatabase } from '@gatehouse/testing';
import { asServiceAccount } from '@gatehouse/workspace-providers';
import { type DirectorySyncOptions } from '../../src/controller.js';
import { createSyncDatabase, EXTERNAL_URL, openSync, type TestSync } from '../harness.js';

const CALLBACK = `${EXTERNAL_URL}/api/scim/oauth/callback`;

export interface GoogleFixture {
  google: FakeGoogle;
  database: TestDatabase;
  first: TestSync;
  second: TestSync;
}

/** The options of a controller that reads directories from a fake Google. */
export function workspaceOf({ accounts, url, settings }: FakeGoogle) {
  const { clientId, clientSecret } = accounts;
  const options: DirectorySyncOptions['workspace'] = {
    retryDelayMs: 1,
    google: {
      clientId,
      clientSecret,
      apiUrl: url,
      authUrl: settings.WORKSPACE_AUTH_URL,
      tokenUrl: settings.WORKSPACE_TOKEN_URL,
      serviceAccount: asServiceAccount(accounts.serviceAccountKey()),
    },
  };
  return options;
}

/** Sets up the fixture for the tests of the calling file. */
export function useGoogle(): GoogleFixture {
  const fixture = {} as GoogleFixture;
  beforeAll(async () => {
    fixture.google = await startFakeGoogle();
    fixture.database = await createSyncDatabase();
    const workspace = workspaceOf(fixture.google);
    fixture.first = await openSync(fixture.database.url, { workspace });
    fixture.second = await openSync(fixture.database.url, { workspace });
  });
  afterAll(async () => {
    await fixture.first.close();
    await fixture.second.close();
    await fixture.database.drop();
    await fixture.google.close();
  });
  return fixture;
}

export async function authorizationUrl({ sync }: TestSync, directoryId: string): Promise<string> {
  const { data, error } = await sync.workspace.generateAuthorizationUrl(directoryId);
  if (error) throw new Error(error.message);
  return data.authorizationUrl;
}

/** The parameters that Google sends the browser of an administrator back with. */
export async function consent(
  google: FakeGoogle,
  address: string,
): Promise<{ state: string; code: string }> {
  const back = new URL(await google.consent(address));
  expect(back.href.startsWith(CALLBACK)).toBe(true);
  return Object.fromEntries(back.searchParams) as { state: string; code: string };
}

/** Connects a directory by the consent of an administrator. */
export async function connect(google: FakeGoogle, test: TestSync, id: string): Promise<void> {
  const answer = await consent(google, await authorizationUrl(test, id));
  const { error } = await test.sync.workspace.completeAuthorization(answer);
  if (error) throw new Error(error.message);
}
