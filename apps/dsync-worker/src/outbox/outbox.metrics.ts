import { Gauge, type Registry } from 'prom-client';

/**
 * Records the backlog of the whole system as of the latest sweep; every worker reports the same.
 */
export function backlogMetrics(registry: Registry) {
  const lanes = new Gauge({
    name: 'dsync_lanes_waiting',
    help: 'Directories with undelivered events.',
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'dsync_oldest_pending_event_age_seconds',
    help: 'Age of the oldest undelivered event; 0 when there is none.',
    registers: [registry],
  });
  return (backlog: { lanes: number; oldestAgeSeconds: number }): void => {
    lanes.set(backlog.lanes);
    oldest.set(backlog.oldestAgeSeconds);
  };
}
