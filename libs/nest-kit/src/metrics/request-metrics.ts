import { type Metric, type MetricObjectWithValues, type Registry } from 'prom-client';

const NAME = 'http_request_duration_seconds';
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Response {
  method: string;
  route: string;
  status: number;
  durationMs: number;
}

type RouteRecorder = (method: string, status: number, seconds: number) => void;

type Labels = Readonly<Record<'method' | 'route' | 'status', string>>;
type Values = MetricObjectWithValues<{
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}>;

/**
 * Records rate, errors and duration of every request, by method, route template and status.
 * Recording is plain arithmetic; the values for prom-client are computed during a scrape.
 */
export function requestMetrics(registry: Registry): (response: Response) => void {
  const all: Durations[] = [];
  const recorders = new Map<string, RouteRecorder>();
  registry.registerMetric(histogramOf(all));
  return ({ route, method, status, durationMs }) => {
    let record = recorders.get(route);
    if (!record) {
      record = newRecorder(route, all);
      recorders.set(route, record);
    }
    record(method, status, durationMs / 1000);
  };
}

function newRecorder(route: string, all: Durations[]): RouteRecorder {
  const byStatus = new Map<number, Durations[]>();
  return (method, status, seconds) => {
    let durations = byStatus.get(status)?.find(({ labels }) => labels.method === method);
    if (!durations) {
      durations = new Durations({ method, route, status: String(status) });
      byStatus.set(status, [...(byStatus.get(status) ?? []), durations]);
      all.push(durations);
    }
    durations.observe(seconds);
  };
}

/** The durations of requests with the same labels, in cumulative buckets once they are read. */
class Durations {
  private readonly counts = new Array<number>(BUCKETS_SECONDS.length + 1).fill(0);
  private sumSeconds = 0;

  constructor(readonly labels: Labels) {}

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) {
      bucket += 1;
    }
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sumSeconds += seconds;
  }

  values(): Values['values'] {
    let count = 0;
    const buckets = this.counts.map((added, index) => {
      count += added;
      const le = BUCKETS_SECONDS[index] ?? '+Inf';
      return { metricName: `${NAME}_bucket`, labels: { le, ...this.labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${NAME}_sum`, labels: { ...this.labels }, value: this.sumSeconds },
      { metricName: `${NAME}_count`, labels: { ...this.labels }, value: count },
    ];
  }
}

/** A metric for the registry; prom-client's Histogram cannot be filled during a scrape. */
function histogramOf(all: readonly Durations[]): Metric {
  const described = {
    name: NAME,
    help: 'Time from the first byte of a request to the last of its answer.',
    type: 'histogram',
    aggregator: 'sum',
  };
  const get = (): Promise<unknown> =>
    Promise.resolve({ ...described, values: all.flatMap((durations) => durations.values()) });
  return { ...described, get } as unknown as Metric;
}
