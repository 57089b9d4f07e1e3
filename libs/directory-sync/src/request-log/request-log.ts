/**
 * Logs SCIM requests. No request waits for it: an answered request is put into a buffer, which is written
 * in batches. A full buffer drops requests and counts them. All directories share the buffer fairly.
 */
import { type KeyRing, seal } from '@gatehouse/crypto';
import { toDomainError } from '@gatehouse/kit/errors';
import { retryLostRaces } from '@gatehouse/kit/sql';
import { FairShare, PeriodicTask } from '@gatehouse/kit/tasks';
import { LRUCache } from 'lru-cache';
import { type SyncLogger } from '../sync-logger.js';
import { recognizeProvider } from './provider.js';
import { Redaction } from './redaction.js';
import { entryOf } from './request-entry.js';
import { type RequestLogRepository } from './request-log.repository.js';
import {
  type AnsweredRequest,
  type RequestCounts,
  type RequestEntry,
  type RequestLogLimits,
} from './request-log.types.js';

const INTERVAL_MS = 1_000;
const BATCH_ENTRIES = 500;
const CLOSE_MS_MAX = 2_000;
/** Directories whose counts wait to be written. */
const COUNTED_DIRECTORIES_MAX = 10_000;
/** Bodies that wait to be written. */
const BODY_BYTES_MAX = 8 * 1_048_576;
const MINUTE_MS = 60_000;

/** The outcome of logging a request: stored, or why not. */
export type RequestOutcome = 'stored' | 'limited' | 'unauthorized' | 'full' | 'failed';

export class RequestLog {
  /** Requests since the start of the process. */
  readonly outcomes: Record<RequestOutcome, number> = {
    stored: 0,
    limited: 0,
    unauthorized: 0,
    full: 0,
    failed: 0,
  };
  private readonly entries: RequestEntry[] = [];
  private readonly counts = new Map<string, RequestCounts>();
  private readonly room: FairShare;
  private readonly bodyRoom = new FairShare(BODY_BYTES_MAX);
  private readonly unauthorized = new LRUCache<string, { count: number }>({
    max: COUNTED_DIRECTORIES_MAX,
    ttl: MINUTE_MS,
  });
  private readonly redaction: Redaction;
  private readonly task: PeriodicTask;
  private writing: Promise<void> | undefined;
  /** The database did not take the last batch; only the timer tries again. */
  private isWaiting = false;

  constructor(
    private readonly repository: RequestLogRepository,
    private readonly ring: KeyRing,
    private readonly limits: RequestLogLimits,
    private readonly logger: SyncLogger,
  ) {
    this.room = new FairShare(limits.bufferEntries);
    this.redaction = new Redaction(limits.redacted);
    this.task = new PeriodicTask({
      run: () => this.write(),
      intervalMs: INTERVAL_MS,
      logger,
      failureMessage: 'the log of SCIM requests could not be written; it is tried again',
    });
    if (this.isOn) this.task.start();
  }

  get isOn(): boolean {
    return this.limits.bufferEntries > 0;
  }

  /** Takes a request that has been answered. Never throws, and waits for nothing. */
  record(answered: AnsweredRequest): void {
    if (!this.isOn) return;
    try {
      const now = new Date();
      const at = now.toISOString();
      this.count(answered, at);
      this.add(answered, now, at);
    } catch (error) {
      this.outcomes.failed += 1;
      this.logger.warn({ err: error }, 'a SCIM request could not be logged');
    }
    if (this.entries.length >= BATCH_ENTRIES && !this.isWaiting) {
      // A failure keeps the entries, and the timer tries again and logs it.
      this.write().catch(() => undefined);
    }
  }

