import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 10 * 256;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let position = POOL_BYTES;

/** A version 7 UUID (RFC 9562 section 5.7): ordered by time, the rest random. */
export function uuidv7(nowMs: number = Date.now()): string {
  if (position === POOL_BYTES) {
    randomFillSync(pool);
    position = 0;
  }
  const random = pool.toString('hex', position, position + 10);
  position += 10;
  const time = nowMs.toString(16).padStart(12, '0');
  const variant = ((parseInt(random.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** Below every `uuidv7` of this moment or later, and above those before: a bound for ranges. */
export function uuidv7Bound(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
