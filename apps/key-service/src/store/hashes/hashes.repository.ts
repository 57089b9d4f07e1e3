import { Inject, Injectable } from '@nestjs/common';
import { type KeyedHash, type KeyRing, openText, seal } from '@gatehouse/crypto';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type Logger } from 'pino';
import { ENCRYPTION_RING } from '../../key-rings.js';
import { type HashAlgorithm } from './hash.types.js';
import { type ForeignHash } from './foreign-hash.js';
import * as statements from './hashes.sql.js';

/** Candidates that are tried for one credential, over all lengths of prefixes. */
const CANDIDATES_MAX = 16;
const RESEALED_BATCH = 500;

/** Hashes that are looked up in the same way. */
export interface HashGroup {
  readonly groupId: number;
  readonly algorithm: HashAlgorithm;
  /** Names it in keyed hashes. */
  readonly fingerprint: string;
  /** Null when a hash is found by itself. */
  readonly prefixLength: number | null;
  /** The key of an HMAC that is found by itself. */
  readonly hmacKey: Buffer | null;
}

export interface Candidate {
  readonly keyId: string;
  readonly prefix: string;
  readonly hash: ForeignHash;
  /** Base64: what the key is stored under until it is re-keyed. */
  readonly secretHash: string;
}

export interface NewHash {
  readonly keyId: string;
  readonly groupId: number;
  readonly identity: Buffer;
  readonly hash: ForeignHash;
}

export interface HashCounts {
  readonly algorithm: HashAlgorithm;
  readonly total: number;
  readonly rekeyed: number;
  readonly pending: number;
  readonly ended: number;
  readonly dropped: number;
  readonly dropTime: Date | null;
}

type GroupRow = Omit<HashGroup, 'hmacKey'> & { sealedKey: string | null };

/** The hashes of imported keys that another system has made; sealed, as are the keys of HMACs. */
@Injectable()
export class HashesRepository {
  constructor(
    private readonly sql: Sql,
    @Inject(ENCRYPTION_RING) private readonly ring: KeyRing,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The groups that have a hash whose key was not used yet. */
  async pendingGroups(sql: SqlExecutor = this.sql): Promise<HashGroup[]> {
    const rows = await sql.rows<GroupRow>(statements.LOAD_PENDING_GROUPS);
    return rows.flatMap((row) => this.groupOf(row));
  }

  /** All groups, also those whose hashes are gone. */
  async groups(sql: SqlExecutor): Promise<HashGroup[]> {
    return (await sql.rows<GroupRow>(statements.LOAD_GROUPS)).flatMap((row) => this.groupOf(row));
  }

  async findByPrefixes(prefixes: readonly string[]): Promise<Candidate[]> {
    const rows = await this.sql.rows<Omit<Candidate, 'hash'> & { sealedHash: string }>(
      statements.FIND_BY_PREFIXES,
      [prefixes, CANDIDATES_MAX],
    );
    return rows.flatMap(({ sealedHash, ...row }) => {
      const text = this.opened(sealedHash, hashPlace(row.keyId));
      return text === undefined ? [] : { ...row, hash: JSON.parse(text) as ForeignHash };
    });
  }

  /** No other transaction can import hashes until this one ends. */
  async lock(sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.LOCK);
  }

  /** Returns those of the identities (Base64) that are stored, re-keyed ones included. */
  async storedIdentities(sql: SqlExecutor, identities: readonly string[]): Promise<string[]> {
    const bytes = identities.map((text) => Buffer.from(text, 'base64'));
    const rows = await sql.rows<{ identity: string }>(statements.FIND_IDENTITIES, [bytes]);
    return rows.map(({ identity }) => identity);
  }

  async countPrefixes(sql: SqlExecutor, prefixes: readonly string[]): Promise<Map<string, number>> {
    const rows = await sql.rows<{ prefix: string; count: number }>(statements.COUNT_PREFIXES, [
      prefixes,
    ]);
    return new Map(rows.map(({ prefix, count }) => [prefix, count]));
  }

  async addGroup(sql: SqlExecutor, group: Omit<HashGroup, 'groupId'>): Promise<number> {
    const { algorithm, fingerprint, prefixLength, hmacKey } = group;
    const sealed = hmacKey && seal(this.ring, hmacKey.toString('base64'), groupPlace(fingerprint));
    const [row] = await sql.rows<{ groupId: number }>(statements.ADD_GROUP, [
      algorithm,
      fingerprint,
      prefixLength,
      sealed,
    ]);
    return (row as { groupId: number }).groupId;
  }

