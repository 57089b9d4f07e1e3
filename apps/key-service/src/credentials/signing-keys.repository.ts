import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import type { SigningAlgorithm } from '../config.js';
import { KeysDatabase, type SqlRunner } from '../database/keys-database.js';

/** A signing key as it is stored: the private part is sealed. */
export interface SigningKeyRow {
  kid: string;
  algorithm: SigningAlgorithm;
  public_jwk: JWK;
  sealed_private_jwk: string;
  create_time: Date;
  /** From when on it signs; it is published before that. */
  sign_from: Date;
  /** Until when it stays in the key set; null while nothing replaced it. */
  verify_until: Date | null;
}

const ROTATION_LOCK = 7_120_303;

@Injectable()
export class SigningKeysRepository {
  constructor(private readonly database: KeysDatabase) {}

  /** The keys that are still published, the oldest first. */
  async list(sql: SqlRunner = this.database): Promise<SigningKeyRow[]> {
    return sql.rows<SigningKeyRow>(
      `SELECT kid, algorithm, public_jwk, sealed_private_jwk, create_time, sign_from, verify_until
       FROM keys.signing_keys WHERE verify_until IS NULL OR verify_until > $1
       ORDER BY sign_from, kid`,
      [new Date()],
    );
  }

  /** Runs `work` while no other process rotates. */
  async whileLocked<T>(work: (sql: SqlRunner) => Promise<T>): Promise<T> {
    return this.database.transaction(async (sql) => {
      await sql.rows('SELECT pg_advisory_xact_lock($1)', [ROTATION_LOCK]);
      return work(sql);
    });
  }

  async insert(sql: SqlRunner, key: Omit<SigningKeyRow, 'verify_until'>): Promise<void> {
    await sql.rows(
      `INSERT INTO keys.signing_keys
         (kid, algorithm, public_jwk, sealed_private_jwk, create_time, sign_from)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        key.kid,
        key.algorithm,
        JSON.stringify(key.public_jwk),
        key.sealed_private_jwk,
        key.create_time,
        key.sign_from,
      ],
    );
  }

  /** Gives every key but `kid` an end, unless it has an earlier one. */
  async retireOthers(sql: SqlRunner, kid: string, verifyUntil: Date): Promise<void> {
    await sql.rows(
      `UPDATE keys.signing_keys SET verify_until = LEAST(verify_until, $2::timestamptz)
       WHERE kid <> $1`,
      [kid, verifyUntil],
    );
  }

  /** Stores a private part sealed anew, unless another replica did so in the meantime. */
  async reseal(kid: string, sealedBefore: string, sealedNow: string): Promise<void> {
    await this.database.rows(
      `UPDATE keys.signing_keys SET sealed_private_jwk = $3
       WHERE kid = $1 AND sealed_private_jwk = $2`,
      [kid, sealedBefore, sealedNow],
    );
  }
}
