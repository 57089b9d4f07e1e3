/** What Fastify's parser refuses, or might: names that would change a prototype, however spelt. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

/** The JSON value of a body; undefined when it is none, or when Fastify's parser has to look at it. */
export function plainJsonOf(body: Buffer): unknown {
  const text = body.toString();
  if (SUSPICIOUS.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
