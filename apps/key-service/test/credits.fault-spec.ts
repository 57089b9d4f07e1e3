/** Credits survive the end of processes, and a Redis that is gone or emptied. */
import { eventually, orClose, tcpProxy } from '@gatehouse/testing';
import { startKeyService } from './key-stack.js';

const REPLICAS = 3;
const IN_FLIGHT = 6;
const CREDITS = 20_000;

it('three processes, one killed, one stopped, Redis emptied and gone: spent once, and one lease lost', async () => {
  const redis = await tcpProxy(process.env.TEST_REDIS_URL ?? '');
  const service = await orClose(redis.close, () =>
    startKeyService({ REDIS_URL: redis.url, LOG_LEVEL: 'info', DRAIN_TIME: '0' }, REPLICAS),
  );
  try {
    const { secret, key } = await service.issue({ credits: { remaining: CREDITS } });
    const alive = new Set(service.replicas.map((_, index) => index));
    const usedMs: number[] = [];
    let isOver = false;
    const loops = service.replicas.flatMap((_, replica) =>
      Array.from({ length: IN_FLIGHT }, async () => {
        while (!isOver && alive.has(replica)) {
          try {
            const { body } = await service.verify(secret, {}, { replica });
            if (body.is_valid === true) usedMs.push(performance.now());
          } catch (error) {
            if (alive.has(replica)) throw error;
          }
        }
      }),
    );
    const until = (count: number) =>
      eventually(() => expect(usedMs.length).toBeGreaterThan(count), { timeoutMs: 30_000 });

    await until(1_500);
    alive.delete(2);
    service.replicas[2]?.process.kill('SIGKILL');
    const inLastSecond = usedMs.filter((ms) => ms > performance.now() - 1_000).length;
    await until(3_000);
    const stale = await service.redis.client.keys(`${service.redis.namespace}*`);
    if (stale.length > 0) await service.redis.client.unlink(...stale);
    await until(4_000);
    await redis.cut();
    await until(5_500);
    alive.delete(1);
    await service.replicas[1]?.stop();
    await until(6_500);
    isOver = true;
    await Promise.all(loops);

    const stored = async () => {
      const { body } = await service.admin('GET', `/issuedApiKeys/${key.key_id}`);
      return Number(body.credits.remaining);
    };
    // The remaining process returns its leases within about a second.
    await eventually(async () => {
      const lost = CREDITS - usedMs.length - (await stored());
      // Never spent twice. The killed process took its lease, and the answers that were under way.
      expect(lost).toBeGreaterThanOrEqual(0);
      expect(lost).toBeLessThanOrEqual(Math.max(inLastSecond, 50) + 2 * IN_FLIGHT);
    });
  } finally {
    await service.close();
    await redis.close();
  }
});
