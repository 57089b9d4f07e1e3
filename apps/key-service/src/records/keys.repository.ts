import { Injectable } from '@nestjs/common';
import { KeysDatabase, type SqlRunner } from '../database/keys-database.js';
import type { KeyKind, RateLimitPolicy } from '../key.types.js';
import type { JsonObject } from '../wire/body-reader.js';
import {
  KEY_VISIBILITIES,
  type KeyStatus,
  REVOCATION_REASONS,
  type RevocationReason,
} from '../wire/enums.js';
import { KEY_COLUMNS, keyOfRow, type KeyRecord, type KeyRow } from './key.record.js';

/** Everything that a key is born with. */
export interface NewKey extends Omit<
  KeyRecord,
  | 'updateTime'
  | 'lastUsedTime'
  | 'revokeTime'
  | 'revocationReason'
  | 'revocationDescription'
  | 'replacedBy'
> {
  readonly secretHash: Buffer;
  /** The HMAC secret that keyed the hash of an imported key; null for an issued one. */
  readonly hashKeyId: string | null;
  readonly requestId: string | null;
}

/** The fields of a key that an update sets; what is absent stays. */
export interface KeyUpdate {
  name?: string;
  scopes?: readonly string[];
  metadata?: JsonObject;
  rateLimitPolicy?: RateLimitPolicy | null;
  allowedCidrs?: readonly string[];
}

export interface KeyListQuery {
  kind: KeyKind;
  actorId?: string;
  status?: KeyStatus;
  /** Create time and key id of the last key of the page before. */
  after?: readonly string[];
  limit: number;
}

const LIVE = '(revoke_time IS NULL AND (expire_time IS NULL OR expire_time > $1))';
const KEY_COUNT_LOCK = 7_120_302;

const INSERT = {
  name: 'keys_insert',
  text: `
    INSERT INTO keys.api_keys (
      key_id, kind, name, actor_id, scopes, metadata, visibility, rate_quota, rate_unit,
      rate_window_seconds, allowed_cidrs, secret_hash, hash_key_id, key_preview, request_id,
      create_time, update_time, expire_time)
    SELECT
      key_id, kind, name, actor_id, scopes, metadata, visibility, rate_quota, rate_unit,
      rate_window_seconds, allowed_cidrs, decode(secret_hash, 'hex'), hash_key_id, key_preview,
      request_id, create_time, create_time, expire_time
    FROM jsonb_to_recordset($1::jsonb) AS added (
      key_id text, kind text, name text, actor_id text, scopes text[], metadata jsonb,
      visibility smallint, rate_quota bigint, rate_unit text, rate_window_seconds bigint,
      allowed_cidrs text[], secret_hash text, hash_key_id text, key_preview text, request_id text,
      create_time timestamptz, expire_time timestamptz)
    ON CONFLICT DO NOTHING
    RETURNING ${KEY_COLUMNS}`,
};

const FIND = {
  name: 'keys_find',
  text: `SELECT ${KEY_COLUMNS} FROM keys.api_keys WHERE key_id = $1`,
};

/** The rows of keys. Methods that change take the SQL runner of their transaction. */
@Injectable()
export class KeysRepository {
  constructor(private readonly database: KeysDatabase) {}

  /** Adds keys; the ones whose key id or request id is taken are left out of what it returns. */
  async insert(sql: SqlRunner, keys: readonly NewKey[]): Promise<KeyRecord[]> {
    // In one order everywhere: two batches of the same keys would wait for each other otherwise.
    const inOrder = [...keys].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    const rows = await sql.rows<KeyRow>(INSERT, [JSON.stringify(inOrder.map(insertedRow))]);
    return rows.map(keyOfRow);
  }

  async find(keyId: string, sql: SqlRunner = this.database): Promise<KeyRecord | undefined> {
    const [row] = await sql.rows<KeyRow>(FIND, [keyId]);
    return row && keyOfRow(row);
  }

  async findByRequestIds(
    requestIds: readonly string[],
    sql: SqlRunner = this.database,
  ): Promise<Map<string, KeyRecord>> {
    const rows = await sql.rows<KeyRow & { request_id: string }>(
      `SELECT request_id, ${KEY_COLUMNS} FROM keys.api_keys WHERE request_id = ANY($1)`,
      [requestIds],
    );
    return new Map(rows.map((row) => [row.request_id, keyOfRow(row)]));
  }

  /** Newest first. */
  async list(query: KeyListQuery): Promise<KeyRecord[]> {
    const values: unknown[] = [new Date(), query.kind];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const conditions = ['kind = $2', '$1::timestamptz IS NOT NULL'];
    if (query.actorId !== undefined) conditions.push(`actor_id = ${bind(query.actorId)}`);
    if (query.status === 'KEY_STATUS_ACTIVE') conditions.push(LIVE);
    if (query.status === 'KEY_STATUS_REVOKED') conditions.push('revoke_time IS NOT NULL');
    if (query.status === 'KEY_STATUS_EXPIRED') {
      conditions.push('revoke_time IS NULL AND expire_time <= $1');
    }
    if (query.after) {
      const [createTime, keyId] = query.after;
      conditions.push(`(create_time, key_id) < (${bind(createTime)}, ${bind(keyId)})`);
    }
    const rows = await this.database.rows<KeyRow>(
      `SELECT ${KEY_COLUMNS} FROM keys.api_keys WHERE ${conditions.join(' AND ')}
       ORDER BY create_time DESC, key_id DESC LIMIT ${bind(query.limit)}`,
      values,
    );
    return rows.map(keyOfRow);
  }

