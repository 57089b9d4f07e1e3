import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { IdentityEvent } from './identity-event.entity.js';
import { Identity } from './identity.entity.js';

export interface IdentityFilter {
  schemaId?: string;
}

/** SQL of identities, their identifiers and their events. Writes take the caller's transaction. */
@Injectable()
export class IdentitiesRepository {
  constructor(private readonly dataSource: DataSource) {}

  find(id: string): Promise<Identity | null> {
    return this.dataSource.manager.findOneBy(Identity, { id });
  }

  /** Reads an identity and keeps others from changing it until the transaction ends. */
  lock(manager: EntityManager, id: string): Promise<Identity | null> {
    return manager.findOne(Identity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Newest first. */
  page(
    { schemaId }: IdentityFilter,
    beforeId: string | undefined,
    limit: number,
  ): Promise<Identity[]> {
    const query = this.dataSource.manager.createQueryBuilder(Identity, 'identity');
    if (schemaId !== undefined) query.andWhere('identity.schema_id = :schemaId', { schemaId });
    if (beforeId !== undefined) query.andWhere('identity.id < :beforeId', { beforeId });
    return query.orderBy('identity.id', 'DESC').limit(limit).getMany();
  }

  async insert(manager: EntityManager, identity: Identity): Promise<void> {
    await manager.insert(Identity, identity as never);
  }

  async update(manager: EntityManager, identity: Identity): Promise<void> {
    const { id, schemaVersion, traits, updatedAt } = identity;
    await manager.update(Identity, { id }, { schemaVersion, traits: traits as never, updatedAt });
  }

  /** @returns whether there was one */
  async delete(id: string): Promise<boolean> {
    const result = await this.dataSource.manager.delete(Identity, { id });
    return (result.affected ?? 0) > 0;
  }

  /**
   * Makes `digests` the identifiers of an identity, and of no other. Taken in one order by all
   * writers, so that two of them wait for each other instead of deadlocking.
   *
   * @returns those that belong to another identity; then the caller takes the transaction back
   */
  async claimIdentifiers(
    manager: EntityManager,
    identity: Pick<Identity, 'id' | 'schemaId'>,
    digests: readonly Buffer[],
  ): Promise<Buffer[]> {
    const sorted = [...digests].sort((a, b) => Buffer.compare(a, b));
    await manager.query(
      'DELETE FROM forms.identifiers WHERE identity_id = $1 AND digest <> ALL($2::bytea[])',
      [identity.id, sorted],
    );
    if (sorted.length === 0) return [];
    const claimed = await manager.query<{ digest: Buffer }[]>(
      `INSERT INTO forms.identifiers AS held (schema_id, digest, identity_id)
       SELECT $1, digest, $2 FROM unnest($3::bytea[]) WITH ORDINALITY AS wanted (digest, position)
        ORDER BY position
       ON CONFLICT (schema_id, digest) DO UPDATE SET identity_id = held.identity_id
        WHERE held.identity_id = excluded.identity_id
       RETURNING digest`,
      [identity.schemaId, identity.id, sorted],
    );
    const own = new Set(claimed.map(({ digest }) => digest.toString('hex')));
    return sorted.filter((digest) => !own.has(digest.toString('hex')));
  }

  async insertEvent(manager: EntityManager, event: IdentityEvent): Promise<void> {
    await manager.insert(IdentityEvent, event as never);
  }

  /** Deletes at most `limit` events older than `before`. @returns how many */
  async deleteEventsBefore(before: Date, limit: number): Promise<number> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM forms.events WHERE id IN (
         SELECT id FROM forms.events WHERE created_at < $1 ORDER BY created_at LIMIT $2
         FOR UPDATE SKIP LOCKED)`,
      [before, limit],
    );
    return rows[1];
  }
}
