import { join } from 'node:path';
import { configFolder } from '../environment.js';
import { readPrivate, writePrivate } from '../profiles/private-file.js';
import { newSecret } from './signature.js';

/** The secret that signs what `listen` forwards: made once, so that a receiver is configured once. */
export function listenSecret(): string {
  const path = join(configFolder(), 'listen-secret');
  const known = readPrivate(path)?.trim();
  if (known) return known;
  const secret = newSecret();
  writePrivate(path, `${secret}\n`);
  return secret;
}
