import { Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { type Flow } from './flow.types.js';

const INSERT_FLOW: Statement = {
  name: 'insert-flow',
  text: `INSERT INTO forms.flows
           (id, id_digest, kind, schema_id, schema_version, identity_id, return_to, csrf_key,
            created_at, expires_at, is_bound)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
};

const SELECT_FLOW = `
  SELECT id, id_digest AS "idDigest", kind, schema_id AS "schemaId",
         schema_version AS "schemaVersion", identity_id AS "identityId",
         return_to AS "returnTo", csrf_key AS "csrfKey", created_at AS "createdAt",
         expires_at AS "expiresAt", used_at AS "usedAt",
         result_identity_id AS "resultIdentityId", is_bound AS "isBound"
    FROM forms.flows`;

const FIND_FLOW: Statement = {
  name: 'find-flow',
  text: `${SELECT_FLOW} WHERE id_digest = $1`,
};

const FIND_FLOW_BY_ID: Statement = { text: `${SELECT_FLOW} WHERE id = $1` };

/** @returns a row if this browser is the first, or the same again */
const BIND_FLOW: Statement = {
  text: `UPDATE forms.flows SET browser_digest = $2
          WHERE id_digest = $1 AND (browser_digest IS NULL OR browser_digest = $2)
         RETURNING id`,
};

const USE_FLOW: Statement = {
  name: 'use-flow',
  text: `UPDATE forms.flows SET used_at = now(), result_identity_id = $2
          WHERE id_digest = $1 AND used_at IS NULL AND expires_at > now()
         RETURNING used_at`,
};

/**
 * A flow that is stored now that it is used. The second of two waits and inserts nothing, whichever of
 * the unique columns it meets first.
 */
const INSERT_USED_FLOW: Statement = {
  name: 'insert-used-flow',
  text: `INSERT INTO forms.flows
           (id, id_digest, kind, schema_id, schema_version, return_to, csrf_key, created_at,
            expires_at, used_at, result_identity_id)
         SELECT $1::uuid, $2::bytea, $3, $4, $5::integer, $6, $7::bytea, $8::timestamptz,
                $9::timestamptz, now(), $10::uuid
          WHERE $9::timestamptz > now()
         ON CONFLICT DO NOTHING
         RETURNING used_at`,
};

const DELETE_EXPIRED_FLOWS: Statement = {
  text: `DELETE FROM forms.flows WHERE id_digest IN (
           SELECT id_digest FROM forms.flows WHERE expires_at < $1 ORDER BY expires_at LIMIT $2
           FOR UPDATE SKIP LOCKED)
         RETURNING id_digest`,
};

@Injectable()
export class FlowsRepository {
  constructor(private readonly sql: Sql) {}

  async insert(
    sql: SqlExecutor,
    flow: Omit<Flow, 'usedAt' | 'resultIdentityId' | 'isSealed'>,
  ): Promise<void> {
    await sql.rows(INSERT_FLOW, [
      flow.id,
      flow.idDigest,
      flow.kind,
      flow.schemaId,
      flow.schemaVersion,
      flow.identityId,
      flow.returnTo,
      flow.csrfKey,
      flow.createdAt,
      flow.expiresAt,
      flow.isBound,
    ]);
  }

  async find(idDigest: Buffer, sql: SqlExecutor = this.sql): Promise<Flow | undefined> {
    const [row] = await sql.rows<Flow>(FIND_FLOW, [idDigest]);
    return row;
  }

  async findById(id: string): Promise<Flow | undefined> {
    const [row] = await this.sql.rows<Flow>(FIND_FLOW_BY_ID, [id]);
    return row;
  }

  /** Binds a flow to the browser with a cookie. @returns false if it is bound to another one */
  async bind({ idDigest }: Flow, cookieDigest: Buffer): Promise<boolean> {
    return (await this.sql.rows(BIND_FLOW, [idDigest, cookieDigest])).length > 0;
  }

  /**
   * Marks a flow as used, unless it is used or expired already. The second of two concurrent
   * submissions waits for the first to commit and then marks nothing.
   *
   * @param resultIdentityId the identity that the submission creates or changes, if any
   * @returns whether it was marked
   */
  async use(sql: SqlExecutor, flow: Flow, resultIdentityId: string | null): Promise<boolean> {
    const used = flow.isSealed
      ? await sql.rows(INSERT_USED_FLOW, [
          flow.id,
          flow.idDigest,
          flow.kind,
          flow.schemaId,
          flow.schemaVersion,
          flow.returnTo,
          flow.csrfKey,
          flow.createdAt,
          flow.expiresAt,
          resultIdentityId,
        ])
      : await sql.rows(USE_FLOW, [flow.idDigest, resultIdentityId]);
    return used.length > 0;
  }

  /** Deletes at most `limit` flows that expired before `before`. @returns how many */
  async deleteExpiredBefore(before: Date, limit: number): Promise<number> {
    return (await this.sql.rows(DELETE_EXPIRED_FLOWS, [before, limit])).length;
  }
}
