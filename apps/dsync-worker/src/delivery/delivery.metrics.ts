import { Counter, Histogram, type Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Counts and times delivery attempts by the resulting state of the event. */
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
