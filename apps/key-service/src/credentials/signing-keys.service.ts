// The keys that sign derived tokens. They live in the database, sealed; every replica holds them
// opened in memory. A new key is published before it signs, so that verifiers who keep the key set
// for five minutes know it in time, and an old one stays published until its last token has ended.
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type KeyRing, needsResealing, openText, seal } from '@gatehouse/crypto';
import { LOGGER, PeriodicTask } from '@gatehouse/service-kit';
import {
  calculateJwkThumbprint,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Logger } from 'pino';
import { KeyServiceConfig, type SigningAlgorithm } from '../config.js';
import { ENCRYPTION_RING } from '../key-rings.js';
import { CacheInvalidation, SIGNING_KEYS } from '../cache/cache-invalidation.js';
import { type JwsSigner, jwsSigner } from './jws-signer.js';
import { type SigningKeyRow, SigningKeysRepository } from './signing-keys.repository.js';

/** How long clients may keep the key set. */
export const JWKS_MAX_AGE_SECONDS = 300;
const RELOAD_INTERVAL_MS = 60_000;
/** Until the last replica has a new key, without Redis, and the last client that asked it before. */
const PUBLISHED_BEFORE_MS = RELOAD_INTERVAL_MS + JWKS_MAX_AGE_SECONDS * 1000;
/** For keys that are dropped: over by every clock, however far the replicas' clocks are apart. */
const LONG_AGO = new Date(0);
const UNKNOWN_KID_RELOAD_MS = 5_000;

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /** The encoded JWS header of every token that it signs. */
  readonly jwsHeader: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  /** Undefined when no key of ENCRYPTION_KEYS opens it: it can be checked with, not signed with. */
  readonly sign: JwsSigner | undefined;
  readonly createTime: Date;
  readonly signFrom: Date;
  readonly verifyUntil: Date | null;
}

type NewestKey = Pick<SigningKey, 'algorithm' | 'createTime'>;

@Injectable()
export class SigningKeysService implements OnModuleInit, OnApplicationShutdown {
  private keys: readonly SigningKey[] = [];
  private publishedKids: readonly string[] = [];
  private withdrawalCount = 0;
  private loadedAtMs = 0;
  private lastRead: Promise<unknown> = Promise.resolve();
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
      throw new Error('ENCRYPTION_KEYS opens none of the signing keys; put the former key back');
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

  /** The key of a token, looked up in the database once more when it is not known here. */
  async find(kid: string): Promise<SigningKey | undefined> {
    const known = this.published().find((key) => key.kid === kid);
    if (known || Date.now() - this.loadedAtMs < UNKNOWN_KID_RELOAD_MS) return known;
    await this.reload();
    return this.published().find((key) => key.kid === kid);
  }

  /** Grows when a key is published no more: what was checked with it before counts no longer. */
  get withdrawals(): number {
    return this.withdrawalCount;
  }

  /** The keys whose tokens may still be alive, and the ones that will sign soon. */
  published(nowMs: number = Date.now()): readonly SigningKey[] {
    return this.keys.filter(({ verifyUntil }) => !verifyUntil || verifyUntil.getTime() > nowMs);
  }

  /**
   * Adds a key. It signs when verifiers had time to learn of it, or at once; the keys before it
   * stay published until the longest token that they may have signed has ended, or are dropped.
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
   * Reads the keys again; on a fault the known ones stay. Whoever asks while another waits for its
   * turn shares that one's read; one under way may have missed what this one is to see.
   */
  reload(): Promise<void> {
    this.waitingReload ??= this.read().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'signing keys could not be read');
    });
    return this.waitingReload;
  }

  /**
   * Reads the keys, and makes one when the newest is too old or not accepted. Its kind is looked at
   * when a replica starts and never later: two replicas with different settings, as there are while
   * one is rolled out, would answer each other with new keys for ever.
   */
  private async ensureCurrent(accepts: (newest?: NewestKey) => boolean = Boolean): Promise<void> {
    await this.read();
    const isServed = (newest?: NewestKey) => accepts(newest) && this.isYoung(newest);
    if (isServed(this.keys.at(-1))) return;
    const made = await this.makeKey(this.keys.length === 0);
    const isAdded = await this.repository.whileLocked(async (sql) => {
      const newest = (await this.repository.list(sql)).at(-1);
      if (newest && isServed({ ...newest, createTime: newest.create_time })) return false;
      await this.add(sql, made);
      return true;
    });
    if (isAdded) {
      this.logger.info({ kid: made.kid, algorithm: made.algorithm }, 'signing key added');
      await this.invalidation.publish([SIGNING_KEYS]);
    }
    await this.read();
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

  /** One read at a time, so that what is known last is what was read last. */
  private read(): Promise<void> {
    const read = this.lastRead.then(() => {
      this.waitingReload = undefined;
      return this.readNow();
    });
    this.lastRead = read.catch(() => undefined);
    return read;
  }

  private async readNow(): Promise<void> {
    const rows = await this.repository.list();
    this.keys = await Promise.all(rows.map((row) => this.opened(row)));
    this.loadedAtMs = Date.now();
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
    const isSealedAnew = needsResealing(this.ring, row.sealed_private_jwk);
    if (known?.sign && !isSealedAnew) return { ...known, ...times };
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

  /** The private part, sealed anew on the way when the ring has another key in front by now. */
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
