import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Channels, type KeyInvalidation } from '@gatehouse/schemas';
import { type Exchange } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type Logger } from 'pino';
import { KeyCache } from './key-cache.js';

/** Stands in for a key id when the signing keys have changed. */
export const SIGNING_KEYS = 'signing-keys';

/** Stands in for a key id when hashes of another system were imported. */
export const IMPORTED_HASHES = 'imported-hashes';

/** Stands in for a key id when trust rules have changed. */
export const TRUST_RULES = 'trust-rules';

/** After this time the change is answered anyway. */
const PUBLISH_WAIT_MS = 500;

/**
 * Drops changed keys from the caches of all replicas, by hints. Hints can get lost: a replica clears its
 * cache when it can hear them again, and no entry lives longer than CACHE_TTL. While it cannot, it keeps its
 * entries, because PostgreSQL may be away too.
 */
@Injectable()
export class CacheInvalidation implements OnModuleInit {
  private onSigningKeysChanged: () => void = () => undefined;
  private onHashesImported: () => void = () => undefined;
  private onTrustRulesChanged: () => void = () => undefined;

  constructor(
    @Inject(EXCHANGE) private readonly exchange: Exchange,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly cache: KeyCache,
  ) {}

  onModuleInit(): void {
    this.exchange.messages.listen(Channels.keysInvalidate, {
      receive: (keyId) => this.drop([keyId as string]),
      restored: () => {
        this.cache.clear();
        this.onSigningKeysChanged();
        this.onHashesImported();
        this.onTrustRulesChanged();
      },
    });
  }

  /** Sets the action to run when the signing keys have changed, here or on another replica. */
  whenSigningKeysChange(action: () => void): void {
    this.onSigningKeysChanged = action;
  }

  /** Sets the action to run when hashes were imported, here or on another replica. */
  whenHashesImported(action: () => void): void {
    this.onHashesImported = action;
  }

  /** Sets the action to run when trust rules have changed, here or on another replica. */
  whenTrustRulesChange(action: () => void): void {
    this.onTrustRulesChanged = action;
  }

  /**
   * Drops the keys here at once, and waits until the hints for the other replicas are sent, but not for a
   * store that does not respond. Never throws.
   */
  async publish(keyIds: KeyInvalidation): Promise<void> {
    this.drop(keyIds);
    const hints = keyIds.map((payload) => ({ pattern: Channels.keysInvalidate, payload }));
    const published = this.exchange.messages.publish(hints).catch((error: unknown) => {
      this.logger.debug({ reason: String(error) }, 'invalidation not published');
    });
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise((resolve) => (timer = setTimeout(resolve, PUBLISH_WAIT_MS)));
    await Promise.race([published, waited]);
    clearTimeout(timer);
  }

  private drop(keyIds: KeyInvalidation): void {
    for (const keyId of keyIds) {
      if (keyId === SIGNING_KEYS) {
        this.onSigningKeysChanged();
      } else if (keyId === IMPORTED_HASHES) {
        this.onHashesImported();
        this.cache.clearUnknown();
      } else if (keyId === TRUST_RULES) {
        this.onTrustRulesChanged();
      } else {
        this.cache.drop(keyId);
      }
    }
  }
}
