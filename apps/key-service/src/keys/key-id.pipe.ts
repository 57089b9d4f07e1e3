import { type PipeTransform } from '@nestjs/common';
import { KeyErrors } from '../errors.js';
import { DomainError } from '@gatehouse/service-kit';

const KEY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads a key id from a path. A malformed id gets the answer of an unknown one, without a lookup.
 */
export class KeyIdPipe implements PipeTransform<string, string> {
  transform(keyId: string): string {
    if (!KEY_ID.test(keyId)) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
    return keyId;
  }
}