  /** Writes what waits, for at most two seconds. */
  async close(): Promise<void> {
    await this.task.stop();
    if (this.entries.length === 0 && this.counts.size === 0) return;
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS_MAX).unref());
    await Promise.race([this.write().catch(() => undefined), timeout]);
    const lost = this.entries.length;
    this.outcomes.failed += lost;
    if (lost > 0) this.logger.warn({ lost }, 'logged SCIM requests were lost at the end');
  }

  private add(answered: AnsweredRequest, now: Date, at: string): void {
    const { directoryId, isAuthorized, captureUntil } = answered.access;
    if (!isAuthorized && this.isBeyondRate(directoryId)) {
      this.outcomes.unauthorized += 1;
      return;
    }
    if (!this.room.take(directoryId)) {
      this.outcomes.full += 1;
      return;
    }
    const entry = entryOf(answered, at);
    if (isAuthorized && captureUntil && captureUntil > now) this.capture(entry, answered);
    this.entries.push(entry);
  }

  private isBeyondRate(directoryId: string): boolean {
    const counted = this.unauthorized.get(directoryId);
    if (!counted) this.unauthorized.set(directoryId, { count: 1 });
    else counted.count += 1;
    return (counted?.count ?? 1) > this.limits.unauthorizedPerMinute;
  }

  private capture(entry: RequestEntry, { request, response }: AnsweredRequest): void {
    const bodies = {
      request: this.redaction.textOf(request?.body),
      response: this.redaction.textOf(response?.data),
    };
    const text = JSON.stringify(bodies);
    const secret = request?.apiSecret ?? '';
    const shown = secret === '' ? text : text.replaceAll(secret, '');
    const sealed = seal(this.ring, shown, bodiesPlace(entry.id));
    if (this.bodyRoom.take(entry.directory_id, sealed.length)) entry.bodies_sealed = sealed;
  }

  private count({ access, request, status, userAgent }: AnsweredRequest, at: string): void {
    const { directoryId, isAuthorized } = access;
    let counts = this.counts.get(directoryId);
    if (!counts) {
      if (this.counts.size >= COUNTED_DIRECTORIES_MAX) return;
      counts = noCounts(directoryId);
      this.counts.set(directoryId, counts);
    }
    counts[outcomeOf(status)] += 1;
    if (!isAuthorized) {
      counts.unauthorized += 1;
      counts.unauthorized_at = at;
      return;
    }
    counts.requests += 1;
    // As in the status: providers look before they create.
    if (status >= 400 && status !== 404) counts.errors += 1;
    counts.first_at ??= at;
    counts.last_at = at;
    counts.user_agent ??= userAgent.slice(0, 512) || null;
    if (request) counts.provider ??= recognizeProvider(userAgent, request);
  }

  /** Only one write runs at a time; another caller waits for it. */
  private write(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.entries.length > 0 || this.counts.size > 0) {
      const batch = this.entries.slice(0, BATCH_ENTRIES);
      const counts = [...this.counts.values()].slice(0, BATCH_ENTRIES);
      for (const { directory_id } of counts) this.counts.delete(directory_id);
      let stored: number;
      try {
        stored = await retryLostRaces(() => this.repository.write(batch, counts, this.limits));
        this.isWaiting = false;
      } catch (error) {
        this.isWaiting = true;
        // Any other refusal of the database would repeat.
        if (toDomainError(error).kind !== 'unavailable') this.remove(batch, 'failed', 0);
        throw error;
      }
      this.remove(batch, 'limited', stored);
    }
  }

  private remove(batch: readonly RequestEntry[], reason: RequestOutcome, stored: number): void {
    this.entries.splice(0, batch.length);
    for (const { directory_id, bodies_sealed } of batch) {
      this.room.giveBack(directory_id);
      if (bodies_sealed !== null) this.bodyRoom.giveBack(directory_id, bodies_sealed.length);
    }
    this.outcomes.stored += stored;
    this.outcomes[reason] += batch.length - stored;
  }
}

/** Where the bodies of a request are sealed for. */
export function bodiesPlace(id: string): string {
  return `dsync.scim_requests:${id}:bodies`;
}

function outcomeOf(status: number): 'succeeded' | 'refused' | 'failed' {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'succeeded';
}

function noCounts(directoryId: string): RequestCounts {
  return {
    directory_id: directoryId,
    requests: 0,
    errors: 0,
    unauthorized: 0,
    succeeded: 0,
    refused: 0,
    failed: 0,
    first_at: null,
    last_at: null,
    unauthorized_at: null,
    provider: null,
    user_agent: null,
  };
}
