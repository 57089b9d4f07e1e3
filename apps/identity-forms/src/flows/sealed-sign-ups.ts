/**
 * A public sign-up is not stored before its first successful submission: everything about it is
 * sealed in its address. Visits of crawlers and link previews leave nothing behind.
 */
import { createHash } from 'node:crypto';
import { CryptoError, hmacSha256, KeyRing, openText, seal } from '@gatehouse/crypto';
import { uuidv7 } from '@gatehouse/kit/ids';
import { Injectable } from '@nestjs/common';
import { PageTokenKeysRepository } from '../paging/page-token-keys.repository.js';
import { type Flow } from './flow.types.js';

const PLACE = 'sign-up';
const CSRF_PURPOSE = 'flow-csrf';

type Content = [
  id: string,
  schemaId: string,
  schemaVersion: number,
  returnTo: string | null,
  createdAtMs: number,
  expiresAtMs: number,
];

@Injectable()
export class SealedSignUps {
  private ring: KeyRing | undefined;

  constructor(private readonly keys: PageTokenKeysRepository) {}

  /** @returns the secret of a new sign-up, for its address */
  async create(options: {
    schemaId: string;
    schemaVersion: number;
    returnTo: string | undefined;
    ttlSeconds: number;
  }): Promise<string> {
    const { schemaId, schemaVersion, returnTo, ttlSeconds } = options;
    const now = Date.now();
    const expiresAtMs = now + ttlSeconds * 1000;
    const content: Content = [
      ...([uuidv7(), schemaId, schemaVersion] as const),
      ...([returnTo ?? null, now, expiresAtMs] as const),
    ];
    return seal(await this.keyRing(), JSON.stringify(content), PLACE);
  }

  /** @returns undefined for a text that was not sealed here */
  async open(secret: string): Promise<Flow | undefined> {
    const ring = await this.keyRing();
    let text: string;
    try {
      text = openText(ring, secret, PLACE);
    } catch (error) {
      if (error instanceof CryptoError) return undefined;
      throw error;
    }
    const [id, schemaId, schemaVersion, returnTo, createdAtMs, expiresAtMs] = JSON.parse(
      text,
    ) as Content;
    const { key } = ring.forPurpose(CSRF_PURPOSE).current;
    return {
      id,
      // A digest of the id, because the same id can be written in several texts.
      idDigest: createHash('sha256').update(`${PLACE}:${id}`).digest(),
      kind: 'sign-up',
      schemaId,
      schemaVersion,
      identityId: null,
      returnTo,
      csrfKey: hmacSha256(key, id),
      createdAt: new Date(createdAtMs),
      expiresAt: new Date(expiresAtMs),
      usedAt: null,
      resultIdentityId: null,
      isBound: false,
      isSealed: true,
    };
  }

  private async keyRing(): Promise<KeyRing> {
    this.ring ??= KeyRing.fromTexts([(await this.keys.get()).toString('base64url')]);
    return this.ring;
  }
}
