import { eventually } from '@gatehouse/testing';
import { type Tenant } from './tenant.js';
import { type WholeStack } from './whole-stack.js';

const DELIVERY_TIMEOUT_MS = 60_000;

/** Events of the provisioned directories arrive once they are logged, in the order of the log. */
export async function eventFaults(
  { database, receiver }: WholeStack,
  tenants: readonly Tenant[],
): Promise<{ faults: string[]; events: number }> {
  const faults: string[] = [];
  let events = 0;
  for (const { directory, marker } of tenants) {
    const log = await database.query<{ id: string }>(
      'SELECT id FROM dsync.events WHERE source_id = $1 ORDER BY sequence',
      [directory.id],
    );
    const logged = log.map(({ id }) => id);
    const known = new Set(logged);
    const arrivals = () => [
      ...new Set(
        receiver.received
          .filter(({ path }) => path === `/${marker}`)
          .flatMap(({ body }) => [JSON.parse(body)].flat() as { id: string }[])
          .map(({ id }) => id)
          .filter((id) => known.has(id)),
      ),
    ];
    const missing = () => logged.length - arrivals().length;
    await eventually(
      () => {
        if (missing() > 0) throw new Error('some are missing');
      },
      { timeoutMs: DELIVERY_TIMEOUT_MS, intervalMs: 500 },
    ).catch(() => faults.push(`${marker}: ${missing()} events did not arrive`));
    const arrived = arrivals();
    const present = new Set(arrived);
    const expected = logged.filter((id) => present.has(id));
    if (arrived.some((id, index) => id !== expected[index])) {
      faults.push(`${marker}: events arrived in another order than that of the log`);
    }
    events += logged.length;
  }
  return { faults, events };
}
