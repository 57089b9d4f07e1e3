import { type PageOf, type Result } from '@gatehouse/directory-sync';
import { type FastifyReply } from 'fastify';

/** Sends `{data, error}` of an operation with the code of the error as status. */
export function answer<T>(reply: FastifyReply, result: Result<T>, status = 200): Result<T> {
  // Many answers contain secrets or personal data.
  void reply.header('cache-control', 'no-store');
  void reply.status(result.error ? result.error.code : status);
  if (result.error?.code === 503) void reply.header('retry-after', '1');
  return result;
}

/** Sends the items of a page, with a `Link` to the next page if there is one (RFC 8288). */
export function answerPage<T>(reply: FastifyReply, result: Result<PageOf<T>>): Result<T[]> {
  if (result.error !== null) return answer<T[]>(reply, { data: null, error: result.error });
  const { items, nextOffset } = result.data;
  if (nextOffset !== null) {
    const query = new URLSearchParams(reply.request.url.split('?', 2)[1]);
    query.set('pageOffset', String(nextOffset));
    void reply.header('link', `<?${query.toString()}>; rel="next"`);
  }
  return answer(reply, { data: items, error: null });
}
