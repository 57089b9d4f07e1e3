/** Sends pages with the headers that belong to them, and errors as a page. */
import { type DomainError } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Language, pickLanguage } from './languages.js';
import { type AllowedOrigins, contentSecurityPolicy } from './layout.js';
import { wantsJson } from './negotiation.js';
import { type Notice, type NoticeContext, noticePage } from './notice.page.js';
import { type Theme } from './theme.js';

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
  hasScripts?: boolean;
}

export function sendPage(
  reply: FastifyReply,
  page: string,
  { theme, returnTo, hasScripts }: PageReplyOptions,
): FastifyReply {
  const origins = { returnOrigin: originOf(returnTo), logoOrigin: originOf(theme.logo) };
  return reply.headers(headersOf({ ...origins, hasScripts })).send(page);
}

function headersOf(origins: AllowedOrigins): Record<string, string> {
  return { ...PAGE_HEADERS, 'content-security-policy': contentSecurityPolicy(origins) };
}

function originOf(url: string | null | undefined): string | undefined {
  return typeof url === 'string' ? new URL(url).origin : undefined;
}

/** The properties of an error page that depend on its request. */
export type NoticeFrame = Pick<NoticeContext, 'basePath' | 'theme' | 'next'> & {
  /** Undefined for that of the browser. */
  language?: Language;
};

export interface PageErrorOptions {
  frameOf: (request: FastifyRequest | undefined) => NoticeFrame;
  /** The message of an error's page; with `isDetailed`, the error's own message is below it. */
  noticeOf: (error: DomainError, language: Language) => Notice & { isDetailed?: boolean };
  refine?: ErrorProtocol['refine'];
  /** The headers of errors, in addition to those of pages. */
  headers?: Readonly<Record<string, string>>;
  /** For clients that want JSON; without it, all get pages. */
  json?: ErrorProtocol;
}

/** Errors of pages: a page, or the JSON of the service for clients that want it. */
export function pageErrors({
  frameOf,
  noticeOf,
  refine,
  headers,
  json,
}: PageErrorOptions): ErrorProtocol {
  const page = (logo?: string): ErrorProtocol => ({
    mediaType: HTML_UTF8,
    headers: { ...headersOf({ logoOrigin: originOf(logo) }), ...headers },
    refine,
    body: (error, requestId, request) => {
      const frame = frameOf(request);
      const language = frame.language ?? pickLanguage(request?.headers['accept-language']);
      const { isDetailed, ...notice } = noticeOf(error, language);
      const detail = isDetailed ? error.message : undefined;
      return noticePage(notice, { ...frame, language, detail, reference: requestId });
    },
  });
  return {
    ...page(),
    variantOf: (request) => (json && wantsJson(request) ? json : page(frameOf(request).theme.logo)),
  };
}
