/** What Fastify's parser refuses, or might: names that would change a prototype, however spelt. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

/** The JSON value of a body; undefined when it is none, or when Fastify's parser has to look at it. */
export function plainJsonOf(body: Buffer): unknown {
  const text = body.toString();
  return SUSPICIOUS.test(text) ? undefined : parsed(text);
}

/** As `plainJsonOf`, for a caller who looks at all names himself. */
export function jsonOf(body: Buffer): unknown {
  return parsed(body.toString());
}

function parsed(text: string): unknown {
  // A replacement character may stand for bytes that are no UTF-8, which the route refuses.
  if (text.includes('\ufffd')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
