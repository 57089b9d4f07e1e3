import { RefusedCredentials } from './refused-credentials.js';

const URL = 'https://keys.example';
const reason = { code: 'VERIFICATION_ERROR_REVOKED', detail: 'It has ended.' } as const;

let refused: RefusedCredentials;
beforeEach(() => {
  jest.useFakeTimers();
  refused = new RefusedCredentials();
});
afterEach(() => {
  jest.useRealTimers();
});

it('repeats a refusal for five seconds, so that a key that is undeleted works again', async () => {
  await refused.add(URL, 'key', reason);
  jest.advanceTimersByTime(4_900);
  expect(await refused.find(URL, 'key')).toEqual(reason);
  jest.advanceTimersByTime(200);
  expect(await refused.find(URL, 'key')).toBeUndefined();
});

it('keeps refusals of one Gatehouse apart from those of another', async () => {
  await refused.add(URL, 'key', reason);
  expect(await refused.find('https://other.example', 'key')).toBeUndefined();
});

it('keeps the newest 1,000', async () => {
  for (let index = 0; index <= 1_000; index += 1) await refused.add(URL, `key-${index}`, reason);
  expect(await refused.find(URL, 'key-0')).toBeUndefined();
  expect(await refused.find(URL, 'key-1')).toEqual(reason);
  expect(await refused.find(URL, 'key-1000')).toEqual(reason);
});

it('keeps no credential in memory', async () => {
  await refused.add(URL, 'a-secret', reason);
  const [entry] = Object.values(refused) as [Map<string, unknown>];
  expect([...entry.keys()].join()).not.toContain('a-secret');
  expect([...entry.keys()][0]).toHaveLength(32);
});
