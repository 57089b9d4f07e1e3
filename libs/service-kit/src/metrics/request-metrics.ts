import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Metric, type MetricObjectWithValues, type Registry } from 'prom-client';

const NAME = 'http_request_duration_seconds';
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts one answer of a route. */
export type RouteRecorder = (method: string, status: number, seconds: number) => void;

type Labels = Readonly<Record<'method' | 'route' | 'status', string>>;
type Values = MetricObjectWithValues<{
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}>;

/**
 * Rate, errors and duration of every request, by method, route template and status. Counting is
 * plain arithmetic in the closure of the route; what prom-client needs is put together when
 * somebody scrapes.
 *
 * @returns the recorder of a route, always the same one
 */
export function requestRecorders(registry: Registry): (route: string) => RouteRecorder {
  const all: Durations[] = [];
  const recorders = new Map<string, RouteRecorder>();
  registry.registerMetric(histogramOf(all));
  return (route) => {
    const recorder = recorders.get(route) ?? newRecorder(route, all);
    recorders.set(route, recorder);
    return recorder;
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

/** Records every request that Fastify answers. */
export function measureRequests(
  fastify: FastifyInstance,
  recorderOf: (route: string) => RouteRecorder,
): void {
  const recordReply = (record: RouteRecorder, request: FastifyRequest, reply: FastifyReply) =>
    record(request.method, reply.statusCode, reply.elapsedTime / 1000);

  fastify.addHook('onRoute', (options) => {
    const record = recorderOf(options.url);
    const own = options.onResponse ?? [];
    options.onResponse = [
      (request, reply, done) => {
        recordReply(record, request, reply);
        done();
      },
      ...(Array.isArray(own) ? own : [own]),
    ];
  });
  const recordUnmatched = recorderOf('unmatched');
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.is404) recordReply(recordUnmatched, request, reply);
    done();
  });
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

/** A metric as the registry reads it: prom-client's own Histogram cannot be filled afterwards. */
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
