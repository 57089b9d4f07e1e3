import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type KeyRing, needsResealing, openText, seal } from '@gatehouse/crypto';
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import {
  calculateJwkThumbprint,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { type Logger } from 'pino';
import { KeyServiceConfig, type SigningAlgorithm } from '../../config.js';
import { ENCRYPTION_RING } from '../../key-rings.js';
import { CacheInvalidation, SIGNING_KEYS } from '../../store/cache/cache-invalidation.js';
import { type JwsSigner, jwsSigner } from './jws-signer.js';
import { type SigningKeyRow, SigningKeysRepository } from './signing-keys.repository.js';

/** How long clients may cache the key set. */
export const JWKS_MAX_AGE_SECONDS = 300;
const RELOAD_INTERVAL_MS = 60_000;
/**
 * After this time every replica, even without Redis, and every client has a new key: common libraries
 * keep the key set for up to 15 minutes, whatever its max-age says.
 */
const PUBLISHED_BEFORE_MS = 20 * 60_000;
/** The end of dropped keys, which is in the past even on a replica whose clock is behind. */
const LONG_AGO = new Date(0);
const UNKNOWN_KID_RELOAD_MS = 5_000;

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /** The encoded JWS header of every token that it signs. */
  readonly jwsHeader: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  /** Undefined when no key of ENCRYPTION_KEYS opens it: it can verify, but not sign. */
  readonly sign: JwsSigner | undefined;
  readonly createTime: Date;
  readonly signFrom: Date;
  readonly verifyUntil: Date | null;
}

type NewestKey = Pick<SigningKey, 'algorithm' | 'createTime'>;

/**
 * The keys that sign derived tokens: sealed in the database, opened in the memory of every replica.
 * A new key is published before it signs, so that verifiers that cache the key set know it in time.
 * An old key stays published until the last token that it signed has expired.
 */
