import { type PipeTransform } from '@nestjs/common';
import { DomainError, isUuid } from '@gatehouse/service-kit';
import { KeyErrors } from '../errors.js';

/**
 * Reads a key id from a path. A malformed id gets the answer of an unknown one, without a lookup.
 */
export class KeyIdPipe implements PipeTransform<string, string> {
  transform(keyId: string): string {
    if (!isUuid(keyId)) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
    return keyId;
  }
}
