import * as fc from 'fast-check';
import { audienceCaveat, readCaveats, scopeCaveat, timeCaveat } from './caveats.js';

const scope = fc.stringMatching(/^[a-z:*./_-]{1,12}$/);

describe('caveats', () => {
  it('only restrict: each further scope caveat leaves a subset', () => {
    fc.assert(
      fc.property(fc.array(fc.array(scope, { maxLength: 6 }), { minLength: 1 }), (lists) => {
        const meaning = readCaveats(lists.map(scopeCaveat));
        const expected = (lists[0] ?? []).filter((name) =>
          lists.every((list) => list.includes(name)),
        );
        expect(new Set(meaning?.scopes)).toEqual(new Set(expected));
      }),
    );
  });

  it('expire at the earliest time', () => {
    const moment = fc.date({
      min: new Date(0),
      max: new Date('2200-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.array(moment, { minLength: 1 }), (moments) => {
        const times = moments.map((date) => date.getTime());
        expect(readCaveats(times.map(timeCaveat))?.expireAtMs).toBe(Math.min(...times));
      }),
    );
  });

  it('without any, have no expiry and no restriction', () => {
    expect(readCaveats([])).toEqual({
      expireAtMs: Infinity,
      scopes: null,
      networks: [],
      audiences: [],
    });
  });

  it('combine their networks and audiences', () => {
    const meaning = readCaveats(['ip = 10.0.0.0/8', 'aud = x', 'ip = 10.1.0.0/16', 'aud = y z']);
    expect(meaning?.audiences).toEqual([['x'], ['y z']]);
    expect(meaning?.networks.map((list) => list.includes('10.1.2.3'))).toEqual([true, true]);
    expect(meaning?.networks.map((list) => list.includes('10.2.2.3'))).toEqual([true, false]);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.8'],
    ['2001:db8::7', '2001:DB8:0::7', '2001:db8::8'],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.6'],
  ])('take one address as a network of one: %s', (address, inside, outside) => {
    const [network] = readCaveats([`ip = ${address}`])?.networks ?? [];
    expect([network?.includes(inside), network?.includes(outside)]).toEqual([true, false]);
  });

  it('keep audiences of any text apart', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 });
    const odd = fc.constantFrom('a b', 'a,b', '["a"]', '[]', '[', '[1]');
    fc.assert(
      fc.property(fc.array(fc.oneof(name, odd), { minLength: 1 }), (audiences) => {
        expect(readCaveats([audienceCaveat(audiences)])?.audiences).toEqual([audiences]);
      }),
    );
  });

  it.each([
    '',
    'scope',
    'scope=a',
    'Scope = a',
    'scope < a',
    'time = 2030-01-01T00:00:00Z',
    'time < 2030-01-01',
    'time < 2030-13-01T00:00:00Z',
    'time < 2030-02-30T00:00:00Z',
    'time < 2030-01-01T25:00:00Z',
    'time < 2030-01-01T00:00:00',
    'time <  2030-01-01T00:00:00Z',
    'ip = 10.0.0.1:80',
    'ip = fe80::1%eth0',
    'ip = 10.1',
    'ip = 10.0.0.0/8, 10.1.0.0/16',
    'aud = ',
    'method = GET',
    'constructor = x',
  ])('make the whole token invalid: %j', (caveat) => {
    expect(readCaveats(['scope = a', caveat])).toBeUndefined();
  });
});
