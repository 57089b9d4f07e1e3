/**
 * Bounds on the replies of a Redis, checked before the client's decoder sees a byte. A decoder allocates
 * an array of the announced length and goes one call deeper for each level: a few bytes would take all
 * memory, which no handler can catch.
 *
 * Reads the framing of RESP2 and RESP3 and skips what the frames contain.
 */

export const REPLY_LIMITS = {
  levels: 8,
  /** Elements of all arrays of one reply. */
  elements: 100_000,
  bytes: 8 * 1024 * 1024,
} as const;

/** A reply that cannot be read: the connection that sent it is lost. */
export class UnreadableReply extends Error {
  override readonly name = 'UnreadableReply';
  /** The code of sockets whose other end failed, so that callers treat it as an outage. */
  readonly code = 'ECONNRESET';

  constructor(reason: string, options?: ErrorOptions) {
    super(`Redis sent a reply that cannot be read (${reason})`, options);
  }
}

type Frame = 'line' | 'bulk' | 'array' | 'map';

const FRAMES: ReadonlyMap<number, Frame> = new Map(
  Object.entries({ line: '+-:,(#_', bulk: '$=!', array: '*~>', map: '%' }).flatMap(
    ([frame, types]) => [...types].map((type) => [type.charCodeAt(0), frame as Frame] as const),
  ),
);
/** Types that RESP2 also uses for null: `$-1` and `*-1`. */
const NULLABLE = new Set([...'$*'].map((type) => type.charCodeAt(0)));
const LENGTH = /^\d{1,10}$/;
const LENGTH_CHARACTERS_MAX = 10;
const [CR, LF] = [13, 10];
const LINE_END_BYTES = 2;

/** Reads the replies of one connection as they arrive. */
export class ReplyScanner {
  /** How many elements each open array still lacks. */
  private readonly missing: number[] = [];
  private elements = 0;
  private bytes = 0;
  /** The type byte of the frame whose first line is being read. */
  private type: number | undefined;
  private frame: Frame | undefined;
  private length = '';
  private isAfterCr = false;
  /** Bytes of a bulk string that are still to come, with its line end. */
  private bulkBytes = 0;

  /** @throws UnreadableReply for what is no reply, or exceeds a limit; the scanner is useless then */
  scan(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.bulkBytes > 0) at += this.skipBulk(chunk.length - at);
      else if (this.frame === undefined) this.beginFrame(chunk[at++] as number);
      else if (this.frame === 'line' && !this.isAfterCr) at = this.skipLine(chunk, at);
      else this.readLine(chunk[at++] as number);
    }
  }

  private skipBulk(bytesAvailable: number): number {
    const skipped = Math.min(this.bulkBytes, bytesAvailable);
    this.bulkBytes -= skipped;
    if (this.bulkBytes === 0) this.endValue();
    return skipped;
  }

  private beginFrame(type: number): void {
    this.frame = FRAMES.get(type);
    if (this.frame === undefined) throw new UnreadableReply(`type ${type}`);
    this.type = type;
    this.length = '';
    this.isAfterCr = false;
    this.count(1);
  }

  private skipLine(chunk: Uint8Array, from: number): number {
    const at = chunk.indexOf(CR, from);
    const end = at === -1 ? chunk.length : at + 1;
    this.count(end - from);
    this.isAfterCr = at !== -1;
    return end;
  }

  private readLine(byte: number): void {
    if (this.isAfterCr) {
      if (byte !== LF) throw new UnreadableReply('no end of a line');
      this.endLine();
    } else if (byte === CR) {
      this.isAfterCr = true;
    } else if (this.length.length < LENGTH_CHARACTERS_MAX) {
      this.length += String.fromCharCode(byte);
    } else {
      throw new UnreadableReply('a length out of range');
    }
  }

  private endLine(): void {
    const { frame, length } = this;
    this.frame = undefined;
    const isNull = length === '-1' && NULLABLE.has(this.type as number);
    if (frame === 'line' || isNull) return this.endValue();
    if (!LENGTH.test(length)) throw new UnreadableReply('a length out of range');
    if (frame === 'bulk') this.beginBulk(Number(length));
    else this.beginArray(Number(length) * (frame === 'map' ? 2 : 1));
  }

  private beginBulk(bytes: number): void {
    this.count(bytes);
    this.bulkBytes = bytes + LINE_END_BYTES;
  }

  private beginArray(elements: number): void {
    this.elements += elements;
    if (this.elements > REPLY_LIMITS.elements) throw new UnreadableReply('too many elements');
    if (elements === 0) return this.endValue();
    this.missing.push(elements);
    if (this.missing.length > REPLY_LIMITS.levels) throw new UnreadableReply('nested too deep');
  }

  private endValue(): void {
    this.frame = undefined;
    while (this.missing.length > 0) {
      const left = (this.missing.pop() as number) - 1;
      if (left > 0) return void this.missing.push(left);
    }
    this.elements = 0;
    this.bytes = 0;
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > REPLY_LIMITS.bytes) throw new UnreadableReply('too long');
  }
}
