// Setup links of workspace directories: what applications, browsers and providers do with them.
import { type FakeGoogle } from '@gatehouse/testing';
import { type NewSetupLinkInput } from '../src/links/setup-link.input.js';
import { type SetupConsentOutcome } from '../src/links/setup-consents.js';
import { type AuthorizationAnswer } from '@gatehouse/directory-sync/parts';
import { createWorkspaceRuns } from '@gatehouse/directory-sync';
import { type Json, silentLogger, type TestSync } from '@gatehouse/directory-sync/testing';
import { CALL, setupOf, unwrap } from './setup-of.js';

/** A link that a browser has opened. */
export interface OpenedLink {
  id: string;
  directoryId: string;
  cookie: string;
}

export async function openLink(
  test: TestSync,
  input: Partial<NewSetupLinkInput>,
): Promise<OpenedLink> {
  const { id, directory_id, url } = await unwrap(setupOf(test).links.create(input, CALL));
  const secret = new URL(url).pathname.replace('/setup/', '');
  const { cookie } = await unwrap(setupOf(test).sessions.open(secret, CALL));
  return { id, directoryId: directory_id, cookie };
}

/** A link, which was opened, of a new directory of Google Workspace. */
export const openGoogleLink = (test: TestSync, input: Partial<NewSetupLinkInput> = {}) =>
  openLink(test, {
    tenant: `t-${crypto.randomUUID()}`,
    product: 'p',
    type: 'workspace',
    workspace_domain: 'example.com',
    ...input,
  });

/** Begins the consent of a session. @returns what Google answers */
export async function answerTo(
  test: TestSync,
  google: FakeGoogle,
  { cookie }: OpenedLink,
): Promise<AuthorizationAnswer & { state: string }> {
  const { authorizationUrl } = await unwrap(setupOf(test).consents.begin(cookie));
  const back = new URL(await google.consent(authorizationUrl));
  return Object.fromEntries(back.searchParams) as { state: string };
}

/** @returns the outcome, or the status of the error */
export async function finish(
  test: TestSync,
  { cookie }: Pick<OpenedLink, 'cookie'>,
  answer: AuthorizationAnswer,
): Promise<SetupConsentOutcome | number> {
  const { data, error } = await setupOf(test).consents.finish(cookie, answer, CALL);
  return error ? error.code : data.outcome;
}

/** Carries out the run that is queued for a directory. */
export async function runQueued({ dataSource, sync }: TestSync, directoryId: string) {
  const runs = createWorkspaceRuns({
    dataSource,
    sessions: sync.connections,
    logger: silentLogger,
    maxDeleteRatio: 0.2,
    wakeLane: () => undefined,
  });
  try {
    const [run] = await unwrap(sync.workspaceRuns.list(directoryId)).then(({ items }) => items);
    await runs.run(run?.id ?? '', { signal: new AbortController().signal });
  } finally {
    await runs.close();
  }
}

/** The connection of a directory, its runs, and what is on its way to the provider. */
export async function storedOf({ dataSource }: TestSync, directoryId: string) {
  const [row] = await dataSource.query<Json[]>(
    `SELECT c.state, c.access_token_sealed IS NOT NULL AS "hasTokens",
       (SELECT count(*)::integer FROM dsync.workspace_runs r WHERE r.directory_id = $1) AS runs,
       (SELECT count(*)::integer FROM dsync.workspace_authorizations a WHERE a.directory_id = $1)
         AS authorizations
     FROM dsync.workspace_connections c WHERE c.directory_id = $1`,
    [directoryId],
  );
  return row as { state: string; hasTokens: boolean; runs: number; authorizations: number };
}
