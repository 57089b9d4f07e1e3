/** The keys of GitHub are read from where it publishes them, seldom, and never trusted blindly. */
import { type FakeGithubKeys, startFakeGithubKeys } from '@gatehouse/testing';
import { pino } from 'pino';
import { type KeyServiceConfig } from '../src/config.js';
import { GithubKeys, isSignedBy } from '../src/keys/leaks/github-keys.js';

const MINUTE_MS = 60_000;
const BODY = Buffer.from('[{"token":"a"}]');

let github: FakeGithubKeys;
let keys: GithubKeys;

beforeEach(async () => {
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
    ],
  });
  github = await startFakeGithubKeys();
  const config = { secretScanningKeysUrl: github.url } as KeyServiceConfig;
  keys = new GithubKeys(config, pino({ enabled: false }));
});
afterEach(async () => {
  jest.useRealTimers();
  await keys.onApplicationShutdown();
  await github.close();
});

/** Sets the clock forward; timers run on. */
const pass = (ms: number) => jest.advanceTimersByTime(ms);
const idOf = (headers: Record<string, string>) => headers['github-public-key-identifier'] as string;
/** Whether a body that is signed now is accepted; the code of the error if that cannot be said. */
const accepts = async (headers = github.headersFor(BODY)) => {
  try {
    const key = await keys.find(idOf(headers));
    return key !== undefined && isSignedBy(key, BODY, headers['github-public-key-signature'] ?? '');
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const UNAVAILABLE = 'LEAK_REPORTER_KEYS_UNAVAILABLE';

it('reads them once for reports that come together, and not for those that come later', async () => {
  expect(await Promise.all(Array.from({ length: 10 }, () => accepts()))).not.toContain(false);
  expect(await accepts()).toBe(true);
  expect(github.reads).toBe(1);
});

it('reads them again for a key that is not known, every five minutes at most', async () => {
  expect(await accepts()).toBe(true);
  github.rotate();
  expect(await Promise.all(Array.from({ length: 50 }, () => accepts()))).not.toContain(true);
  expect([await accepts(), github.reads]).toEqual([UNAVAILABLE, 1]);
  pass(5 * MINUTE_MS);
  expect([await accepts(), github.reads]).toEqual([true, 2]);
});

it('says after a read that GitHub has no such key', async () => {
  const unknown = { ...github.headersFor(BODY), 'github-public-key-identifier': 'unknown' };
  expect(await accepts(unknown)).toBe(false);
  expect(await accepts(unknown)).toBe(UNAVAILABLE);
});

it('forgets withdrawn keys within an hour, and uses old ones for a day when GitHub is away', async () => {
  const signed = github.headersFor(BODY);
  expect(await accepts(signed)).toBe(true);
  github.withdraw();
  pass(61 * MINUTE_MS);
  expect(await accepts(signed)).toBe(false);

  const later = github.headersFor(BODY);
  pass(6 * MINUTE_MS);
  expect(await accepts(later)).toBe(true);
  github.answerBy((response) => response.writeHead(500).end());
  pass(23 * 60 * MINUTE_MS);
  expect(await accepts(later)).toBe(true);
  pass(61 * MINUTE_MS);
  expect(await accepts(later)).toBe(UNAVAILABLE);
  const { reads } = github;
  expect([await accepts(later), github.reads]).toEqual([UNAVAILABLE, reads]);
  github.answerBy(undefined);
  pass(MINUTE_MS);
  expect(await accepts(later)).toBe(true);
});

it.each([
  ['a redirect', 302, ''],
  ['no JSON', 200, '<html>'],
  ['no list', 200, '{"public_keys":{}}'],
  ['no key', 200, '{"public_keys":[null,1,{"key_identifier":"a","key":"-----BEGIN"}]}'],
  ['a list without end', 200, ' '.repeat(300 * 1024)],
])('refuses reports while the answer is %s', async (_, status, text) => {
  github.answerBy((response) => response.writeHead(status, { location: '/other' }).end(text));
  expect(await accepts()).toBe(UNAVAILABLE);
});

it('takes no key of another curve', async () => {
  github.rotate('P-384');
  expect(await accepts()).toBe(false);
});
