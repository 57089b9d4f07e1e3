import { type PipeTransform } from '@nestjs/common';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
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
