import { Histogram, type Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

/** How a turn of a run ends: see RunEnd. `failed`: by an error, so that another turn is made. */
const ENDS = ['ended', 'yielded', 'waiting', 'busy', 'failed'] as const;

export type TurnEnd = (typeof ENDS)[number];

/** Times the turns of runs of workspace directories by how they end. */
export function runMetrics(registry: Registry) {
  const durations = new Histogram({
    name: 'dsync_workspace_turn_duration_seconds',
    help: 'Time of one turn of a run of a workspace directory: ended, yielded, waiting, busy or failed.',
    labelNames: ['end'] as const,
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  for (const end of ENDS) durations.zero({ end });
  return (end: TurnEnd, seconds: number): void => durations.labels(end).observe(seconds);
}
