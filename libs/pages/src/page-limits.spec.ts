import { ClientAddresses } from '@gatehouse/kit/clients';
import { type Counters } from '@gatehouse/kit/exchange';
import { type FastifyRequest } from 'fastify';
import { PageLimits, SESSION_REQUESTS_MAX, STRANGER_REQUESTS_MAX } from './page-limits.js';

const ADDRESSES = new ClientAddresses({ clientIpSource: 'socket', trustedProxies: [] });

/** Counts in windows of which thirty seconds are left, or not at all. */
function openLimits({ isAway = false, key = 'ours' } = {}): {
  limits: PageLimits;
  counts: Map<string, number>;
} {
  const counts = new Map<string, number>();
  const counters: Pick<Counters, 'windows'> = {
    windows: (prefix) => ({
      count: (name) => {
        if (isAway) return Promise.resolve(undefined);
        const count = (counts.get(prefix + name) ?? 0) + 1;
        counts.set(prefix + name, count);
        return Promise.resolve({ count: BigInt(count), leftMs: 30_000 });
      },
    }),
  };
  const context = {
    counters,
    addresses: ADDRESSES,
    prefix: 'a:pages:',
    key: Buffer.from(key),
  };
  return { limits: new PageLimits(context), counts };
}
const from = (remoteAddress: string, headers = {}) =>
  ({ raw: { socket: { remoteAddress }, headers } }) as unknown as FastifyRequest;

async function admitted(count: () => Promise<void>, times: number): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: times }, count));
  return results.filter(({ status }) => status === 'fulfilled').length;
}

describe('PageLimits', () => {
  it('admits so many requests of a session and of a client, each apart', async () => {
    const { limits } = openLimits();
    expect(await admitted(() => limits.countSession('1'), 200)).toBe(SESSION_REQUESTS_MAX);
    const stranger = () => limits.countStranger(from('192.0.2.1'));
    expect(await admitted(stranger, 400)).toBe(STRANGER_REQUESTS_MAX);
    await limits.countSession('2');
    await limits.countStranger(from('192.0.2.2'));
  });

  it('says when to try again', async () => {
    const { limits } = openLimits();
    await admitted(() => limits.countSession('1'), SESSION_REQUESTS_MAX);
    await expect(limits.countSession('1')).rejects.toMatchObject({
      httpStatus: 429,
      retryAfterSeconds: 30,
    });
  });

  it('counts a /64 network of IPv6 as one client, and stores no address', async () => {
    const { limits, counts } = openLimits();
    await limits.countStranger(from('2001:db8::1'));
    await limits.countStranger(from('2001:db8::2'));
    await limits.countStranger(from('192.0.2.77'));
    expect([...counts.values()]).toEqual([2, 1]);
    for (const name of counts.keys()) expect(name).toMatch(/^a:pages:client:[\w-]{22}$/);
  });

  it('names the same client otherwise with another key, so that trying all addresses shows none', async () => {
    const [one, other] = [openLimits(), openLimits({ key: 'of another service' })];
    for (const { limits } of [one, other]) await limits.countStranger(from('192.0.2.77'));
    expect([...one.counts.keys()]).not.toEqual([...other.counts.keys()]);
  });

  it('does not count clients that a proxy hides: they would share one limit', async () => {
    const { limits, counts } = openLimits();
    await limits.countStranger(from('10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }));
    expect(counts.size).toBe(0);
  });

  it('limits nothing while it cannot count', async () => {
    const { limits } = openLimits({ isAway: true });
    expect(await admitted(() => limits.countSession('1'), 200)).toBe(200);
    expect(await admitted(() => limits.countStranger(from('192.0.2.1')), 400)).toBe(400);
  });
});
