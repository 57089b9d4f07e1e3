import { type Key } from './find-key.js';
import { verdictOf } from './verdict.js';

const KEY = { name: 'CI', actor_id: 'alice', status: 'KEY_STATUS_ACTIVE' } as Key;
const reason = (cause: 'directory' | 'administrator', caller: string) => ({
  cause,
  caller,
  time: new Date(performance.timeOrigin - 3_600_000).toISOString(),
});

it('says that an active key works', () => {
  expect(verdictOf(KEY, null)).toEqual({ works: true, sentence: 'The key "CI" of alice works.' });
});

it('says why a key is refused, and who did it', () => {
  const paused = { ...KEY, status: 'KEY_STATUS_PAUSED' } as Key;
  expect(verdictOf(paused, reason('directory', '')).sentence).toMatch(
    /^The key "CI" of alice is refused\. It is paused: its actor has left a directory, .+ ago\.$/,
  );
  expect(verdictOf(paused, reason('administrator', 'key 7')).sentence).toContain('(key 7)');
});

it('says that credits are used up', () => {
  const empty = { ...KEY, credits: { remaining: '0', refill: null, strict: false } } as Key;
  expect(verdictOf(empty, null)).toMatchObject({
    works: false,
    sentence: expect.stringContaining('credits'),
  });
});
