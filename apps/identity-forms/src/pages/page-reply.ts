/** Sends pages with the headers that belong to them, and errors as a page or a problem document. */
import { type DomainError, type ErrorProtocol } from '@gatehouse/service-kit';
import { pickLanguage } from '@gatehouse/form-decoder';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { prefersJson } from '../http/negotiation.js';
import { ERROR_HEADERS, PROBLEM_ERRORS } from '../http/problem.js';
import { type Theme } from '../theme/theme.js';
import { type AllowedOrigins, contentSecurityPolicy } from './layout.js';
import { type Notice, type NoticeContext, noticePage } from './notice.page.js';

const HTML_UTF8 = 'text/html; charset=utf-8';
const PAGE_HEADERS = {
  'content-type': HTML_UTF8,
  // With "no-referrer" browsers would send "Origin: null" with our own form.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'Accept, Accept-Language',
};

export interface PageReplyOptions {
  theme: Theme;
  /** Where a submission of this page may be redirected to. */
  returnTo?: string | null;
}

export function sendPage(
  reply: FastifyReply,
  page: string,
  { theme, returnTo }: PageReplyOptions,
): FastifyReply {
  const origins = { returnOrigin: originOf(returnTo), logoOrigin: originOf(theme.logo) };
  return reply.headers(headersOf(origins)).send(page);
}

function headersOf(origins: AllowedOrigins): Record<string, string> {
  return { ...PAGE_HEADERS, 'content-security-policy': contentSecurityPolicy(origins) };
}

function originOf(url: string | null | undefined): string | undefined {
  return typeof url === 'string' ? new URL(url).origin : undefined;
}

/** The properties of an error page that depend on its request. */
export type NoticeFrame = Pick<NoticeContext, 'basePath' | 'theme' | 'next'>;

/** Whether the client prefers JSON, or sent JSON and states no preference. */
export function wantsJson(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  if (prefersJson(accept)) return true;
  const isUndecided = accept === undefined || accept === '*/*';
  return isUndecided && (request.headers['content-type'] ?? '').startsWith('application/json');
}

/** Errors of pages: a page, or a problem document for clients that want JSON. */
export function pageErrors(
  frameOf: (request: FastifyRequest | undefined) => NoticeFrame,
  refine: ErrorProtocol['refine'],
): ErrorProtocol {
  const page = (logo?: string): ErrorProtocol => ({
    mediaType: HTML_UTF8,
    headers: { ...headersOf({ logoOrigin: originOf(logo) }), ...ERROR_HEADERS },
    refine,
    body: (error, requestId, request) => {
      const language = pickLanguage(request?.headers['accept-language']);
      const notice = noticeOf(error);
      const detail = DETAILED.has(notice) ? error.message : undefined;
      return noticePage(notice, { ...frameOf(request), language, detail, reference: requestId });
    },
  });
  const problem = { ...PROBLEM_ERRORS, refine };
  return {
    ...page(),
    variantOf: (request) => (wantsJson(request) ? problem : page(frameOf(request).theme.logo)),
  };
}

/** Notices that are too general without the message of the error. */
const DETAILED: ReadonlySet<Notice> = new Set<Notice>(['tooLarge', 'unreadable']);

function noticeOf({ code, httpStatus }: DomainError): Notice {
  if (code === 'FLOW_USED') return 'used';
  if (code === 'FLOW_ELSEWHERE') return 'elsewhere';
  if (httpStatus === 410) return 'expired';
  if (httpStatus === 404) return 'notFound';
  if (httpStatus === 403) return 'forbidden';
  if (httpStatus === 413) return 'tooLarge';
  if (httpStatus === 429) return 'tooMany';
  return httpStatus < 500 ? 'unreadable' : 'failed';
}
