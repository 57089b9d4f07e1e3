/** Whether a client prefers a page or JSON (RFC 9110 section 12.5.1). */
import { type FastifyRequest } from 'fastify';

/** For URLs that people open: a page, unless the client prefers JSON. */
export function prefersJson(accept: string | undefined): boolean {
  const { json, page } = weights(accept);
  return json > page;
}

/** For URLs that programs call: JSON, unless the client prefers a page. */
export function prefersPage(accept: string | undefined): boolean {
  const { json, page } = weights(accept);
  return page > json;
}

/** Whether the client prefers JSON, or sent JSON and states no preference. */
export function wantsJson(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  if (prefersJson(accept)) return true;
  const isUndecided = accept === undefined || accept === '*/*';
  return isUndecided && (request.headers['content-type'] ?? '').startsWith('application/json');
}

function weights(accept: string | undefined): { json: number; page: number } {
  let json = 0;
  let page = 0;
  for (const range of (accept ?? '').slice(0, 1000).split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = qualityOf(parameters);
    if (type === 'application/json' || type === 'application/problem+json') {
      json = Math.max(json, weight);
    } else if (type === 'text/html' || type === 'application/xhtml+xml') {
      page = Math.max(page, weight);
    }
  }
  return { json, page };
}

function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  const value = Number(quality.slice(2));
  return value >= 0 && value <= 1 ? value : 0;
}
