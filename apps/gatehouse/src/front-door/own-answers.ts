/** Answers of the front door itself: JSON, and errors in the format of the API that was called. */
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type ClientAddresses } from '@gatehouse/kit/clients';
import { type DomainError } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';
import {
  API_HEADERS,
  clientErrorAnswer,
  discardUnreadBody,
  type HttpDrain,
  REQUEST_ID_HEADER,
  requestId,
  requestLog,
  RequestSteps,
  securityHeaders,
} from '@gatehouse/nest-kit/http';
import { type Notice, pageErrors, prefersPage } from '@gatehouse/pages';
import { type Logger } from 'pino';
import { MANAGEMENT_ERRORS } from '../../../dsync-api/src/management/management.errors.js';
import { scimErrors } from '../../../dsync-api/src/scim/scim.errors.js';
import { PROBLEM_ERRORS } from '../../../identity-forms/src/http/problem.js';
import { AIP_ERRORS } from '../../../key-service/src/api/aip-errors.js';

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedMs: number;
  /** For the log, in place of the path, which may contain a credential. */
  readonly route: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export class OwnAnswers {
  /** Answers requests that cannot be read. */
  readonly clientError: ReturnType<typeof clientErrorAnswer>;
  private readonly steps: RequestSteps;

  constructor(
    private readonly logger: Logger,
    addresses: ClientAddresses,
    private readonly drain: HttpDrain,
  ) {
    const log = requestLog(logger, addresses);
    this.steps = new RequestSteps({
      headers: securityHeaders(API_HEADERS),
      observers: [
        (summary, request) => {
          // Load balancers ask all the time.
          if (!summary.route.startsWith('/health')) log(summary, request);
        },
      ],
    });
    this.clientError = clientErrorAnswer(PROBLEM_ERRORS, this.steps);
  }

  /** Sends an object as JSON. */
  json(exchange: Exchange, body: object, status = 200, headers: Answer['headers'] = {}): void {
    const contentType = 'application/json; charset=utf-8';
    this.send(exchange, requestId(exchange.request), {
      status,
      headers: { ...headers, 'content-type': contentType },
      body: JSON.stringify(body),
    });
  }

  /** Sends an error in the format of the API that the request calls, or as a page. */
  error(exchange: Exchange, error: DomainError): void {
    const { code, cause, httpStatus: status, logLevel, retryAfterSeconds } = error;
    const id = requestId(exchange.request);
    this.logger[logLevel]({ requestId: id, code, err: cause }, 'request failed');
    const protocol = protocolOf(exchange.request);
    const body = protocol.body(error, id);
    this.send(exchange, id, {
      status,
      headers: {
        ...protocol.headers,
        ...error.headers,
        ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
        'content-type': protocol.mediaType,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  private send(exchange: Exchange, id: string, { status, headers, body }: Answer): void {
    const { request, response, startedMs, route } = exchange;
    const common = this.steps.headers;
    for (let index = 0; index < common.length; index += 2) {
      response.setHeader(common[index] as string, common[index + 1] as string);
    }
    discardUnreadBody(request);
    this.drain.beforeResponse(response);
    response
      .writeHead(status, {
        [REQUEST_ID_HEADER]: id,
        ...headers,
        'content-length': Buffer.byteLength(body),
      })
      .end(body);
    const durationMs = performance.now() - startedMs;
    const method = request.method as string;
    this.steps.finish({ requestId: id, method, route, status, durationMs }, request);
  }
}

/** Addresses that people open. */
const PAGES = /^\/(?:setup|portal|flows|sign-up|console|api\/scim\/oauth\/callback)(?:[/?]|$)/;
const PAGE_ERRORS = pageErrors({
  frameOf: () => ({ language: 'en', basePath: '', theme: {} }),
  noticeOf,
});

function protocolOf({ url = '', headers: { accept } }: IncomingMessage): ErrorProtocol {
  if (PAGES.test(url) && prefersPage(accept)) return PAGE_ERRORS;
  if (url.startsWith('/api/scim/')) return scimErrors(accept);
  if (url.startsWith('/v2alpha1/')) return AIP_ERRORS;
  if (/^\/api\/v1\/(?:dsync|directory-sync)(?:[/?]|$)/.test(url)) return MANAGEMENT_ERRORS;
  return PROBLEM_ERRORS;
}

function noticeOf({ httpStatus }: DomainError): Notice {
  switch (httpStatus) {
    case 404:
      return { title: 'Page not found', text: 'Check the address, or ask for a new link.' };
    case 429:
      return {
        title: 'Too many requests',
        text: 'Nothing was changed. Wait a minute, then load the page again.',
      };
    default:
      return {
        title: 'Something went wrong',
        text: 'Nothing was changed. Check the address, or go back and try again.',
      };
  }
}
