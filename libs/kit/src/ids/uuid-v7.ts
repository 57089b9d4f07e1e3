import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 10 * 256;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let position = POOL_BYTES;

let lastMs = 0;
let counter = 0;
let cellHex = '00';

/** Sets the cell, 0 to 255, of all ids that this process makes from now on. */
export function setCell(cell: number): void {
  cellHex = cell.toString(16).padStart(2, '0');
}

/**
 * The cell of the process or database that made an id: its tenth byte, the last two digits of the fourth
 * group. An id that was made elsewhere has any number there.
 *
 * @param id a UUID in its usual form
 */
export function cellOf(id: string): number {
  return parseInt(id.slice(21, 23), 16);
}

/**
 * A version 7 UUID (RFC 9562 section 5.7): a timestamp, a counter, and random bits, of which the second
 * byte is the cell. UUIDs that a process creates within one millisecond are in order of creation
 * (section 6.2, method 1).
 */
export function uuidv7(nowMs: number = Date.now()): string {
  if (position === POOL_BYTES) {
    randomFillSync(pool);
    position = 0;
  }
  // Starts in the lower half of its twelve bits, to leave room for counting.
  counter = nowMs === lastMs ? (counter + 1) & 0xfff : pool.readUInt16BE(position) & 0x7ff;
  lastMs = nowMs;
  const random = pool.toString('hex', position + 2, position + 10);
  position += 10;
  const time = nowMs.toString(16).padStart(12, '0');
  const count = counter.toString(16).padStart(3, '0');
  const variant = ((parseInt(random.charAt(0), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${random.charAt(1)}${cellHex}-${random.slice(4)}`;
}

/** A bound for ranges: less than or equal to every `uuidv7` from this time on, greater than earlier ones. */
export function uuidv7Bound(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
