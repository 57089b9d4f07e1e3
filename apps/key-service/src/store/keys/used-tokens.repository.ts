import { sha256 } from '@gatehouse/crypto';
import { Sql, type Statement } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';

/** Key id of the rule, hash of the token's id, until when the token is accepted. */
const USE: Statement = {
  name: 'keys_use_token',
  text: `
    INSERT INTO keys.used_tokens (key_id, token_hash, expire_time) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING key_id`,
};

const DELETE_BATCH = 5_000;
const DELETE_EXPIRED: Statement = {
  text: `
    DELETE FROM keys.used_tokens WHERE (key_id, token_hash) IN (
      SELECT key_id, token_hash FROM keys.used_tokens
      WHERE expire_time < now() ORDER BY expire_time LIMIT ${DELETE_BATCH})
    RETURNING key_id`,
};

/** The tokens of other issuers that trust rules have accepted once. */
@Injectable()
export class UsedTokensRepository {
  constructor(private readonly sql: Sql) {}

  /** Of all callers, on all replicas, one gets true. */
  async use(keyId: string, tokenId: string, acceptedUntil: Date): Promise<boolean> {
    const rows = await this.sql.rows(USE, [keyId, sha256(tokenId), acceptedUntil]);
    return rows.length > 0;
  }

  async deleteExpired(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      const deleted = await this.sql.rows(DELETE_EXPIRED);
      if (deleted.length < DELETE_BATCH) return;
    }
  }
}
