/**
 * Parses an absolute URL (WHATWG URL Standard); undefined if it is invalid. `URL.canParse` is no
 * alternative: in Node 20 it rejects valid non-ASCII text once V8 has optimized the call.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
