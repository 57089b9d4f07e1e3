/** The error pages of flows, and problem documents for clients that want JSON. */
import { type Language, type NoticeFrame, pageErrors } from '@gatehouse/pages';
import { type DomainError } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';
import { type FastifyRequest } from 'fastify';
import { ERROR_HEADERS, PROBLEM_ERRORS } from '../http/problem.js';
import { type Notice, pageTexts } from './page-texts.js';

export function flowErrors(
  frameOf: (request: FastifyRequest | undefined) => NoticeFrame,
  refine: ErrorProtocol['refine'],
): ErrorProtocol {
  return pageErrors({
    frameOf,
    noticeOf,
    refine,
    headers: ERROR_HEADERS,
    json: { ...PROBLEM_ERRORS, refine },
  });
}

/** Notices that are too general without the message of the error. */
const DETAILED: ReadonlySet<Notice> = new Set<Notice>(['tooLarge', 'unreadable']);

function noticeOf(error: DomainError, language: Language) {
  const name = noticeNameOf(error);
  return { ...pageTexts(language)[name], isDetailed: DETAILED.has(name) };
}

function noticeNameOf({ code, httpStatus }: DomainError): Notice {
  if (code === 'FLOW_USED') return 'used';
  if (code === 'FLOW_ELSEWHERE') return 'elsewhere';
  if (httpStatus === 410) return 'expired';
  if (httpStatus === 404) return 'notFound';
  if (httpStatus === 403) return 'forbidden';
  if (httpStatus === 413) return 'tooLarge';
  if (httpStatus === 429) return 'tooMany';
  return httpStatus < 500 ? 'unreadable' : 'failed';
}
