/** A cookie that binds pages to the browser that opened them: 256 random bits. */
import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';

const VALUE = /^[A-Za-z0-9_-]{43}$/;

export interface CookieScope {
  path: string;
  isSecure: boolean;
  expiresAt: Date;
}

export class PageCookie {
  constructor(
    /** Without a prefix: `gatehouse_flow`. */
    private readonly name: string,
    /**
     * The prefix of the cookie name over https, which plain http cannot set. `__Host-` also keeps out
     * cookies that other hosts of the domain set; the path must be `/` then.
     */
    private readonly prefix: '__Secure-' | '__Host-' = '__Secure-',
  ) {}

  /** The value in the headers of a request; undefined when it is missing or malformed. */
  read(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [name, value] = pair.trim().split('=', 2);
      if (name === this.nameOf(isSecure) && VALUE.test(value ?? '')) return value;
    }
    return undefined;
  }

  static newValue(): string {
    return randomBytes(32).toString('base64url');
  }

  /** SameSite=Lax: links from e-mails send the cookie, forms on other sites do not. */
  header(value: string, { path, isSecure, expiresAt }: CookieScope): string {
    const maxAgeSeconds = Math.max(1, Math.ceil((expiresAt.getTime() - Date.now()) / 1000));
    const secure = isSecure ? '; Secure' : '';
    return `${this.nameOf(isSecure)}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
  }

  private nameOf(isSecure: boolean): string {
    return isSecure ? `${this.prefix}${this.name}` : this.name;
  }
}
