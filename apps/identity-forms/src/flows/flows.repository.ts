import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Flow } from './flow.entity.js';

@Injectable()
export class FlowsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(flow: Flow): Promise<void> {
    await this.dataSource.manager.insert(Flow, flow);
  }

  /** In SQL: building the query takes longer than answering it, and every page of a flow asks. */
  async find(
    idDigest: Buffer,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Flow | null> {
    const [row] = await manager.query<Flow[]>(
      `SELECT id_digest AS "idDigest", kind, schema_id AS "schemaId",
              schema_version AS "schemaVersion", identity_id AS "identityId",
              return_to AS "returnTo", csrf_key AS "csrfKey", created_at AS "createdAt",
              expires_at AS "expiresAt", used_at AS "usedAt"
         FROM forms.flows WHERE id_digest = $1`,
      [idDigest],
    );
    return row ?? null;
  }

  /**
   * Marks a flow as used if it is neither used nor expired. Of two submissions at once the second
   * waits here for the first to commit, and then finds nothing to mark.
   *
   * @returns whether it was marked
   */
  async use(manager: EntityManager, idDigest: Buffer): Promise<boolean> {
    const [, marked] = await manager.query<[unknown[], number]>(
      `UPDATE forms.flows SET used_at = now()
        WHERE id_digest = $1 AND used_at IS NULL AND expires_at > now()`,
      [idDigest],
    );
    return marked === 1;
  }

  /** Deletes at most `limit` flows that expired before `before`. @returns how many */
  async deleteExpiredBefore(before: Date, limit: number): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM forms.flows WHERE id_digest IN (
         SELECT id_digest FROM forms.flows WHERE expires_at < $1 ORDER BY expires_at LIMIT $2
         FOR UPDATE SKIP LOCKED)`,
      [before, limit],
    );
    return deleted;
  }
}
