import { type PageOf, type Result } from '@gatehouse/directory-sync';
import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/**
 * Answers with `{data, error}` of an operation. The code of an error is the status; a page becomes its
 * items, with a `Link` to the next page if there is one (RFC 8288).
 */
export class ResultInterceptor implements NestInterceptor<Result<unknown>, Result<unknown>> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<Result<unknown>>,
  ): Observable<Result<unknown>> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((result) => answered(reply, result)));
  }
}

function answered(reply: FastifyReply, result: Result<unknown>): Result<unknown> {
  // Many answers contain secrets or personal data.
  void reply.header('cache-control', 'no-store');
  const { data, error } = result;
  if (error) void reply.status(error.code);
  if (error?.code === 503) void reply.header('retry-after', '1');
  return isPage(data) ? { data: itemsOf(reply, data), error: null } : result;
}

function isPage(data: unknown): data is PageOf<unknown> {
  return typeof data === 'object' && data !== null && 'nextOffset' in data;
}

function itemsOf(reply: FastifyReply, { items, nextOffset }: PageOf<unknown>): unknown[] {
  if (nextOffset !== null) {
    const query = new URLSearchParams(reply.request.url.split('?', 2)[1]);
    query.set('pageOffset', String(nextOffset));
    void reply.header('link', `<?${query.toString()}>; rel="next"`);
  }
  return items;
}
