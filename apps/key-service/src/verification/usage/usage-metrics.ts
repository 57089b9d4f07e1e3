import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { UsageLog } from './usage-log.js';
import { UsageRecorder } from './usage-recorder.js';

@Injectable()
export class UsageMetrics {
  constructor(registry: Registry, recorder: UsageRecorder, log: UsageLog) {
    const registers = [registry];
    const { overflows } = recorder;
    const counter = (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    counter('key_usage_written_rows_total', 'Rows of usage that were written.', () => {
      return log.writtenRows;
    });
    counter('key_usage_lost_total', 'Verifications whose count was lost.', () => log.pending.lost);
    new Counter({
      name: 'key_usage_overflows_total',
      help: 'Verifications counted as _other, because there were too many keys, tags or rows.',
      labelNames: ['bound'] as const,
      registers,
      collect() {
        this.reset();
        this.inc({ bound: 'keys' }, overflows.keys);
        this.inc({ bound: 'tags' }, overflows.tags);
        this.inc({ bound: 'rows' }, log.pending.overflows);
      },
    });
    new Gauge({
      name: 'key_usage_pending_rows',
      help: 'Rows of usage that wait to be written.',
      registers,
      collect() {
        this.set(log.pending.size);
      },
    });
  }
}
