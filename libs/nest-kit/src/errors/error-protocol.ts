import { type FastifyRequest } from 'fastify';
import { type DomainError } from '@gatehouse/kit/errors';

/** Defines how errors are written in one protocol, such as AIP-193, RFC 9457 or RFC 7644. */
export interface ErrorProtocol {
  readonly mediaType: string;
  /** Headers of every error, in addition to those of the error itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The body; an object is sent as JSON. A 5xx body contains only the request id. `request` is
   * undefined for errors outside of a route: malformed HTTP and messages.
   */
  readonly body: (
    error: DomainError,
    requestId: string,
    request?: FastifyRequest,
  ) => object | string;
  /** The error of a message over Redis; `body` by default. */
  readonly messageBody?: (error: DomainError, requestId: string) => object;
  /** Replaces an error before it is written, for example to name a limit. */
  readonly refine?: (error: DomainError, request?: FastifyRequest) => DomainError;
  /** The protocol of a request that does not use this one. */
  readonly variantOf?: (request: FastifyRequest) => ErrorProtocol | undefined;
}

/** For services that answer health checks only. */
export const PLAIN_ERRORS: ErrorProtocol = {
  mediaType: 'application/json; charset=utf-8',
  body: ({ code, message }, requestId) => ({ error: { code, message, request_id: requestId } }),
};
