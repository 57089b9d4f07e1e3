/** Finds issued secrets in text that comes in pieces, such as a file that is read in blocks. */
import {
  hashedIssuedSecret,
  IssuedSecretCodec,
  issuedSecretPattern,
  type KeyRing,
} from '@gatehouse/crypto';

export interface FoundSecret {
  readonly secret: string;
  readonly keyId: string;
  /** From 1. */
  readonly line: number;
}

/** Longer than any secret: so much of the text before is kept for the next piece. */
const KEPT_CHARACTERS = 192;
const CHECKSUM_CHARACTERS_MIN = 16;
/** The ids of issued keys are UUIDs of version 7. */
const KEY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** Recognizes secrets: by their checksum with a ring, otherwise by what their payload says. */
export class SecretFinder {
  private readonly pattern: string;
  private readonly codec: IssuedSecretCodec | undefined;

  constructor(prefixes: readonly string[], ring: KeyRing | undefined) {
    // The longest first: one prefix may be the end of another.
    const longestFirst = [...prefixes].sort((a, b) => b.length - a.length);
    this.pattern = issuedSecretPattern(longestFirst);
    this.codec = ring && new IssuedSecretCodec(ring);
  }

  /** @returns takes the next piece of one text, and returns what ends in it */
  open(): (piece: string, isLast: boolean) => FoundSecret[] {
    const pattern = new RegExp(this.pattern, 'g');
    let kept = '';
    let line = 1;
    return (piece, isLast) => {
      const text = kept + piece;
      const found: FoundSecret[] = [];
      let counted = 0;
      let done = 0;
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        // The next piece may go on with the checksum.
        if (!isLast && pattern.lastIndex === text.length) break;
        line += linesIn(text, counted, match.index);
        counted = match.index;
        const known = this.recognize(match[0]);
        if (known) {
          found.push({ ...known, line });
          done = match.index + known.secret.length;
        }
        // What is no secret may end with the prefix of one.
        pattern.lastIndex = known ? done : match.index + 1;
      }
      const start = Math.max(done, text.length - KEPT_CHARACTERS);
      line += linesIn(text, counted, start);
      kept = text.slice(start);
      return found;
    };
  }

  /** Characters behind a secret may look like a part of its checksum. */
  private recognize(text: string): Omit<FoundSecret, 'line'> | undefined {
    const { codec } = this;
    if (codec === undefined) {
      const keyId = hashedIssuedSecret(text)?.keyId;
      return keyId !== undefined && KEY_ID.test(keyId) ? { secret: text, keyId } : undefined;
    }
    const shortest = text.lastIndexOf('_') + 1 + CHECKSUM_CHARACTERS_MIN;
    for (let length = text.length; length >= shortest; length -= 1) {
      const secret = text.slice(0, length);
      const parsed = codec.parse(secret);
      if (parsed) return { secret, keyId: parsed.keyId };
    }
    return undefined;
  }
}

function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}
