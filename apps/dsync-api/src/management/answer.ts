import { type Result } from '@gatehouse/directory-sync';
import { type FastifyReply } from 'fastify';

/** Sends `{data, error}` of an operation with the code of the error as status. */
export function answer<T>(reply: FastifyReply, result: Result<T>, status = 200): Result<T> {
  // Many answers contain secrets or personal data.
  void reply.header('cache-control', 'no-store');
  void reply.status(result.error ? result.error.code : status);
  if (result.error?.code === 503) void reply.header('retry-after', '1');
  return result;
}
