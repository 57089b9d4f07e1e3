import { Injectable } from '@nestjs/common';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { KeyServiceConfig } from '../../config.js';
import { balancesOf, CreditsRepository } from '../credits/credits.repository.js';
import { type KeyKind, REVOCATION_REASONS, type RevocationReason } from './key.types.js';
import { KEY_VISIBILITIES } from '@gatehouse/schemas';
import { type Leaver } from './leaver.js';
import { BatchLoader } from './batch-loader.js';
import {
  type KeyListQuery,
  keyOfRow,
  type KeyRecord,
  type KeyRow,
  type KeyUpdate,
  type NewKey,
} from './key.record.js';
import * as statements from './keys.sql.js';
import { type TrustRule, type TrustTerms } from './trust.types.js';
import { VerificationKey, type VerificationRow } from './verification-key.js';

/** The rows of keys.api_keys. Methods that change keys take the executor of their transaction. */
@Injectable()
export class KeysRepository {
  private readonly verificationLoads = new BatchLoader((keyIds) => this.loadMany(keyIds));
  private readonly importedLoads = new BatchLoader((hashes) => this.loadImportedMany(hashes));

  constructor(
    private readonly sql: Sql,
    private readonly config: KeyServiceConfig,
    private readonly credits: CreditsRepository = new CreditsRepository(sql),
  ) {}

  /** Reads what verification needs of a key; null when there is no such key. */
  loadForVerification(keyId: string): Promise<VerificationKey | null> {
    return this.verificationLoads.load(keyId);
  }

  /**
   * As `loadForVerification`, for an imported key by its hashes (Base64). Where keys are stored
   * under several of them, the first counts.
   */
  async loadImported(hashes: readonly string[]): Promise<VerificationKey | null> {
    const keys = await Promise.all(hashes.map((hash) => this.importedLoads.load(hash)));
    return keys.find((key) => key !== null) ?? null;
  }

  /**
   * The hashes (Base64) that imported keys are stored under, out of the given ones. Other imports
   * wait here until the transaction ends: while HMAC_SECRETS are rotated, two replicas may store the
   * same raw key under different secrets, which the unique index does not notice.
   */
  async lockImportedHashes(sql: SqlExecutor, hashes: readonly string[]): Promise<Set<string>> {
    await sql.rows(statements.LOCK_IMPORTS);
    const rows = await sql.rows<{ hash: string }>(statements.FIND_IMPORTED_HASHES, [
      bytesOf(hashes),
    ]);
    return new Set(rows.map(({ hash }) => hash));
  }

  /** Adds keys; the result leaves out those whose raw key or request id is taken. */
  async insert(sql: SqlExecutor, keys: readonly NewKey[]): Promise<KeyRecord[]> {
    // One order everywhere: two batches with the same keys would deadlock otherwise.
    const inOrder = [...keys].sort((a, b) => a.secretHash.compare(b.secretHash));
    const rows = await sql.rows<KeyRow>(statements.INSERT, [
      JSON.stringify(inOrder.map(insertedRow)),
    ]);
    const balances = new Map(keys.map(({ keyId, credits }) => [keyId, credits]));
    for (const { key_id: keyId } of rows) {
      const credits = balances.get(keyId);
      if (credits) await this.credits.set(sql, keyId, credits);
    }
    return this.withCredits(sql, rows);
  }

  async find(keyId: string, sql: SqlExecutor = this.sql): Promise<KeyRecord | undefined> {
    return this.firstOf(sql, await sql.rows<KeyRow>(statements.FIND, [keyId]));
  }

  /** As `find`; no other transaction can change the key until this one ends. */
  async findForUpdate(sql: SqlExecutor, keyId: string): Promise<KeyRecord | undefined> {
    return this.firstOf(sql, await sql.rows<KeyRow>(statements.FIND_FOR_UPDATE, [keyId]));
  }

  async findByRequestIds(
    requestIds: readonly string[],
    sql: SqlExecutor = this.sql,
  ): Promise<Map<string, KeyRecord>> {
    const rows = await sql.rows<KeyRow & { request_id: string }>(statements.FIND_BY_REQUEST_IDS, [
      requestIds,
    ]);
    const keys = await this.withCredits(sql, rows);
    return new Map(keys.map((key, index) => [(rows[index] as (typeof rows)[0]).request_id, key]));
  }

  /** In the order of `positionOf`, descending. */
  async list(query: KeyListQuery): Promise<KeyRecord[]> {
    const { statement, values } = statements.listStatement(query);
    return this.withCredits(this.sql, await this.sql.rows<KeyRow>(statement, values));
  }

