/**
 * The `state` of an OAuth authorization (RFC 6749 section 10.12): names its directory, and the setup link
 * on whose pages it was begun. It is signed, and is stored as a hash only. The signature refuses invented
 * ones without a look at the database.
 */
import { digestsEqual, hmacSha256, type PurposeKeys, randomToken, sha256 } from '@gatehouse/crypto';
import { isUuid } from '@gatehouse/kit/ids';

export interface ReadState {
  directoryId: string;
  /** Only the session of this link may end the authorization; null: any browser. */
  linkId: string | null;
  sha256: Buffer;
}

const STATE = /^([0-9a-f-]{36})(?:\.([0-9a-f-]{36}))?\.([\w-]{43})\.([\w-]{43})$/;

export class OAuthStates {
  /** @param keys of the purpose `workspace-oauth-state` */
  constructor(private readonly keys: PurposeKeys) {}

  issue(directoryId: string, linkId: string | null = null): ReadState & { state: string } {
    const signed = signedPart(directoryId, linkId, randomToken());
    const signature = hmacSha256(this.keys.current.key, signed).toString('base64url');
    const state = `${signed}.${signature}`;
    return { state, directoryId, linkId, sha256: sha256(state) };
  }

  /** Undefined for a text that this service has not signed. */
  read(state: string): ReadState | undefined {
    const parts = STATE.exec(state);
    const [, directoryId = '', linkId = null, random = '', presented = ''] = parts ?? [];
    if (!isUuid(directoryId)) return undefined;
    const signed = signedPart(directoryId, linkId, random);
    const claimed = Buffer.from(presented, 'base64url');
    const isOurs = this.keys.all.some(({ key }) => digestsEqual(hmacSha256(key, signed), claimed));
    return isOurs ? { directoryId, linkId, sha256: sha256(state) } : undefined;
  }
}

const signedPart = (directoryId: string, linkId: string | null, random: string): string =>
  [directoryId, ...(linkId === null ? [] : [linkId]), random].join('.');
