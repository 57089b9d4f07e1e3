/**
 * The progress of keys that were imported by a hash, and the end of those that are never used: by a
 * date, their hashes are dropped and they are revoked.
 */
import { Inject, Injectable } from '@nestjs/common';
import { type KeyRing } from '@gatehouse/crypto';
import { KeyEvents } from '@gatehouse/schemas';
import { AuditEvents, auditRecordOf } from '@gatehouse/kit/audit';
import { uuidv7 } from '@gatehouse/kit/ids';
import { Sql } from '@gatehouse/kit/sql';
import { type AdminCaller, requireScope } from '@gatehouse/nest-kit/admin';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { type Logger } from 'pino';
import { type HashAuditType, type KeyAuditEvents } from '../../events/audit/audit-event.js';
import { IMPORTED_HASHES } from '../../store/cache/cache-invalidation.js';
import { HashMigrationMetrics } from '../../verification/imported-hashes/hash-migration-metrics.js';
import { type HashCounts, HashesRepository } from '../../store/hashes/hashes.repository.js';
import { ENCRYPTION_RING } from '../../key-rings.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type CallContext } from '../../api/call-context.js';
import { type HashAlgorithm } from '../../store/hashes/hash.types.js';
import { KeyChanges } from '../key-changes.js';

const INTERVAL_MS = 60_000;
/** Counting reads all hashes, so it may take one percent of the time. */
const COUNTING_PAUSE = 99;
const BATCH = 200;
const CALLER = 'imported-hashes';
const DESCRIPTION = 'The key was not used before the hash it was imported by was dropped.';

@Injectable()
export class HashMigrationService extends PeriodicWork {
  private nextCountMs = 0;

  constructor(
    private readonly changes: KeyChanges,
    private readonly hashes: HashesRepository,
    private readonly keys: KeysRepository,
    private readonly metrics: HashMigrationMetrics,
    private readonly sql: Sql,
    @Inject(AuditEvents) private readonly audit: KeyAuditEvents,
    @Inject(ENCRYPTION_RING) private readonly ring: KeyRing,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      run: (signal) => this.run(signal),
      intervalMs: INTERVAL_MS,
      firstAfterMs: 5_000,
      logger,
      failureMessage: 'imported hashes could not be dropped or counted',
    });
  }

  async progress(): Promise<HashCounts[]> {
    const counts = await this.hashes.countByAlgorithm();
    this.metrics.set(counts);
    return counts;
  }

  /**
   * Plans the end of hashes; null keeps them. One that is due begins at once.
   *
   * @throws DomainError `permission_denied` if a planned end is postponed or canceled and the caller lacks
   *   `keys:issue`
   */
  async planDrop(
    time: Date | null,
    algorithms: readonly HashAlgorithm[],
    call: CallContext,
    caller: AdminCaller,
  ): Promise<HashCounts[]> {
    await this.sql.transaction(async (sql) => {
      const planned = await this.hashes.lockEarliestDrop(sql, algorithms);
      const isPostponed = planned !== null && (time === null || time > planned);
      if (isPostponed) requireScope(caller, 'keys:issue');
      await this.hashes.planDrop(sql, time, algorithms);
      const details = { algorithms: [...algorithms], drop_time: time?.toISOString() ?? null };
      const type: HashAuditType = 'imported_hashes.planned';
      await this.audit.insert([auditRecordOf(type, call, details)], sql);
    });
    if (time !== null && time <= new Date()) await this.dropBatch();
    return this.progress();
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.dropBatch()));
    if (this.ring.ids.length > 1) await this.hashes.reseal(signal);
    const startedMs = performance.now();
    if (startedMs < this.nextCountMs) return;
    await this.progress();
    const endedMs = performance.now();
    this.nextCountMs = endedMs + COUNTING_PAUSE * (endedMs - startedMs);
  }

  /** @returns whether more may be due */
  private async dropBatch(): Promise<boolean> {
    const now = new Date();
    const call = { caller: CALLER, ip: '', requestId: uuidv7(), admin: null };
    return this.changes.commit(call, async (sql, record) => {
      const keyIds = await this.hashes.lockDropped(sql, now, BATCH);
      if (keyIds.length === 0) return false;
      await this.hashes.drop(sql, keyIds, now);
      const reason = 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN';
      for (const keyId of keyIds) {
        const revocation = {
          keyId,
          reason,
          description: DESCRIPTION,
          undeleteUntil: null,
        } as const;
        const key = await this.keys.revoke(sql, { ...revocation, kinds: ['imported'] });
        const change = { type: KeyEvents.revoked, details: { reason }, handles: [IMPORTED_HASHES] };
        if (key) record({ ...change, key });
      }
      return keyIds.length === BATCH;
    });
  }
}
