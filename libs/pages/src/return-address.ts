/**
 * An entry of ALLOWED_RETURN_URLS: an origin, and a path with all below it. `:*` stands for any port, and
 * `*:*` for any host and port.
 */
const ANY_PORT = /^(https?:\/\/[^/:]+):\*(?=\/|$)/;

/** @returns the address that a URL parser understands */
export function withoutAnyPort(text: string): string {
  return text.replace(ANY_PORT, '$1');
}

export class ReturnAddress {
  private readonly url: URL;
  private readonly hasAnyPort: boolean;

  constructor(text: string) {
    this.url = new URL(withoutAnyPort(text));
    this.hasAnyPort = ANY_PORT.test(text);
  }

  includes(url: URL): boolean {
    if (!this.hasOriginOf(url)) return false;
    // Servers disagree on the path that backslashes and encoded dots or slashes mean.
    if (/%2e|%2f|%5c|\\/i.test(url.pathname)) return false;
    const { pathname } = this.url;
    const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
    return url.pathname === pathname || url.pathname.startsWith(folder);
  }

  private hasOriginOf({ origin, protocol, hostname }: URL): boolean {
    if (!this.hasAnyPort) return origin === this.url.origin;
    const isSameHost = this.url.hostname === '*' || hostname === this.url.hostname;
    return isSameHost && protocol === this.url.protocol;
  }
}
