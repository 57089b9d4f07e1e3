import { WebhookError } from './webhook-error.js';

/** A `Request` of the Fetch standard, a `node:http` request as `{ headers, body: request }`, or what a framework has read of one. */
export interface ReceivedRequest {
  /** Names in lower case, unless they are `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  /** The exact bytes: text, a Uint8Array, or a stream of them. Not what a framework has parsed. */
  readonly body?: unknown;
}

/** @returns the value of a header, undefined unless there is one */
export function headerOf({ headers }: ReceivedRequest, name: string): string | undefined {
  const value = isHeaders(headers) ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Also for the `Headers` of another library. */
function isHeaders(headers: ReceivedRequest['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

/**
 * Reads a body behind bytes that precede it.
 *
 * @returns those bytes, then the body
 * @throws WebhookError 413 for a body of more than `bytesMax`
 * @throws TypeError if the body was parsed
 */
export async function bodyBehind(
  head: Uint8Array,
  request: ReceivedRequest,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = [head];
  let bytes = head.length;
  for await (const chunk of chunksOf(request.body)) {
    bytes += chunk.length;
    if (bytes - head.length > bytesMax) {
      throw new WebhookError(413, `The body has more than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  const content = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    content.set(chunk, offset);
    offset += chunk.length;
  }
  return content;
}

function chunksOf(body: unknown): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (body === null || body === undefined) return [];
  if (typeof body === 'string') return [new TextEncoder().encode(body)];
  if (ArrayBuffer.isView(body)) return [body as Uint8Array];
  if (Symbol.asyncIterator in Object(body)) return body as AsyncIterable<Uint8Array>;
  throw new TypeError('The body was parsed. Pass its bytes: the signature covers exactly these');
}
