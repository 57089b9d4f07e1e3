import { type Backlog } from '@gatehouse/delivery';
import { Gauge, type Registry } from 'prom-client';

/**
 * Records the backlog of the whole system as of the latest sweep; every worker reports the same.
 */
export function backlogMetrics(registry: Registry) {
  const lanes = new Gauge({
    name: 'dsync_lanes_waiting',
    help: 'Endpoints with undelivered events, without those that are paused.',
    labelNames: ['system'] as const,
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'dsync_oldest_pending_event_age_seconds',
    help: 'Age of the oldest undelivered event; 0 without one.',
    labelNames: ['system'] as const,
    registers: [registry],
  });
  const due = new Gauge({
    name: 'dsync_lanes_due',
    help: 'Endpoints with undelivered events that are in no pause after a failure.',
    labelNames: ['system'] as const,
    registers: [registry],
  });
  const oldestDue = new Gauge({
    name: 'dsync_oldest_due_event_age_seconds',
    help: 'Age of the oldest event that a worker could deliver now; 0 without one.',
    labelNames: ['system'] as const,
    registers: [registry],
  });
  const paused = new Gauge({
    name: 'dsync_endpoints_paused',
    help: 'Endpoints that failed for the whole retry schedule, or that were paused.',
    labelNames: ['system'] as const,
    registers: [registry],
  });
  const parked = new Gauge({
    name: 'dsync_events_parked',
    help: 'Parked events: an endpoint refused them while it accepted others.',
    labelNames: ['system'] as const,
    registers: [registry],
  });
  return (system: string, backlog: Backlog): void => {
    lanes.labels(system).set(backlog.waiting);
    oldest.labels(system).set(backlog.oldestAgeSeconds);
    due.labels(system).set(backlog.due);
    oldestDue.labels(system).set(backlog.oldestDueAgeSeconds);
    paused.labels(system).set(backlog.paused);
    parked.labels(system).set(backlog.parked);
  };
}
