/** Middlewares of node:http, which Express extends. */
import { type Caller } from './caller.js';
import { type CredentialHeaders } from './credential.js';
import { type Authorize } from './protection.js';
import { type Answer } from './refusal.js';

export interface NodeRequest {
  readonly headers: CredentialHeaders;
  /** The client's address, where a framework has found it out behind proxies. */
  readonly ip?: string;
  readonly socket: { readonly remoteAddress?: string };
}

export interface NodeResponse {
  statusCode: number;
  readonly headersSent: boolean;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

export type NodeMiddleware<Request extends NodeRequest> = (
  request: Request,
  response: NodeResponse,
  next: () => void,
) => void;

export function clientAddressOf({ ip, socket }: NodeRequest): string | undefined {
  return ip ?? socket.remoteAddress;
}

export function answer(response: NodeResponse, { status, headers, body }: Answer): void {
  response.statusCode = status;
  setHeaders(response, headers);
  response.end(body);
}

function setHeaders(response: NodeResponse, headers: Answer['headers']): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/**
 * Calls `next` for an admitted request and for nothing else, because a `next` of node:http may ignore errors.
 *
 * @param admit is called before a request goes on
 */
export function nodeMiddleware<Request extends NodeRequest>(
  authorize: Authorize,
  admit: (request: Request, caller: Caller) => void,
): NodeMiddleware<Request> {
  return (request, response, next) => {
    void authorize(request.headers, clientAddressOf(request)).then((decision) => {
      // For example by a middleware that limits the time of requests.
      if (response.headersSent) return;
      if (decision.caller === undefined) return answer(response, decision);
      setHeaders(response, decision.headers);
      admit(request, decision.caller);
      next();
    });
  };
}
