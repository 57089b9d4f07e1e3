import { Partitions } from '@gatehouse/delivery';
import { type PeriodicTaskOptions } from '@gatehouse/kit/tasks';
import { type DirectorySync } from '../controller.js';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { type Delivery } from '../delivery/create-delivery.js';
import { keptSeconds } from './event-follower.js';

type Upkeep = Pick<PeriodicTaskOptions, 'run' | 'intervalMs' | 'failureMessage'>;

const DAY_SECONDS = 86_400;
/** Of attempts to deliver webhooks, and of the log of SCIM requests. */
const LOGS_TTL_SECONDS = 7 * DAY_SECONDS;
const AUDIT_TTL_SECONDS = 365 * DAY_SECONDS;
const ROLES_TURN_MS = 1_000;

/** Work without which tables would grow, or no row could be written some day. Any process may do it. */
export function upkeep(sync: DirectorySync, delivery: Delivery, eventsTtlSeconds: number) {
  const { sql, audit, logger } = sync.parts;
  const partitions = new Partitions(sql, DSYNC_SCHEMA, logger);

  /** Creates the partitions of the next 30 days, and drops what is too old. */
  async function maintainTables(): Promise<void> {
    await partitions.maintain({
      eventsTtlSeconds: await keptSeconds(sql, eventsTtlSeconds),
      webhookLogsTtlSeconds: LOGS_TTL_SECONDS,
    });
    await sync.maintainRequestLog(LOGS_TTL_SECONDS);
    await audit.deleteBefore(new Date(Date.now() - AUDIT_TTL_SECONDS * 1_000));
  }

  /** Gives users the roles of mappings that have changed. */
  async function applyRoles(signal: AbortSignal): Promise<void> {
    for (const id of await sync.roleJobs.dueIds()) {
      if (!signal.aborted) await sync.roleJobs.run(id, ROLES_TURN_MS, signal);
    }
  }

  const tasks: Upkeep[] = [
    { run: maintainTables, intervalMs: 3_600_000, failureMessage: 'tables not maintained' },
    { run: delivery.purgeDeleted, intervalMs: 60_000, failureMessage: 'directories not purged' },
    { run: applyRoles, intervalMs: 1_000, failureMessage: 'roles not applied' },
  ];
  return { maintainTables, tasks };
}
