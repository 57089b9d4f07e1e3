/** Resource samples of processes and stores, read under load. */
import { readdirSync } from 'node:fs';
import { type RunningApp, type WholeStack } from './whole-stack.js';

export interface Sample {
  /** Seconds since the beginning. */
  at: number;
  value: number;
}

export type Series = Map<string, Sample[]>;

const METRICS = {
  rss: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
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
    const info = await redis.client.info();
    this.add('Redis clients', Number(/^connected_clients:(\d+)/m.exec(info)?.[1] ?? NaN));
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

/** Open file descriptors; NaN where there is no /proc. */
function descriptorsOf(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return NaN;
  }
}
