import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import * as statements from './key-link.sql.js';
import { type KeyLinkRow, type KeyLinkSettings, type KeyLinkStatus } from './key-link.types.js';

type Scope = Pick<KeyLinkSettings, 'tenant' | 'product'>;

/** Key links, with the lanes of their directories and the demand for their people. */
export class KeyLinkRepository {
  constructor(private readonly sql: Sql) {}

  /** Makes or replaces the link of a tenant and product. */
  async put(sql: SqlExecutor, link: KeyLinkSettings): Promise<KeyLinkRow> {
    const { tenant, product } = link;
    await sql.rows(statements.LOCK_SCOPE, [tenant, product]);
    const [row] = await sql.rows<KeyLinkRow>(statements.PUT_LINK, [
      tenant,
      product,
      link.attribute,
      link.actor_prefix,
      link.email_domains,
      link.all_actors,
      link.on_deactivate,
      link.on_delete,
    ]);
    await sql.rows(statements.LINK_DIRECTORIES, [tenant, product, null]);
    return row as KeyLinkRow;
  }

  /** Ordered by tenant and product; null: any. */
  list(
    { tenant, product }: { tenant: string | null; product: string | null },
    offset: number,
    limit: number,
  ): Promise<KeyLinkRow[]> {
    return this.sql.rows(statements.LIST_LINKS, [tenant, product, offset, limit]);
  }

  /** @returns false without a link */
  async delete(sql: SqlExecutor, { tenant, product }: Scope): Promise<boolean> {
    await sql.rows(statements.LOCK_SCOPE, [tenant, product]);
    const isDeleted = (await sql.rows(statements.DELETE_LINK, [tenant, product])).length > 0;
    if (isDeleted) await sql.rows(statements.UNLINK_DIRECTORIES, [tenant, product]);
    return isDeleted;
  }

  /** Gives a new directory its lane if its tenant and product have a link. */
  async linkNew(sql: SqlExecutor, { tenant, product, id }: Scope & { id: string }): Promise<void> {
    await sql.rows(statements.LOCK_SCOPE, [tenant, product]);
    await sql.rows(statements.LINK_DIRECTORIES, [tenant, product, id]);
  }

  /** The people of a directory have changed without events, or are to be forgotten with it. */
  async wantFeed(sql: SqlExecutor, directoryId: string): Promise<void> {
    await sql.rows(statements.WANT_FEED, [directoryId]);
  }

  /** Undefined without a link. */
  async status(directoryId: string): Promise<KeyLinkStatus | undefined> {
    const [row] = await this.sql.rows<KeyLinkStatus>(statements.LINK_STATUS, [directoryId]);
    return row;
  }
}
