/** Handlers of the Fetch API, as Workers, Deno, Bun and others call them. */
import { type Caller } from './caller.js';
import { credentialHeadersOf } from './credential.js';
import { type Authorize } from './protection.js';
import { type Answer } from './refusal.js';

/** `rest` is what the runtime passes after the request. */
export type FetchHandler<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Promise<Response>;

export interface FetchOptions<Rest extends unknown[]> {
  /**
   * The client's address, such as `(request) => request.headers.get('cf-connecting-ip') ?? undefined` on
   * Workers. Without it, credentials that are bound to networks are refused.
   */
  readonly clientAddress?: (request: Request, ...rest: Rest) => string | undefined;
}

export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}

export function fetchHandler<Rest extends unknown[]>(
  authorize: Authorize,
  { clientAddress }: FetchOptions<Rest>,
  handler: (request: Request, caller: Caller, ...rest: Rest) => Response | Promise<Response>,
): FetchHandler<Rest> {
  return async (request, ...rest) => {
    const decision = await authorize(
      credentialHeadersOf(request),
      clientAddress?.(request, ...rest),
    );
    if (decision.caller === undefined) return responseOf(decision);
    return withHeaders(await handler(request, decision.caller, ...rest), decision.headers);
  };
}

/** Responses of fetch and of redirects cannot be changed, so a response with more headers is a copy. */
function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  const added = Object.entries(headers);
  if (added.length === 0) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of added) copy.headers.set(name, value);
  return copy;
}
