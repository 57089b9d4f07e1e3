/** Binds pages to the browser that opened them, and forms to those pages. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { CSRF_FIELD, isCsrfToken, isForeign } from './csrf.js';
import { PageCookie } from './page-cookie.js';
import { type PublicAddress } from './public-address.js';

export class BrowserSession {
  private readonly cookie: PageCookie;

  constructor(
    cookieName: string,
    private readonly address: PublicAddress,
  ) {
    this.cookie = new PageCookie(cookieName, '__Host-');
  }

  cookieOf({ headers }: FastifyRequest): string | undefined {
    return this.cookie.read(headers, this.address.isSecure);
  }

  setCookie(reply: FastifyReply, value: string, expiresAt: Date): void {
    const scope = { path: '/', isSecure: this.address.isSecure, expiresAt };
    void reply.header('set-cookie', this.cookie.header(value, scope));
  }

  /** Whether a page of another site sent the request. */
  isForeign(request: FastifyRequest): boolean {
    return isForeign(request.headers, this.address.ownOrigins(request));
  }

  /** The fields of a form; undefined unless it is one of the pages of this cookie. */
  formOf(request: FastifyRequest, csrfKey: Buffer): URLSearchParams | undefined {
    const cookie = this.cookieOf(request);
    if (cookie === undefined || this.isForeign(request)) return undefined;
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
    return isCsrfToken(csrfKey, cookie, form.get(CSRF_FIELD) ?? '') ? form : undefined;
  }
}

/** Takes urlencoded forms only. */
export function takeForms(scope: FastifyInstance, bytesMax: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bytesMax },
    (_request, body, parsed) => parsed(null, body),
  );
}
