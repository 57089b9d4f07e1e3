/**
 * Logs `key.unused` when a live key has not been used for KEY_UNUSED_AFTER: once until it is used
 * again, however many replicas scan. Each key is looked at when it has reached that age, and then once
 * in each such period, so the cost follows what becomes due. Verification takes no part in it.
 */
import { KeyUsageEvents } from '@gatehouse/schemas';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { KeyServiceConfig } from '../../config.js';
import { KeyEventLog } from '../key-event-log.js';
import { KEY_KINDS, type KeyKind } from '../../store/keys/key.types.js';
import { keyOfRow, type KeyRecord, type KeyRow } from '../../store/keys/key.record.js';
import * as statements from './unused.sql.js';

const BATCH = 500;
/** Every scan reads these again: keys that were committed late, or by a clock that is behind. */
const OVERLAP_MS = 600_000;

interface DueCheck {
  keyId: string;
  announcedUse: Date | null;
}

/** An unused key, as a scan finds it. */
interface Finding {
  key: KeyRecord;
  /** Its last use or its creation, or when it was resumed. */
  use: Date;
  isUnused: boolean;
  isNew: boolean;
}

@Injectable()
export class UnusedScan {
  private readonly afterMs: number;

  constructor(
    private readonly sql: Sql,
    private readonly log: KeyEventLog,
    { unusedAfterSeconds }: KeyServiceConfig,
  ) {
    this.afterMs = unusedAfterSeconds * 1_000;
  }

  /** Logs what is due. */
  async run(signal?: AbortSignal, now = new Date()): Promise<void> {
    if (this.afterMs === 0) return;
    const until = new Date(now.getTime() - this.afterMs);
    for (const kind of KEY_KINDS) await this.addChecks(kind, until, now, signal);
    while (!signal?.aborted && (await this.checkBatch(until, now)));
  }

  /** Adds the keys of a kind that have reached the age. */
  private async addChecks(kind: KeyKind, until: Date, now: Date, signal?: AbortSignal) {
    const [row] = await this.sql.rows<{ position: Date }>(statements.FIND_POSITION, [kind]);
    const start = Math.max(0, (row?.position.getTime() ?? 0) - OVERLAP_MS);
    let after = { keyId: '', createTime: new Date(start) };
    for (let isLast = false; !isLast && !signal?.aborted;) {
      const values = [kind, after.createTime, after.keyId, until, now, BATCH];
      const read = await this.sql.rows<typeof after>(statements.ADD_CHECKS, values);
      isLast = read.length < BATCH;
      after = read.at(-1) ?? after;
      await this.sql.rows(statements.SAVE_POSITION, [kind, isLast ? until : after.createTime]);
    }
  }

  /** @returns whether more may be due */
  private async checkBatch(until: Date, now: Date): Promise<boolean> {
    const done = await this.sql.transaction(async (sql) => {
      const due = await sql.rows<DueCheck>(statements.LOCK_DUE, [until, BATCH]);
      const findings = await this.look(sql, due, until, now);
      const unused = findings.filter(({ isNew }) => isNew);
      await this.store(sql, due, findings, now);
      await this.log.write(
        sql,
        unused.map(({ key, use }) => ({
          type: KeyUsageEvents.unused,
          key,
          details: { unused_since: use.toISOString() },
        })),
      );
      return { read: due.length, announced: unused.length };
    });
    if (done.announced > 0) this.log.wake();
    return done.read === BATCH;
  }

  private async look(
    sql: SqlExecutor,
    due: readonly DueCheck[],
    until: Date,
    now: Date,
  ): Promise<Finding[]> {
    const announced = new Map(due.map(({ keyId, announcedUse }) => [keyId, announcedUse]));
    const rows = await sql.rows<KeyRow>(statements.LOCK_LIVE, [[...announced.keys()], now]);
    return rows.map(keyOfRow).map((key) => {
      const use = latest(key.lastUsedTime ?? key.createTime, key.resumeTime);
      const isUnused = key.pauseTime === null && use <= until;
      const isNew = isUnused && announced.get(key.keyId)?.getTime() !== use.getTime();
      return { key, use, isUnused, isNew };
    });
  }

  /** Plans the next check of each key, and forgets keys that are no longer live. */
  private async store(
    sql: SqlExecutor,
    due: readonly DueCheck[],
    findings: readonly Finding[],
    now: Date,
  ): Promise<void> {
    await sql.rows(statements.UPDATE_CHECKS, [
      findings.map(({ key }) => key.keyId),
      findings.map(({ key, isUnused, use }) => (isUnused || key.pauseTime !== null ? now : use)),
      findings.map(({ isUnused, use }) => (isUnused ? use : null)),
    ]);
    const live = new Set(findings.map(({ key }) => key.keyId));
    const gone = due.map(({ keyId }) => keyId).filter((keyId) => !live.has(keyId));
    if (gone.length > 0) await sql.rows(statements.DELETE_CHECKS, [gone]);
  }
}

function latest(use: Date, resumed: Date | null): Date {
  return resumed !== null && resumed > use ? resumed : use;
}