  async update(
    sql: SqlRunner,
    kind: KeyKind,
    keyId: string,
    update: KeyUpdate,
  ): Promise<KeyRecord | undefined> {
    const values: unknown[] = [keyId, kind, new Date()];
    const sets = updatedColumns(update).map(
      ([column, value]) => `${column} = $${values.push(value)}`,
    );
    const [row] = await sql.rows<KeyRow>(
      `UPDATE keys.api_keys SET ${['update_time = $3', ...sets].join(', ')}
       WHERE key_id = $1 AND kind = $2 RETURNING ${KEY_COLUMNS}`,
      values,
    );
    return row && keyOfRow(row);
  }

  /** Revokes a key that is not revoked yet; undefined when there is no such key of that kind. */
  async revoke(
    sql: SqlRunner,
    revocation: {
      keyId: string;
      kinds: readonly KeyKind[];
      reason: RevocationReason;
      description: string;
    },
  ): Promise<KeyRecord | undefined> {
    const [row] = await sql.rows<KeyRow>(
      `UPDATE keys.api_keys
       SET revoke_time = $3, update_time = $3, revocation_reason = $4, revocation_description = $5
       WHERE key_id = $1 AND kind = ANY($2) AND revoke_time IS NULL RETURNING ${KEY_COLUMNS}`,
      [
        revocation.keyId,
        revocation.kinds,
        new Date(),
        REVOCATION_REASONS.indexOf(revocation.reason),
        revocation.description,
      ],
    );
    return row && keyOfRow(row);
  }

  /**
   * Lets `newKeyId` take over from a live issued key that nobody took over from: the old one is
   * revoked now, or lives until `aliveUntil` at most. Of two at once, one gets undefined.
   */
  async replace(
    sql: SqlRunner,
    keyId: string,
    newKeyId: string,
    aliveUntil: Date | null,
  ): Promise<KeyRecord | undefined> {
    const change =
      aliveUntil === null
        ? `revoke_time = $1, revocation_reason = ${REVOCATION_REASONS.indexOf('REVOCATION_REASON_SUPERSEDED')}`
        : 'expire_time = LEAST(expire_time, $4::timestamptz)';
    const [row] = await sql.rows<KeyRow>(
      `UPDATE keys.api_keys SET update_time = $1, replaced_by = $3, ${change}
       WHERE key_id = $2 AND kind = 'issued' AND replaced_by IS NULL AND ${LIVE}
       RETURNING ${KEY_COLUMNS}`,
      [new Date(), keyId, newKeyId, ...(aliveUntil === null ? [] : [aliveUntil])],
    );
    return row && keyOfRow(row);
  }

  async deleteImported(sql: SqlRunner, keyId: string): Promise<KeyRecord | undefined> {
    const [row] = await sql.rows<KeyRow>(
      `DELETE FROM keys.api_keys WHERE key_id = $1 AND kind = 'imported' RETURNING ${KEY_COLUMNS}`,
      [keyId],
    );
    return row && keyOfRow(row);
  }

  /** The number of live keys, which stays true until the transaction ends. */
  async countForUpdate(sql: SqlRunner): Promise<number> {
    await sql.rows('SELECT pg_advisory_xact_lock($1)', [KEY_COUNT_LOCK]);
    const [row] = await sql.rows<{ count: string }>(
      `SELECT count(*) FROM keys.api_keys WHERE ${LIVE}`,
      [new Date()],
    );
    return Number(row?.count);
  }
}

function insertedRow(key: NewKey): Record<string, unknown> {
  return {
    key_id: key.keyId,
    kind: key.kind,
    name: key.name,
    actor_id: key.actorId,
    scopes: key.scopes,
    metadata: key.metadata,
    visibility: KEY_VISIBILITIES.indexOf(key.visibility),
    rate_quota: key.rateLimitPolicy?.quota,
    rate_unit: key.rateLimitPolicy?.unit,
    rate_window_seconds: key.rateLimitPolicy?.windowSeconds,
    allowed_cidrs: key.allowedCidrs,
    secret_hash: key.secretHash.toString('hex'),
    hash_key_id: key.hashKeyId,
    key_preview: key.keyPreview,
    request_id: key.requestId,
    create_time: key.createTime,
    expire_time: key.expireTime,
  };
}

function updatedColumns(update: KeyUpdate): [column: string, value: unknown][] {
  const columns: [string, unknown][] = [];
  if (update.name !== undefined) columns.push(['name', update.name]);
  if (update.scopes !== undefined) columns.push(['scopes', update.scopes]);
  if (update.metadata !== undefined) columns.push(['metadata', JSON.stringify(update.metadata)]);
  if (update.allowedCidrs !== undefined) columns.push(['allowed_cidrs', update.allowedCidrs]);
  if (update.rateLimitPolicy !== undefined) {
    columns.push(
      ['rate_quota', update.rateLimitPolicy?.quota ?? null],
      ['rate_unit', update.rateLimitPolicy?.unit ?? null],
      ['rate_window_seconds', update.rateLimitPolicy?.windowSeconds ?? null],
    );
  }
  return columns;
}
