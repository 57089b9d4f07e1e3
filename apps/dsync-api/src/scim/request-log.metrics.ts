import { type DirectorySync } from '@gatehouse/directory-sync';
import { Counter, type Registry } from 'prom-client';

/** Counts what became of the requests that the log was given. */
export function requestLogMetrics(registry: Registry, { outcomes }: DirectorySync['requestLog']) {
  return new Counter({
    name: 'dsync_logged_requests_total',
    help: 'SCIM requests by log outcome: stored, limited, unauthorized, full or failed.',
    labelNames: ['outcome'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(outcomes)) this.inc({ outcome }, count);
    },
  });
}
