import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type Logger } from 'pino';
import { CacheInvalidation } from '../../store/cache/cache-invalidation.js';
import { type HashGroup, HashesRepository } from '../../store/hashes/hashes.repository.js';

/** Without a message from Redis, an import is noticed after this time. */
const TTL_MS = 30_000;

/** How credentials may be looked up besides the keyed hash of the raw key. */
export interface Pending {
  /** Hashes that are found by themselves. */
  readonly lookups: readonly HashGroup[];
  readonly prefixLengths: readonly number[];
  readonly readAtMs: number;
}

/**
 * Imported hashes that wait for the first use of their keys. While there are none, a credential that
 * memory does not know costs nothing more than before.
 */
@Injectable()
export class PendingHashes {
  private pending: Pending | undefined;
  private reading: Promise<Pending> | undefined;
  /** Grows with every import, so that a read that began before one does not count. */
  private imports = 0;

  constructor(
    private readonly repository: HashesRepository,
    invalidation: CacheInvalidation,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    invalidation.whenHashesImported(() => {
      this.imports += 1;
      this.pending = undefined;
      this.reading = undefined;
    });
  }

  /** From memory, while it is read again in the background; a promise if there was an import. */
  current(): Pending | Promise<Pending> {
    const { pending } = this;
    if (pending === undefined) return this.readGroups();
    if (performance.now() - pending.readAtMs > TTL_MS) {
      this.readGroups().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'imported hashes could not be read');
      });
    }
    return pending;
  }

  private readGroups(): Promise<Pending> {
    this.reading ??= this.readGroupsNow().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readGroupsNow(): Promise<Pending> {
    const { imports } = this;
    const groups = await this.repository.pendingGroups();
    const lengths = groups.flatMap(({ prefixLength }) => prefixLength ?? []);
    const pending = {
      lookups: groups.filter(({ prefixLength }) => prefixLength === null),
      prefixLengths: [...new Set(lengths)],
      readAtMs: performance.now(),
    };
    if (imports === this.imports) this.pending = pending;
    return pending;
  }
}
