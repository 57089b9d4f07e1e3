/** The public address of pages, and the addresses that they may lead to. */
import { invalidField, parseUrl } from '@gatehouse/kit/input';
import { type FastifyRequest } from 'fastify';
import { ReturnAddress } from './return-address.js';

export interface PublicAddressOptions {
  /** With the path prefix of a gateway; without it, addresses use the Host of the request. */
  publicUrl?: string;
  /** Where pages may lead to; see `ReturnAddress`. */
  allowedReturnUrls: readonly string[];
}

export class PublicAddress {
  /** The path prefix that a gateway adds; empty without one. */
  readonly basePath: string;
  readonly isSecure: boolean;
  private readonly publicUrl: URL | undefined;
  private readonly allowedReturnUrls: readonly ReturnAddress[];

  constructor({ publicUrl, allowedReturnUrls }: PublicAddressOptions) {
    this.publicUrl = publicUrl === undefined ? undefined : new URL(publicUrl);
    this.basePath = (this.publicUrl?.pathname ?? '').replace(/\/+$/, '');
    this.isSecure = this.publicUrl?.protocol === 'https:';
    this.allowedReturnUrls = allowedReturnUrls.map((text) => new ReturnAddress(text));
  }

  /**
   * Where paths that start with `basePath` are: the public URL, or the host of the request without one.
   *
   * @throws DomainError `invalid_argument` if the Host header is not a host
   */
  originOf(request: FastifyRequest): string {
    if (this.publicUrl) return this.publicUrl.origin;
    const url = parseUrl(`${request.protocol}://${request.host}`);
    if (!url || url.href !== `${url.origin}/`) {
      throw invalidField('Host', 'must be a host, optionally with a port');
    }
    return url.origin;
  }

  /**
   * Origins of our own pages: that of the public URL, and the host of this request. Other sites
   * cannot choose the Host header that a browser sends, so trusting it is safe.
   */
  ownOrigins(request: FastifyRequest): string[] {
    const host = request.headers.host ?? '';
    const origins = [`http://${host}`, `https://${host}`];
    return this.publicUrl ? [this.publicUrl.origin, ...origins] : origins;
  }

  /**
   * Checks the return address in `field` against ALLOWED_RETURN_URLS.
   *
   * @returns the normalized URL
   * @throws DomainError `invalid_argument`
   */
  checkReturnUrl(field: string, text: string): string {
    const url = parseUrl(text);
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    if (!url || !isWeb || url.username !== '' || url.password !== '') {
      throw invalidField(field, 'must be an http or https address without credentials');
    }
    if (text.length > 2048) throw invalidField(field, 'must have at most 2048 characters');
    if (!this.allowedReturnUrls.some((allowed) => allowed.includes(url))) {
      throw invalidField(field, 'is not among the addresses of ALLOWED_RETURN_URLS');
    }
    return url.href;
  }
}
