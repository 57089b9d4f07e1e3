/** What Fastify's parser refuses, or might: names that would change a prototype, however spelt. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

/** The JSON value of a body; undefined when it is none, or when Fastify's parser has to look at it. */
export function plainJsonOf(body: Buffer): unknown {
  const text = body.toString();
  return SUSPICIOUS.test(text) ? undefined : jsonOf(text);
}

/** The JSON value of a text, whatever names are in it; undefined when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
