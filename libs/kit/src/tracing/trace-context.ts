/** The position of a span in its trace, as W3C Trace Context sends it. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the sender records the trace. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Longer ones of a later version are not read. */
const TRACEPARENT_CHARACTERS_MAX = 128;
const FIRST_VERSION = '00';
const NO_VERSION = 'ff';
const ZEROS = /^0+$/;
const SAMPLED_FLAG = 1;

/** Reads a `traceparent`, W3C Trace Context section 3.2; undefined if it is malformed. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== 'string' || text.length > TRACEPARENT_CHARACTERS_MAX) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === NO_VERSION) return undefined;
  if (version === FIRST_VERSION && more !== undefined) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED_FLAG) !== 0 };
}

export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `${FIRST_VERSION}-${traceId}-${spanId}-${flagsOf(isSampled)}`;
}

export function flagsOf(isSampled: boolean): string {
  return isSampled ? '01' : '00';
}

/** A random trace id. */
export function newTraceId(): string {
  return newSpanId() + newSpanId();
}

/** A random span id. It is no secret, so it needs no secure random numbers. */
export function newSpanId(): string {
  return eightDigits() + eightDigits();
}

function eightDigits(): string {
  // Never 0: an id of zeros is invalid.
  return (1 + Math.floor(Math.random() * 0xffffffff)).toString(16).padStart(8, '0');
}
