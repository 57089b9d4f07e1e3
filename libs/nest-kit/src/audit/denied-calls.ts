import { type OnModuleDestroy } from '@nestjs/common';
import { type CallContext } from '@gatehouse/kit/clients';
import { type JsonObject } from '@gatehouse/kit/input';
import { auditRecordOf } from '@gatehouse/kit/audit';
import { type AuditWriter } from './audit-writer.js';

export const ADMIN_DENIED = 'admin.denied';

const INTERVAL_MS = 60_000;
const PER_CLIENT_MAX = 10;
const PER_INTERVAL_MAX = 60;

const NO_CALLER: CallContext = { caller: '', ip: '', requestId: '' };

/**
 * Writes a sample of the refused admin calls to the audit log, in the background: in each minute at
 * most 10 of one key or, without a key, of one address, and at most 60 in all, so that an attack
 * cannot fill the table. At the end of the minute, one more event counts those that were left out.
 */
export class DeniedCalls implements OnModuleDestroy {
  private written = 0;
  private leftOut = 0;
  private readonly perClient = new Map<string, number>();
  private interval: NodeJS.Timeout | undefined;

  constructor(
    private readonly writer: Pick<AuditWriter, 'recordInBackground'>,
    private readonly intervalMs = INTERVAL_MS,
  ) {}

  /** Runs after the HTTP service has ended and before the writer is flushed. */
  onModuleDestroy(): void {
    clearTimeout(this.interval);
    this.endInterval();
  }

  /** @param details the route and the status, for example */
  note(call: CallContext, details: JsonObject): void {
    this.interval ??= setTimeout(() => this.endInterval(), this.intervalMs).unref();
    const client = call.caller === '' ? call.ip : call.caller;
    const ofClient = this.perClient.get(client) ?? 0;
    if (this.written >= PER_INTERVAL_MAX || ofClient >= PER_CLIENT_MAX) {
      this.leftOut += 1;
      return;
    }
    this.written += 1;
    this.perClient.set(client, ofClient + 1);
    this.writer.recordInBackground(auditRecordOf(ADMIN_DENIED, call, details));
  }

  private endInterval(): void {
    this.interval = undefined;
    if (this.leftOut > 0) {
      const summary = auditRecordOf(ADMIN_DENIED, NO_CALLER, { left_out: this.leftOut });
      this.writer.recordInBackground(summary);
    }
    this.written = 0;
    this.leftOut = 0;
    this.perClient.clear();
  }
}
