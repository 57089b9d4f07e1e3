import { Injectable } from '@nestjs/common';
import { Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { type JWK } from 'jose';
import { type SigningAlgorithm } from '../../config.js';

/** A signing key as it is stored: the private part is sealed. */
export interface SigningKeyRow {
  kid: string;
  algorithm: SigningAlgorithm;
  public_jwk: JWK;
  sealed_private_jwk: string;
  create_time: Date;
  /** Time from which the key signs; it is published earlier. */
  sign_from: Date;
  /** Time until which the key stays in the key set; null until another key replaces it. */
  verify_until: Date | null;
}

const LIST: Statement = {
  text: `
    SELECT kid, algorithm, public_jwk, sealed_private_jwk, create_time, sign_from, verify_until
    FROM keys.signing_keys WHERE verify_until IS NULL OR verify_until > $1
    ORDER BY sign_from, kid`,
};

const LOCK_ROTATION: Statement = { text: 'SELECT pg_advisory_xact_lock(7120303)' };

const INSERT: Statement = {
  text: `
    INSERT INTO keys.signing_keys
      (kid, algorithm, public_jwk, sealed_private_jwk, create_time, sign_from)
    VALUES ($1, $2, $3, $4, $5, $6)`,
};

const RETIRE_OTHERS: Statement = {
  text: `
    UPDATE keys.signing_keys SET verify_until = LEAST(verify_until, $2::timestamptz)
    WHERE kid <> $1`,
};

const RESEAL: Statement = {
  text: `
    UPDATE keys.signing_keys SET sealed_private_jwk = $3
    WHERE kid = $1 AND sealed_private_jwk = $2`,
};

@Injectable()
export class SigningKeysRepository {
  constructor(private readonly sql: Sql) {}

  /** The keys that are still published, oldest first. */
  async list(sql: SqlExecutor = this.sql): Promise<SigningKeyRow[]> {
    return sql.rows<SigningKeyRow>(LIST, [new Date()]);
  }

  /** Runs `work` in a transaction while no other process rotates. */
  async whileLocked<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return this.sql.transaction(async (sql) => {
      await sql.rows(LOCK_ROTATION);
      return work(sql);
    });
  }

  async insert(sql: SqlExecutor, key: Omit<SigningKeyRow, 'verify_until'>): Promise<void> {
    await sql.rows(INSERT, [
      key.kid,
      key.algorithm,
      JSON.stringify(key.public_jwk),
      key.sealed_private_jwk,
      key.create_time,
      key.sign_from,
    ]);
  }

  /** Sets an end for every key except `kid`; an earlier end stays. */
  async retireOthers(sql: SqlExecutor, kid: string, verifyUntil: Date): Promise<void> {
    await sql.rows(RETIRE_OTHERS, [kid, verifyUntil]);
  }

  /** Stores a resealed private part, unless another replica has resealed it. */
  async reseal(kid: string, formerSealed: string, sealed: string): Promise<void> {
    await this.sql.rows(RESEAL, [kid, formerSealed, sealed]);
  }
}
