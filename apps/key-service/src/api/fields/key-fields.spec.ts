import { type InputReader } from '@gatehouse/kit/input';
import * as fc from 'fast-check';
import { KeyServiceConfig } from '../../config.js';
import { RequestInput } from '../input.js';
import {
  isCidr,
  readAllowedCidrs,
  readDuration,
  readExpiringThresholds,
  readMetadata,
  readRateLimitPolicy,
  readScopes,
} from './key-fields.js';

const requests = new RequestInput(new KeyServiceConfig());
const bodyReader = (json: unknown) => requests.body(json);
const refused = { kind: 'invalid_argument' };
const finish = (body: InputReader) => () => body.throwIfInvalid();

describe('the fields of a key', () => {
  it('are read from any JSON without an error other than a 400', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        try {
          const body = bodyReader(json);
          readScopes(body);
          readMetadata(body);
          readDuration(body, 'ttl');
          readRateLimitPolicy(body);
          readAllowedCidrs(body);
          readExpiringThresholds(body);
          body.text('name');
          body.throwIfInvalid();
        } catch (error) {
          expect(error).toMatchObject(refused);
        }
      }),
    );
  });
});

describe('readDuration', () => {
  const units: Record<string, number> = {
    s: 1,
    m: 60,
    h: 3600,
    d: 86_400,
    w: 604_800,
    mo: 2_592_000,
  };
  it('adds up the parts of a duration in every unit', () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.constantFrom(...Object.keys(units)));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.map(([count, unit]) => `${count}${unit}`).join('');
        const seconds = parts.reduce((sum, [count, unit]) => sum + count * (units[unit] ?? 0), 0);
        const body = bodyReader({ ttl: text });
        const read = readDuration(body, 'ttl');
        if (seconds <= 315_360_000) expect(read).toBe(seconds);
        else expect(finish(body)).toThrow(expect.objectContaining(refused));
      }),
    );
  });

  it('never clamps: one second over the limit is a fault', () => {
    const at = bodyReader({ ttl: '100s' });
    expect(readDuration(at, 'ttl', 100)).toBe(100);
    const over = bodyReader({ ttl: '101s' });
    readDuration(over, 'ttl', 100);
    expect(finish(over)).toThrow(expect.objectContaining(refused));
  });
});

describe('readMetadata', () => {
  it('accepts every JSON object that PostgreSQL can store, unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (metadata) => {
        const plain = JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
        const body = bodyReader({ metadata: plain });
        expect(readMetadata(body)).toEqual(plain);
        expect(finish(body)).not.toThrow();
      }),
    );
  });

  it.each(['\u0000', 'a\\\u0000', '\ud83d', '\udc00\ud83d', '\\\\\u0000'])(
    'refuses what jsonb cannot store: %j',
    (text) => {
      for (const metadata of [{ [text]: 1 }, { a: [{ b: text }] }]) {
        const body = bodyReader({ metadata });
        readMetadata(body);
        expect(finish(body)).toThrow(expect.objectContaining(refused));
      }
    },
  );

  it.each(['\\u0000', '\\ud83d', 'C:\\u0000', '\\\\u0000'])('accepts the plain text %s', (text) => {
    const body = bodyReader({ metadata: { text } });
    readMetadata(body);
    expect(finish(body)).not.toThrow();
  });
});

describe('isCidr', () => {
  it('accepts every IPv4 and IPv6 network and nothing else', () => {
    const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 40 }));
    fc.assert(fc.property(v4, ([ip, bits]) => expect(isCidr(`${ip}/${bits}`)).toBe(bits <= 32)));
    const v6 = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 140 }));
    fc.assert(fc.property(v6, ([ip, bits]) => expect(isCidr(`${ip}/${bits}`)).toBe(bits <= 128)));
  });

  it.each([
    '',
    '/',
    '10.0.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0/8',
    '010.0.0.0/8',
    '10.0.0.0/08',
    'fe80::1%eth0/64',
    '0x7f.1/8',
    ' 10.0.0.0/8',
    '10.0.0.0/8\n',
  ])('refuses %j', (text) => expect(isCidr(text)).toBe(false));
});
