import { Counter, Histogram, type Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

const OUTCOMES = ['delivered', 'refused', 'aborted', 'gone', 'down'] as const;

const RUN_BUCKETS_SECONDS = [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 120];

/** Why a run of a lane ends: see LaneRun. */
const RUN_ENDS = ['idle', 'yielded', 'busy', 'waiting', 'failed'] as const;

/** Times the runs of lanes by how they end. */
export function laneMetrics(registry: Registry) {
  const durations = new Histogram({
    name: 'dsync_lane_duration_seconds',
    help: 'Time of one run of a lane: idle (nothing is left), yielded, busy, waiting or failed.',
    labelNames: ['end'] as const,
    buckets: RUN_BUCKETS_SECONDS,
    registers: [registry],
  });
  for (const end of RUN_ENDS) durations.zero({ end });
  return (end: (typeof RUN_ENDS)[number], seconds: number): void =>
    durations.labels(end).observe(seconds);
}

/** Counts and times delivery attempts by their outcome. */
export function deliveryMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'dsync_delivery_attempts_total',
    help: 'Webhook delivery attempts: delivered, refused (4xx), aborted, gone (410) or down.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'dsync_delivery_duration_seconds',
    help: 'Time of one webhook delivery attempt.',
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const events = new Counter({
    name: 'dsync_delivered_events_total',
    help: 'Events that an endpoint accepted, including repeated ones.',
    registers: [registry],
  });
  for (const outcome of OUTCOMES) attempts.labels(outcome).inc(0);
  return (outcome: (typeof OUTCOMES)[number], seconds: number, count: number): void => {
    attempts.labels(outcome).inc();
    if (outcome === 'delivered') events.inc(count);
    durations.observe(seconds);
  };
}
