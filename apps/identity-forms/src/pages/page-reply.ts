/** Sends pages: headers that belong to a page, and faults as a page or as a problem document. */
import { type DomainError, toDomainError } from '@gatehouse/service-kit';
import { pickLanguage } from '@gatehouse/form-decoder';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { prefersJson } from '../http/negotiation.js';
import { sendProblem, setErrorHeaders } from '../http/problem.js';
import { contentSecurityPolicy } from './layout.js';
import { type Notice, noticePage } from './notice.page.js';

const HTML_UTF8 = 'text/html; charset=utf-8';
const PLAIN_POLICY = contentSecurityPolicy();

export interface PageReplyOptions {
  /** The origin that a submission of this page may be redirected to. */
  returnOrigin?: string;
}

export function sendPage(
  reply: FastifyReply,
  page: string,
  { returnOrigin }: PageReplyOptions = {},
): FastifyReply {
  return (
    reply
      .header('content-type', HTML_UTF8)
      .header(
        'content-security-policy',
        returnOrigin === undefined ? PLAIN_POLICY : contentSecurityPolicy(returnOrigin),
      )
      // With "no-referrer" browsers would send "Origin: null" with our own form.
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .header('vary', 'Accept, Accept-Language')
      .send(page)
  );
}

/** JSON when that is what the client wants, or what it sent without saying. */
export function wantsJson(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  if (prefersJson(accept)) return true;
  const isUndecided = accept === undefined || accept === '*/*';
  return isUndecided && (request.headers['content-type'] ?? '').startsWith('application/json');
}

/** Answers whatever was thrown, and returns what it was. */
export function sendPageFault(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  basePath: string,
): DomainError {
  if (wantsJson(request)) return sendProblem(thrown, request, reply);
  const error = toDomainError(thrown);
  setErrorHeaders(error, reply);
  const language = pickLanguage(request.headers['accept-language']);
  const notice = noticeOf(error);
  const detail = DETAILED.has(notice) ? error.message : undefined;
  const page = noticePage(notice, { language, basePath, detail, reference: request.id });
  sendPage(reply.code(error.httpStatus), page);
  return error;
}

/** Notices that say nothing of what it was; the message of the error does. */
const DETAILED: ReadonlySet<Notice> = new Set<Notice>(['tooLarge', 'unreadable']);

function noticeOf({ code, httpStatus }: DomainError): Notice {
  if (code === 'FLOW_USED') return 'used';
  if (httpStatus === 410) return 'expired';
  if (httpStatus === 404) return 'notFound';
  if (httpStatus === 403) return 'forbidden';
  if (httpStatus === 413) return 'tooLarge';
  return httpStatus < 500 ? 'unreadable' : 'failed';
}
