import { randomBytes } from 'node:crypto';
import { Sql, type Statement } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';

const INSERT_KEY: Statement = {
  text: 'INSERT INTO forms.page_token_keys (id, key) VALUES (1, $1) ON CONFLICT DO NOTHING',
};
const FIND_KEY: Statement = { text: 'SELECT key FROM forms.page_token_keys WHERE id = 1' };

/**
 * The key that authenticates page tokens, and from which that of public sign-ups is derived. Shared
 * by all replicas and never changed.
 */
@Injectable()
export class PageTokenKeysRepository {
  private key: Promise<Buffer> | undefined;

  constructor(private readonly sql: Sql) {}

  /** Reads the key; the first replica that needs it creates it. */
  get(): Promise<Buffer> {
    this.key ??= this.findOrInsert().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }

  private async findOrInsert(): Promise<Buffer> {
    await this.sql.rows(INSERT_KEY, [randomBytes(32)]);
    const [row] = await this.sql.rows<{ key: Buffer }>(FIND_KEY);
    if (!row) throw new Error('the page token key has vanished');
    return row.key;
  }
}
