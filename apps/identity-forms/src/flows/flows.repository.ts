import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Flow } from './flow.entity.js';

@Injectable()
export class FlowsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(flow: Flow): Promise<void> {
    await this.dataSource.manager.insert(Flow, flow);
  }

  find(idDigest: Buffer): Promise<Flow | null> {
    return this.dataSource.manager.findOneBy(Flow, { idDigest });
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