  async update(
    sql: SqlExecutor,
    kind: KeyKind,
    keyId: string,
    update: KeyUpdate,
  ): Promise<KeyRecord | undefined> {
    const { name, scopes, metadata, allowedCidrs, expiringThresholds, tags } = update;
    const { rateLimitPolicy: policy, rateLimits } = update;
    const { issuer, audience, subjectPattern, claims, tokenTtlSeconds, isSingleUse } = update;
    const terms: Partial<TrustTerms> = {
      issuer,
      audience,
      subjectPattern,
      claims,
      tokenTtlSeconds,
      isSingleUse,
    };
    return this.firstOf(
      sql,
      await sql.rows<KeyRow>(statements.UPDATE, [
        keyId,
        kind,
        new Date(),
        name,
        scopes,
        metadata && JSON.stringify(metadata),
        allowedCidrs,
        policy !== undefined,
        policy?.quota,
        policy?.unit,
        policy?.windowSeconds,
        expiringThresholds !== undefined,
        expiringThresholds,
        tags,
        rateLimits && JSON.stringify(rateLimits),
        JSON.stringify(terms),
      ]),
    );
  }

  /** Revokes a key that is not revoked yet; undefined when there is no such key of these kinds. */
  async revoke(
    sql: SqlExecutor,
    revocation: {
      keyId: string;
      kinds: readonly KeyKind[];
      reason: RevocationReason;
      description: string;
      /** Time until which the revocation can be undone; null if it is final. */
      undeleteUntil: Date | null;
    },
  ): Promise<KeyRecord | undefined> {
    const { keyId, kinds, reason, description, undeleteUntil } = revocation;
    const values = [
      keyId,
      kinds,
      new Date(),
      REVOCATION_REASONS.indexOf(reason),
      description,
      undeleteUntil,
    ];
    return this.firstOf(sql, await sql.rows<KeyRow>(statements.REVOKE, values));
  }

  /** Sets the credit account of a key that `findForUpdate` has locked; null for none. */
  async setCreditAccount(sql: SqlExecutor, keyId: string, accountId: string | null): Promise<void> {
    await sql.rows(statements.SET_CREDIT_ACCOUNT, [keyId, accountId, new Date()]);
  }

  /** Pauses or resumes a key that `findForUpdate` has locked. */
  async setPaused(sql: SqlExecutor, keyId: string, isPaused: boolean): Promise<KeyRecord> {
    const values = [keyId, new Date(), isPaused];
    const rows = await sql.rows<KeyRow>(statements.SET_PAUSED, values);
    return (await this.firstOf(sql, rows)) as KeyRecord;
  }

  /**
   * Pauses live keys of actors, each because of a person; at most OF_ACTORS_MAX.
   * @returns the keys that were not paused before
   */
  async pauseOfActors(
    sql: SqlExecutor,
    leavers: ReadonlyMap<string, Leaver>,
  ): Promise<KeyRecord[]> {
    const values = [new Date(), [...leavers.keys()], Object.fromEntries(leavers)];
    return this.withCredits(sql, await sql.rows<KeyRow>(statements.PAUSE_OF_ACTORS, values));
  }

  /** As `pauseOfActors`, but revokes them; for so many seconds it can be undone. */
  async revokeOfActors(
    sql: SqlExecutor,
    leavers: ReadonlyMap<string, Leaver>,
    reason: RevocationReason,
    undeleteSeconds: number,
  ): Promise<KeyRecord[]> {
    const values = [
      new Date(),
      [...leavers.keys()],
      Object.fromEntries(leavers),
      REVOCATION_REASONS.indexOf(reason),
      undeleteSeconds,
    ];
    return this.withCredits(sql, await sql.rows<KeyRow>(statements.REVOKE_OF_ACTORS, values));
  }

  /** Resumes keys of actors that were paused because a person left; at most OF_ACTORS_MAX. */
  async resumeOfActors(sql: SqlExecutor, actorIds: readonly string[]): Promise<KeyRecord[]> {
    const values = [new Date(), actorIds];
    return this.withCredits(sql, await sql.rows<KeyRow>(statements.RESUME_OF_ACTORS, values));
  }

  /** Undefined when the revocation is final. */
  async undelete(sql: SqlExecutor, keyId: string): Promise<KeyRecord | undefined> {
    return this.firstOf(sql, await sql.rows<KeyRow>(statements.UNDELETE, [keyId, new Date()]));
  }

  /** Erases personal data of a key that `findForUpdate` has locked, and plans the erasure of its events. */
  async erase(sql: SqlExecutor, keyId: string): Promise<KeyRecord> {
    const rows = await sql.rows<KeyRow>(statements.ERASE, [keyId, new Date()]);
    return (await this.firstOf(sql, rows)) as KeyRecord;
  }

