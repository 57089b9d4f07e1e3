/** What processes and stores use, read while load runs. */
import { readdirSync } from 'node:fs';
import { type Sample } from './trend.js';
import { type RunningApp, type WholeStack } from './whole-stack.js';

export type Series = Map<string, Sample[]>;

const METRICS = {
  rss: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
  'loop p99': 'nodejs_eventloop_lag_p99_seconds',
};

export class Sampler {
  readonly series: Series = new Map();
  private readonly startedAt = performance.now();

  constructor(
    private readonly stack: WholeStack,
    private readonly now = () => (performance.now() - this.startedAt) / 1000,
  ) {}

  async sampleProcesses(): Promise<void> {
    for (const app of Object.keys(this.stack.services) as RunningApp[]) {
      const service = this.stack.services[app];
      const text = await service.metrics();
      for (const [name, metric] of Object.entries(METRICS)) {
        this.add(`${app} ${name}`, metricOf(text, metric));
      }
      this.add(`${app} descriptors`, descriptorsOf(service.process.pid));
    }
  }

  async sampleStores(): Promise<void> {
    const { database, redis } = this.stack;
    const [connections] = await database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()',
    );
    this.add('PostgreSQL connections', connections?.n ?? NaN);
    const [tables] = await database.query<{ bytes: number; dead: number }>(
      `SELECT sum(pg_total_relation_size(relid))::float AS bytes, sum(n_dead_tup)::float AS dead
       FROM pg_stat_user_tables`,
    );
    this.add('PostgreSQL table bytes', tables?.bytes ?? NaN);
    this.add('PostgreSQL dead tuples', tables?.dead ?? NaN);
    const info = await redis.client.info();
    this.add('Redis memory', fieldOf(info, 'used_memory'));
    this.add('Redis clients', fieldOf(info, 'connected_clients'));
    this.add('Redis keys', await redis.client.dbsize());
  }

  private add(name: string, value: number): void {
    const samples = this.series.get(name) ?? [];
    samples.push({ at: this.now(), value });
    this.series.set(name, samples);
  }
}

function metricOf(text: string, name: string): number {
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

function fieldOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? NaN);
}

/** Open file descriptors; NaN where there is no /proc. */
function descriptorsOf(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return NaN;
  }
}