@Injectable()
export class SigningKeysService implements OnModuleInit, OnApplicationShutdown {
  private keys: readonly SigningKey[] = [];
  private publishedKids: readonly string[] = [];
  private withdrawalCount = 0;
  private loadedAtMs = 0;
  private lastLoad: Promise<unknown> = Promise.resolve();
  private waitingReload: Promise<void> | undefined;
  private readonly task: PeriodicTask;

  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(ENCRYPTION_RING) private readonly ring: KeyRing,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly repository: SigningKeysRepository,
    private readonly invalidation: CacheInvalidation,
  ) {
    this.task = new PeriodicTask({
      run: () => this.ensureCurrent(),
      intervalMs: RELOAD_INTERVAL_MS,
      logger,
      failureMessage: 'signing keys could not be checked',
    });
  }

  async onModuleInit(): Promise<void> {
    await this.ensureCurrent((newest) => newest?.algorithm === this.config.signingAlgorithm);
    if (this.keys.every(({ sign }) => sign === undefined)) {
      throw new Error(
        'ENCRYPTION_KEYS opens none of the signing keys; put the former key, or the former GATEHOUSE_SECRET, back',
      );
    }
    this.invalidation.whenSigningKeysChange(() => void this.reload());
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** The key that signs now. */
  current(nowMs: number = Date.now()): SigningKey & { sign: JwsSigner } {
    const signing = this.keys
      .filter(isOpened)
      .filter(({ signFrom }) => signFrom.getTime() <= nowMs);
    const unreplaced = signing.find(({ verifyUntil }) => verifyUntil === null);
    const key = unreplaced ?? signing.at(-1) ?? this.keys.find(isOpened);
    if (key === undefined) throw new Error('there is no signing key');
    return key;
  }

  /** The key with this id. An unknown id reloads the keys, at most once every 5 s. */
  async find(kid: string): Promise<SigningKey | undefined> {
    const known = this.published().find((key) => key.kid === kid);
    if (known || performance.now() - this.loadedAtMs < UNKNOWN_KID_RELOAD_MS) return known;
    await this.reload();
    return this.published().find((key) => key.kid === kid);
  }

  /** Grows when a key is withdrawn: tokens that were checked before must be checked again. */
  get withdrawals(): number {
    return this.withdrawalCount;
  }

  /** The keys whose tokens may still be valid, and those that will sign soon. */
  published(nowMs: number = Date.now()): readonly SigningKey[] {
    return this.keys.filter(({ verifyUntil }) => !verifyUntil || verifyUntil.getTime() > nowMs);
  }

  /**
   * Adds a key, which signs after it was published long enough, or at once. The other keys stay
   * published until their longest token has expired, or are dropped.
   */
  async rotate({ atOnce = false, dropOthers = false } = {}): Promise<string> {
    const key = await this.makeKey(atOnce);
    await this.repository.whileLocked(async (sql) => {
      await this.add(sql, key);
      if (dropOthers) await this.repository.retireOthers(sql, key.kid, LONG_AGO);
    });
    await this.invalidation.publish([SIGNING_KEYS]);
    await this.reload();
    return key.kid;
  }

  /**
   * Reads the keys again; after a failure the known ones stay. Callers share a reload that has not
   * started yet; one that is already running may be too old, so a new one is queued.
   */
  reload(): Promise<void> {
    this.waitingReload ??= this.loadKeys().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'signing keys could not be read');
    });
    return this.waitingReload;
  }

  /**
   * Reads the keys, and adds one when the newest is too old or not accepted. The algorithm is
   * checked only at startup: during a rollout, replicas with different settings would otherwise
   * replace each other's keys again and again.
   */
  private async ensureCurrent(accepts: (newest?: NewestKey) => boolean = Boolean): Promise<void> {
    await this.loadKeys();
    const isSufficient = (newest?: NewestKey) => accepts(newest) && this.isYoung(newest);
    if (isSufficient(this.keys.at(-1))) return;
    const made = await this.makeKey(this.keys.length === 0);
    const isAdded = await this.repository.whileLocked(async (sql) => {
      const newest = (await this.repository.list(sql)).at(-1);
      if (newest && isSufficient({ ...newest, createTime: newest.create_time })) return false;
      await this.add(sql, made);
      return true;
    });
    if (isAdded) {
      this.logger.info({ kid: made.kid, algorithm: made.algorithm }, 'signing key added');
      await this.invalidation.publish([SIGNING_KEYS]);
    }
    await this.loadKeys();
  }

  private isYoung(newest: NewestKey | undefined): boolean {
    const maxAgeMs = this.config.signingKeyMaxAgeSeconds * 1000;
    const madeAtMs = newest?.createTime.getTime() ?? 0;
    return maxAgeMs === 0 || Date.now() - madeAtMs < maxAgeMs;
  }

  private async add(
    sql: Parameters<SigningKeysRepository['insert']>[0],
    key: Omit<SigningKeyRow, 'verify_until'>,
  ): Promise<void> {
    await this.repository.insert(sql, key);
    const lastTokenEndMs = key.sign_from.getTime() + this.config.maxTtlSeconds * 1000;
    await this.repository.retireOthers(sql, key.kid, new Date(lastTokenEndMs));
  }

  private async makeKey(atOnce: boolean): Promise<Omit<SigningKeyRow, 'verify_until'>> {
    const algorithm = this.config.signingAlgorithm;
    const pair = await generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 });
    const publicJwk = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
    const createTime = new Date();
    const delayMs = atOnce ? 0 : PUBLISHED_BEFORE_MS;
    return {
      kid,
      algorithm,
      public_jwk: { ...publicJwk, kid, alg: algorithm, use: 'sig' },
      sealed_private_jwk: seal(this.ring, privateJwk, sealedFor(kid)),
      create_time: createTime,
      sign_from: new Date(createTime.getTime() + delayMs),
    };
  }

  /** Loads follow one another, so that an older result never replaces a newer one. */
  private loadKeys(): Promise<void> {
    const load = this.lastLoad.then(() => {
      this.waitingReload = undefined;
      return this.loadKeysNow();
    });
    this.lastLoad = load.catch(() => undefined);
    return load;
  }

  private async loadKeysNow(): Promise<void> {
    const rows = await this.repository.list();
    this.keys = await Promise.all(rows.map((row) => this.opened(row)));
    this.loadedAtMs = performance.now();
    const kids = this.published().map(({ kid }) => kid);
    if (!this.publishedKids.every((kid) => kids.includes(kid))) this.withdrawalCount += 1;
    this.publishedKids = kids;
  }

  private async opened(row: SigningKeyRow): Promise<SigningKey> {
    const known = this.keys.find(({ kid }) => kid === row.kid);
    const times = {
      createTime: row.create_time,
      signFrom: row.sign_from,
      verifyUntil: row.verify_until,
    };
    const mustReseal = needsResealing(this.ring, row.sealed_private_jwk);
    if (known?.sign && !mustReseal) return { ...known, ...times };
    return {
      kid: row.kid,
      algorithm: row.algorithm,
      jwsHeader: jwsHeader(row),
      publicJwk: row.public_jwk,
      publicKey: (await importJWK(row.public_jwk, row.algorithm)) as CryptoKey,
      sign: (await this.openedSigner(row)) ?? known?.sign,
      ...times,
    };
  }

  /** Opens the private part, and reseals it when the first key of the ring has changed. */
  private async openedSigner(row: SigningKeyRow): Promise<JwsSigner | undefined> {
    try {
      const text = openText(this.ring, row.sealed_private_jwk, sealedFor(row.kid));
      if (needsResealing(this.ring, row.sealed_private_jwk)) {
        const sealed = seal(this.ring, text, sealedFor(row.kid));
        await this.repository.reseal(row.kid, row.sealed_private_jwk, sealed);
      }
      return jwsSigner(JSON.parse(text) as JWK, row.algorithm);
    } catch (error) {
      this.logger.error({ kid: row.kid, err: error }, 'signing key cannot be opened');
      return undefined;
    }
  }
}

function isOpened(key: SigningKey): key is SigningKey & { sign: JwsSigner } {
  return key.sign !== undefined;
}

function jwsHeader({ algorithm, kid }: SigningKeyRow): string {
  return Buffer.from(JSON.stringify({ alg: algorithm, kid, typ: 'JWT' })).toString('base64url');
}

function sealedFor(kid: string): string {
  return `keys.signing_keys:${kid}`;
}
