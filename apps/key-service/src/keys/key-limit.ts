import { Injectable } from '@nestjs/common';
import { KeyServiceConfig } from '../config.js';
import { KeysRepository } from '../store/keys/keys.repository.js';
import { KeyErrors } from '../errors.js';
import { DomainError } from '@gatehouse/kit/errors';
import { type SqlExecutor } from '@gatehouse/kit/sql';

/** Enforces MAX_KEYS, the maximum number of live keys. */
@Injectable()
export class KeyLimit {
  constructor(
    private readonly config: KeyServiceConfig,
    private readonly keys: KeysRepository,
  ) {}

  /** How many keys a transaction may still add. With a limit, it locks until the transaction ends. */
  async room(sql: SqlExecutor): Promise<{ left: number; error: Error | undefined }> {
    const { maxKeys } = this.config;
    if (maxKeys === undefined) return { left: Infinity, error: undefined };
    const count = await this.keys.countForUpdate(sql);
    return { left: Math.max(0, maxKeys - count), error: limitReached(maxKeys, count) };
  }
}

function limitReached(limit: number, currentUsage: number): DomainError {
  return new DomainError(KeyErrors.API_KEY_LIMIT_REACHED, {
    message: `The limit is ${limit} live keys; there are ${currentUsage}.`,
    metadata: { limit: String(limit), current_usage: String(currentUsage) },
  });
}
