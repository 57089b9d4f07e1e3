/** Sends pages with the headers that belong to them, and errors as a page or a problem document. */
import { type DomainError, type ErrorProtocol } from '@gatehouse/service-kit';
import { pickLanguage } from '@gatehouse/form-decoder';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { prefersJson } from '../http/negotiation.js';
import { ERROR_HEADERS, PROBLEM_ERRORS } from '../http/problem.js';
import { contentSecurityPolicy } from './layout.js';
import { type Notice, noticePage } from './notice.page.js';

const HTML_UTF8 = 'text/html; charset=utf-8';
const PAGE_HEADERS = {
  'content-type': HTML_UTF8,
  'content-security-policy': contentSecurityPolicy(),
  // With "no-referrer" browsers would send "Origin: null" with our own form.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'Accept, Accept-Language',
};

export interface PageReplyOptions {
  /** The origin that a submission of this page may be redirected to. */
  returnOrigin?: string;
}

export function sendPage(
  reply: FastifyReply,
  page: string,
  { returnOrigin }: PageReplyOptions = {},
): FastifyReply {
  reply.headers(PAGE_HEADERS);
  if (returnOrigin !== undefined) {
    reply.header('content-security-policy', contentSecurityPolicy(returnOrigin));
  }
  return reply.send(page);
}

/** JSON when that is what the client wants, or what it sent without saying. */
export function wantsJson(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  if (prefersJson(accept)) return true;
  const isUndecided = accept === undefined || accept === '*/*';
  return isUndecided && (request.headers['content-type'] ?? '').startsWith('application/json');
}

/** Errors of pages: a page, or a problem document for clients that want JSON. */
export function pageErrors(basePath: string, refine: ErrorProtocol['refine']): ErrorProtocol {
  return {
    mediaType: HTML_UTF8,
    headers: { ...PAGE_HEADERS, ...ERROR_HEADERS },
    refine,
    variantOf: (request) => (wantsJson(request) ? { ...PROBLEM_ERRORS, refine } : undefined),
    body: (error, requestId, request) => {
      const language = pickLanguage(request?.headers['accept-language']);
      const notice = noticeOf(error);
      const detail = DETAILED.has(notice) ? error.message : undefined;
      return noticePage(notice, { language, basePath, detail, reference: requestId });
    },
  };
}

/** Notices too general to help without the message of the error. */
const DETAILED: ReadonlySet<Notice> = new Set<Notice>(['tooLarge', 'unreadable']);

function noticeOf({ code, httpStatus }: DomainError): Notice {
  if (code === 'FLOW_USED') return 'used';
  if (httpStatus === 410) return 'expired';
  if (httpStatus === 404) return 'notFound';
  if (httpStatus === 403) return 'forbidden';
  if (httpStatus === 413) return 'tooLarge';
  if (httpStatus === 429) return 'tooMany';
  return httpStatus < 500 ? 'unreadable' : 'failed';
}
