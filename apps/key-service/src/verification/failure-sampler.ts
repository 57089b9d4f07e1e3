import { Injectable } from '@nestjs/common';
import { KeyEvents } from '@gatehouse/schemas';
import { AuditWriter } from '@gatehouse/nest-kit/audit';
import { LRUCache } from 'lru-cache';
import { type CallContext } from '../api/call-context.js';
import { type Verification } from './verification-result.js';
import { auditEventOf } from '../events/audit/audit-event.js';

const INTERVAL_MS = 60_000;
const PER_INTERVAL_MAX = 60;

/**
 * Writes a sample of the failed verifications to the audit log: for each key the first of each kind
 * in a minute, at most 60 a minute in all, so that an attack cannot fill the table.
 */
@Injectable()
export class FailureSampler {
  private readonly seen = new LRUCache<string, true>({ max: 1_000, ttl: INTERVAL_MS });
  private intervalEndMs = 0;
  private left = 0;

  constructor(private readonly writer: AuditWriter) {}

  /** @param operation that failed, where it is not a verification */
  sample(
    result: Verification,
    context: () => CallContext,
    operation?: 'selfRevoke' | 'exchange',
  ): void {
    if (result.error === undefined) return;
    const kind = `${operation ?? ''} ${result.key?.keyId ?? ''} ${result.error}`;
    const nowMs = performance.now();
    if (nowMs >= this.intervalEndMs) {
      this.intervalEndMs = nowMs + INTERVAL_MS;
      this.left = PER_INTERVAL_MAX;
    }
    if (this.left === 0 || this.seen.has(kind)) return;
    this.left -= 1;
    this.seen.set(kind, true);
    const actorId = result.key?.actorId ?? '';
    const change = {
      type: KeyEvents.verificationFailed,
      key: { keyId: result.key?.keyId ?? '', actorId },
      details: { error_code: result.error, ...(operation && { operation }) },
    };
    this.writer.recordInBackground(auditEventOf(change, context()));
  }
}
