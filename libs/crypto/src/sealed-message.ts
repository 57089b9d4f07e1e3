/**
 * Messages over a transport that is not trusted, sealed with AES-256-GCM. The key is derived for one
 * direction of one pattern, and the binding is authenticated, so a message opens only in its place: a
 * reply does not open as a request, nor as the reply to another request.
 */
import { type KeyRing } from './key-ring.js';
import { openText, seal } from './sealing.js';

export interface MessagePlace {
  readonly direction: 'request' | 'reply' | 'event';
  /** The pattern of the message, such as `keys.verify`. */
  readonly pattern: string;
  /** Binds the message to a request ID and, for a reply, to its requester. */
  readonly binding: string;
}

/** Seals a JSON value under the first key of the ring. */
export function sealMessage(ring: KeyRing, place: MessagePlace, value: object): string {
  return seal(ring, JSON.stringify(value), place.binding, purposeOf(place));
}

/**
 * Opens a message that was sealed for this place by a holder of the ring.
 * Throws SEALED_MALFORMED, SEALED_KEY_UNKNOWN or SEALED_TAMPERED, as `open` does.
 */
export function openMessage(ring: KeyRing, place: MessagePlace, sealed: string): unknown {
  return JSON.parse(openText(ring, sealed, place.binding, purposeOf(place)));
}

function purposeOf({ direction, pattern }: MessagePlace): string {
  return `message:${direction}:${pattern}`;
}
