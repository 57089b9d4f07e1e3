import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The one key of all replicas that authenticates page tokens. */
@Injectable()
export class PageTokenKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns the key that is there, or `candidate` when it was the first */
  async getOrInsert(candidate: Buffer): Promise<Buffer> {
    await this.dataSource.query(
      'INSERT INTO forms.page_token_keys (id, key) VALUES (1, $1) ON CONFLICT DO NOTHING',
      [candidate],
    );
    const [row] = await this.dataSource.query<{ key: Buffer }[]>(
      'SELECT key FROM forms.page_token_keys WHERE id = 1',
    );
    if (!row) throw new Error('the page token key has vanished');
    return row.key;
  }
}
