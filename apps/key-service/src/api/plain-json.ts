/** May spell a name that Fastify's parser refuses, because it would change a prototype. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

/** The JSON value of a body; undefined when Fastify's parser has to decide. */
export function plainJsonOf(body: Buffer): unknown {
  const text = body.toString();
  return SUSPICIOUS.test(text) ? undefined : parsed(text);
}

/** As `plainJsonOf`, for callers that check every member name themselves. */
export function jsonOf(body: Buffer): unknown {
  return parsed(body.toString());
}

function parsed(text: string): unknown {
  // A replacement character may come from invalid UTF-8, which the route refuses.
  if (text.includes('\ufffd')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
