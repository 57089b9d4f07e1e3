/** Setup pages show the run that a consent starts, and when it connects the link. */
import { type FakeGoogle } from '@gatehouse/testing';
import { type Json, type TestSync, useGoogle } from '@gatehouse/directory-sync/testing';
import {
  answerTo,
  finish,
  type OpenedLink,
  openGoogleLink,
  openLink,
  runQueued,
} from './setup-fixture.js';
import { CALL, setupOf, unwrap } from './setup-of.js';

const fixture = useGoogle();
let google: FakeGoogle;
let first: TestSync;
let second: TestSync;
let link: OpenedLink;

const NOTHING_YET = { hasConsented: false, isConnected: false, run: null, hasNoGroup: false };

const newLink = (input: object = {}) => openGoogleLink(first, input);

beforeEach(async () => {
  ({ google, first, second } = fixture);
  link = await newLink();
});

describe('what is read with a consent', () => {
  const reading = (test = second) => unwrap(setupOf(test).consents.reading(link.cookie));
  const complete = () => setupOf(second).sessions.complete(link.cookie, CALL);
  const noticesOf = async () => {
    const rows = await first.dataSource.query<Json[]>(
      `SELECT type FROM dsync.events WHERE type LIKE 'directory.setup%'
         AND data->>'directory_id' = $1 ORDER BY sequence`,
      [link.directoryId],
    );
    return rows.map(({ type }) => type as string);
  };

  it('is shown from the queue to the end, and connects the link once', async () => {
    expect(await reading()).toEqual(NOTHING_YET);
    await finish(second, link, await answerTo(first, google, link));
    const queued = { state: 'queued', users: 0, groups: 0, error: null };
    expect(await reading()).toMatchObject({
      hasConsented: true,
      isConnected: false,
      run: queued,
    });
    expect((await complete()).error?.code).toBe(409);
    await setupOf(first).sessions.markConnected();
    expect(await noticesOf()).toEqual(['directory.setup_opened']);

    await runQueued(first, link.directoryId);
    await Promise.all([first, second].map((test) => setupOf(test).sessions.markConnected()));
    expect(await reading()).toMatchObject({
      isConnected: true,
      run: { state: 'succeeded', users: 3, groups: 1, error: null, isUnchanged: false },
    });
    expect((await complete()).error).toBeNull();
    expect(await noticesOf()).toEqual(
      ['opened', 'connected', 'completed'].map((name) => `directory.setup_${name}`),
    );
    expect(await unwrap(setupOf(first).links.get(link.id))).toMatchObject({ state: 'completed' });
    expect((await setupOf(second).consents.reading(link.cookie)).error?.code).toBe(410);
  });

  it('is seen by the page at once, without waiting for a task', async () => {
    await finish(second, link, await answerTo(first, google, link));
    await runQueued(first, link.directoryId);
    expect(await reading()).toMatchObject({ isConnected: true });
    expect(await unwrap(setupOf(first).links.get(link.id))).toMatchObject({ state: 'connected' });
  });

  it('fails with a reason for an account of another organization, until the right one', async () => {
    link = await newLink({ workspace_domain: 'elsewhere.example' });
    await finish(second, link, await answerTo(first, google, link));
    await runQueued(first, link.directoryId);
    expect(await reading()).toMatchObject({
      isConnected: false,
      run: { state: 'failed', error: expect.stringContaining('workspace_domain') },
    });
    expect((await complete()).error?.code).toBe(409);
    await unwrap(
      first.sync.directories.update(link.directoryId, { workspace_domain: 'example.com' }),
    );
    await finish(second, link, await answerTo(first, google, link));
    expect(await reading()).toMatchObject({ isConnected: false, run: { state: 'queued' } });
    await runQueued(first, link.directoryId);
    expect(await reading()).toMatchObject({ isConnected: true, run: { state: 'succeeded' } });
  });

  it('needs a new consent once the access was revoked', async () => {
    await finish(second, link, await answerTo(first, google, link));
    google.accounts.revokeConsents();
    await runQueued(first, link.directoryId);
    expect(await reading()).toMatchObject({ run: { state: 'failed', needsConsent: true } });
  });

  it('is not that of a consent before the link was opened', async () => {
    await finish(second, link, await answerTo(first, google, link));
    await runQueued(first, link.directoryId);
    link = await openLink(first, { directory_id: link.directoryId });
    await setupOf(first).sessions.markConnected();
    expect(await reading()).toEqual(NOTHING_YET);
    expect((await complete()).error?.code).toBe(409);
  });
});
