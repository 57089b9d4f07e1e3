import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Counts and times delivery attempts by what became of the event. */
export function deliveryMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'dsync_delivery_attempts_total',
    help: 'Webhook delivery attempts by the state that the event was in afterwards.',
    labelNames: ['state'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'dsync_delivery_duration_seconds',
    help: 'Time of one webhook delivery attempt.',
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return (state: string, durationSeconds: number): void => {
    attempts.labels(state).inc();
    durations.observe(durationSeconds);
  };
}

/** What waits, as the newest sweep found it: every worker tells it of the whole system. */
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
