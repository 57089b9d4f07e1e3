import { randomUUID } from 'node:crypto';
import { IssuedSecretCodec, KeyRing } from '@gatehouse/crypto';
import * as fc from 'fast-check';
import { placeOf } from './leak-report.js';

const codec = new IssuedSecretCodec(KeyRing.fromTexts(['leak-secret-leak-secret-leak-secret']));
const credential = fc.oneof(
  fc.constantFrom('gate_sk', 'a').map((prefix) => codec.issue(prefix, randomUUID())),
  fc.stringMatching(/^[!-~]{8,40}$/),
);
const around = fc.string({ maxLength: 50 });
/** The same text with some characters percent-encoded. */
const encoded = (text: string, which: boolean[]) =>
  [...text]
    .map((each, n) =>
      which[n % which.length] ? `%${each.charCodeAt(0).toString(16).padStart(2, '0')}` : each,
    )
    .join('');

it('has neither the credential nor another secret, however they are written', () => {
  const other = codec.issue('pay_sk', randomUUID());
  const choices = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(credential, around, around, choices, (secret, before, after, which) => {
      const text = before + encoded(secret, which) + after + encoded(other, which);
      const place = placeOf({ credential: secret, url: text, source: text });
      for (const shown of [place.url, place.source]) {
        const decoded = shown.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
          String.fromCharCode(parseInt(hex, 16)),
        );
        for (const part of [secret, other.slice('pay_sk_v1_'.length)]) {
          expect([shown.includes(part), decoded.includes(part)]).toEqual([false, false]);
        }
      }
    }),
  );
});

it('leaves out the user name and password of an address', () => {
  for (const user of ['bot:t0ken@', 't0ken@', 'a@b:t0ken@']) {
    const url = `https://${user}git.example.com/a@b?c=d@e`;
    const place = placeOf({ credential: 'x'.repeat(20), url, source: 'scan' });
    expect(place.url).toBe('https://git.example.com/a@b?c=d@e');
  }
  for (const start of ['https:', ' https://', 'HTTPS:/', 'https:\\\\', 'https:///', 'ssh://']) {
    const url = `${start}bot:t0ken@git.example.com/a`;
    const place = placeOf({ credential: 'x'.repeat(20), url, source: 'scan' });
    expect(place.url).toBe(`${start}git.example.com/a`);
  }
});

it('leaves out an address that is encoded twice', () => {
  const secret = codec.issue('gate_sk', randomUUID());
  const url = `https://a.example/?to=${encoded(encoded(secret, [true]), [true])}`;
  expect(placeOf({ credential: secret, url, source: 'commit' })).toMatchObject({ url: '' });
});

it('is the same for the same place only, and keeps what is no secret', () => {
  const report = {
    credential: 'x'.repeat(20),
    url: 'https://a.example/b%20c?d=ä',
    source: 'commit',
  };
  const { hash, ...place } = placeOf(report);
  expect(place).toEqual({ url: report.url, source: report.source });
  expect(placeOf({ ...report, credential: 'y'.repeat(20) }).hash).toBe(hash);
  expect(placeOf({ ...report, source: 'npm' }).hash).not.toBe(hash);
});

it.each(['_v1_', 'a', '_v1_aaaaaaaaaaaaaaaaa', '%5f', '%'])('takes linear time: %j', (part) => {
  const msFor = (length: number, times: number) => {
    const url = part.repeat(Math.ceil(length / part.length)).slice(0, length);
    const rounds = Array.from({ length: 5 }, () => {
      const start = performance.now();
      for (let n = 0; n < times; n += 1) placeOf({ credential: 'x'.repeat(20), url, source: '' });
      return performance.now() - start;
    });
    return Math.min(...rounds);
  };
  // The same number of characters on both sides: linear is 1 at most, quadratic 16.
  expect(msFor(32_768, 4)).toBeLessThan(5 * msFor(2_048, 64));
});
