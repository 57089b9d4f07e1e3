import type { PipeTransform } from '@nestjs/common';
import { keyNotFound } from './key.errors.js';

const KEY_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})$/;

/** A key id out of a path. What cannot be one is answered as an unknown one, without a look-up. */
export class KeyIdPipe implements PipeTransform<string, string> {
  transform(keyId: string): string {
    if (!KEY_ID.test(keyId)) throw keyNotFound();
    return keyId;
  }
}