  async insert(sql: SqlExecutor, hashes: readonly NewHash[]): Promise<void> {
    const rows = hashes.map(({ keyId, groupId, identity, hash }) => ({
      key_id: keyId,
      group_id: groupId,
      identity: identity.toString('base64'),
      prefix: hash.prefix,
      sealed_hash:
        hash.prefix === null ? null : seal(this.ring, JSON.stringify(hash), hashPlace(keyId)),
    }));
    await sql.rows(statements.INSERT, [JSON.stringify(rows)]);
  }

  /**
   * Stores a key under the keyed hash of its raw key, unless another replica has done that.
   *
   * @returns the algorithm of the hash that is gone
   */
  async rekey(
    keyId: string,
    formerHash: string,
    { hash, hashKeyId }: KeyedHash,
  ): Promise<HashAlgorithm | undefined> {
    const former = Buffer.from(formerHash, 'base64');
    const [row] = await this.sql.rows<{ algorithm: HashAlgorithm }>(statements.REKEY, [
      keyId,
      former,
      hash,
      hashKeyId,
    ]);
    return row?.algorithm;
  }

  countByAlgorithm(now = new Date()): Promise<HashCounts[]> {
    return this.sql.rows<HashCounts>(statements.COUNT, [now]);
  }

  /** Locks the planned times of these algorithms. @returns the earliest; null if none is planned */
  async lockEarliestDrop(
    sql: SqlExecutor,
    algorithms: readonly HashAlgorithm[],
  ): Promise<Date | null> {
    const rows = await sql.rows<{ dropTime: Date }>(statements.LOCK_PLANNED, [algorithms]);
    return rows[0]?.dropTime ?? null;
  }

  /** Plans when the hashes of these algorithms are dropped; null for never. */
  async planDrop(
    sql: SqlExecutor,
    time: Date | null,
    algorithms: readonly HashAlgorithm[],
  ): Promise<void> {
    await sql.rows(statements.PLAN_DROP, [time, algorithms]);
  }

  /** Ids of keys whose hashes are due to be dropped. */
  async lockDropped(sql: SqlExecutor, now: Date, limit: number): Promise<string[]> {
    const rows = await sql.rows<{ keyId: string }>(statements.LOCK_DROPPED, [now, limit]);
    return rows.map(({ keyId }) => keyId);
  }

  async drop(sql: SqlExecutor, keyIds: readonly string[], now: Date): Promise<void> {
    await sql.rows(statements.DROP, [keyIds, now]);
  }

  /** Seals what a former ENCRYPTION_KEYS entry has sealed with the current one. */
  async reseal(signal: AbortSignal): Promise<void> {
    const { LIST_RESEALED, RESEAL, LIST_RESEALED_GROUPS, RESEAL_GROUP } = statements;
    const isCurrent = `s1.${this.ring.currentId}.%`;
    for (const [list, store, place] of [
      [LIST_RESEALED_GROUPS, RESEAL_GROUP, groupPlace],
      [LIST_RESEALED, RESEAL, hashPlace],
    ] as const) {
      for (let isLast = false; !isLast && !signal.aborted;) {
        const values = [isCurrent, RESEALED_BATCH];
        const rows = await this.sql.rows<{ id: string; sealed: string }>(list, values);
        isLast = rows.length < RESEALED_BATCH;
        for (const { id, sealed } of rows) {
          const text = this.opened(sealed, place(id));
          if (text === undefined) return;
          await this.sql.rows(store, [id, sealed, seal(this.ring, text, place(id))]);
        }
      }
    }
  }

  private groupOf({ sealedKey, ...group }: GroupRow): HashGroup[] {
    if (sealedKey === null) return [{ ...group, hmacKey: null }];
    const text = this.opened(sealedKey, groupPlace(group.fingerprint));
    return text === undefined ? [] : [{ ...group, hmacKey: Buffer.from(text, 'base64') }];
  }

  /** A hash that cannot be decrypted does not prevent the others from being found. */
  private opened(sealed: string, place: string): string | undefined {
    try {
      return openText(this.ring, sealed, place);
    } catch (error) {
      this.logger.error({ err: error }, 'an imported hash cannot be opened');
      return undefined;
    }
  }
}

function groupPlace(fingerprint: string): string {
  return `keys.imported_hash_groups:${fingerprint}`;
}

function hashPlace(keyId: string): string {
  return `keys.imported_hashes:${keyId}`;
}