  /**
   * Replaces a live issued key that has no successor yet: it is revoked now, or expires at
   * `aliveUntil` at the latest. Of two concurrent calls one gets undefined.
   */
  async replace(
    sql: SqlExecutor,
    keyId: string,
    newKeyId: string,
    aliveUntil: Date | null,
  ): Promise<KeyRecord | undefined> {
    const values = [new Date(), keyId, newKeyId, aliveUntil];
    return this.firstOf(sql, await sql.rows<KeyRow>(statements.REPLACE, values));
  }

  /** The key that was deleted, without its balance. */
  async deleteImported(sql: SqlExecutor, keyId: string): Promise<KeyRecord | undefined> {
    const [row] = await sql.rows<KeyRow>(statements.DELETE_IMPORTED, [keyId]);
    return row && keyOfRow(row);
  }

  /** The number of live keys, which no other transaction can change until this one ends. */
  async countForUpdate(sql: SqlExecutor): Promise<number> {
    await sql.rows(statements.LOCK_COUNT);
    const [row] = await sql.rows<{ count: string }>(statements.COUNT_LIVE, [new Date()]);
    return Number(row?.count);
  }

  /** The live trust rules, in the order in which they are tried. */
  async listTrustRules(sql: SqlExecutor = this.sql): Promise<TrustRule[]> {
    const rows = await sql.rows<{ keyId: string; trust: TrustTerms }>(statements.LIST_TRUST_RULES, [
      new Date(),
    ]);
    return rows.map(({ keyId, trust }) => ({ keyId, ...trust }));
  }

  /** Whether a key was ever issued or imported that still has its record. */
  async hasAny(): Promise<boolean> {
    const [row] = await this.sql.rows<{ found: boolean }>(statements.HAS_ANY);
    return row?.found ?? false;
  }

  private async firstOf(sql: SqlExecutor, rows: readonly KeyRow[]): Promise<KeyRecord | undefined> {
    const [key] = await this.withCredits(sql, rows);
    return key;
  }

  /** Keys with their balances, which are read only if there are any. */
  private async withCredits(sql: SqlExecutor, rows: readonly KeyRow[]): Promise<KeyRecord[]> {
    const keys = rows.map(keyOfRow);
    const accounts = new Set(keys.flatMap(({ creditAccount }) => creditAccount ?? []));
    if (accounts.size === 0) return keys;
    const balances = await balancesOf(sql, [...accounts]);
    return keys.map((key) => {
      const { creditAccount } = key;
      return { ...key, credits: (creditAccount && balances.get(creditAccount)) || null };
    });
  }

  private async loadMany(keyIds: readonly string[]): Promise<Map<string, VerificationKey>> {
    const rows =
      keyIds.length === 1
        ? await this.sql.rows<VerificationRow>(statements.LOAD_FOR_VERIFICATION, keyIds)
        : await this.sql.rows<VerificationRow>(statements.LOAD_MANY_FOR_VERIFICATION, [keyIds]);
    const { issuer } = this.config;
    return new Map(rows.map((row) => [row.key_id, new VerificationKey(row, issuer)]));
  }

  private async loadImportedMany(hashes: readonly string[]): Promise<Map<string, VerificationKey>> {
    const rows = await this.sql.rows<VerificationRow>(statements.LOAD_IMPORTED, [bytesOf(hashes)]);
    const { issuer } = this.config;
    return new Map(rows.map((row) => [row.secret_hash, new VerificationKey(row, issuer)]));
  }
}

function bytesOf(base64: readonly string[]): Buffer[] {
  return base64.map((text) => Buffer.from(text, 'base64'));
}

function insertedRow(key: NewKey): Record<string, unknown> {
  return {
    key_id: key.keyId,
    kind: key.kind,
    name: key.name,
    actor_id: key.actorId,
    scopes: key.scopes,
    metadata: key.metadata,
    tags: key.tags,
    visibility: KEY_VISIBILITIES.indexOf(key.visibility),
    rate_quota: key.rateLimitPolicy?.quota,
    rate_unit: key.rateLimitPolicy?.unit,
    rate_window_seconds: key.rateLimitPolicy?.windowSeconds,
    credit_account: key.credits ? key.keyId : key.creditAccount,
    rate_limits: key.rateLimits.length > 0 ? key.rateLimits : undefined,
    allowed_cidrs: key.allowedCidrs,
    expiring_thresholds: key.expiringThresholds,
    secret_hash: key.secretHash.toString('hex'),
    hash_key_id: key.hashKeyId,
    key_preview: key.keyPreview,
    request_id: key.requestId,
    create_time: key.createTime,
    expire_time: key.expireTime,
    rotated_from: key.rotatedFrom,
    trust: key.trust,
  };
}
