/** The public URLs of flows, and the URLs that they may redirect to. */
import { invalidField, parseUrl } from '@gatehouse/service-kit';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';

@Injectable()
export class FlowAddress {
  /** The path prefix that a gateway adds; empty without one. */
  readonly basePath: string;
  readonly isSecure: boolean;
  private readonly publicUrl: URL | undefined;
  private readonly allowedReturnUrls: readonly URL[];

  constructor(config: IdentityFormsConfig) {
    this.publicUrl = config.publicUrl === undefined ? undefined : new URL(config.publicUrl);
    this.basePath = (this.publicUrl?.pathname ?? '').replace(/\/+$/, '');
    this.isSecure = this.publicUrl?.protocol === 'https:';
    this.allowedReturnUrls = config.allowedReturnUrls.map((url) => new URL(url));
  }

  /** The path of a flow's page, including the gateway's prefix. */
  pathOf(secret: string): string {
    return `${this.basePath}/flows/${secret}`;
  }

  urlOf(secret: string, request: FastifyRequest): string {
    const origin = this.publicUrl?.origin ?? `${request.protocol}://${request.host}`;
    return origin + this.pathOf(secret);
  }

  /**
   * Origins of our own pages: that of PUBLIC_URL, and the host of this request. Other sites cannot
   * choose the Host header that a browser sends, so trusting it is safe.
   */
  ownOrigins(request: FastifyRequest): string[] {
    const host = request.headers.host ?? '';
    const origins = [`http://${host}`, `https://${host}`];
    return this.publicUrl ? [this.publicUrl.origin, ...origins] : origins;
  }

  /**
   * Checks `return_to` against ALLOWED_RETURN_URLS: same origin, and the same path or one below.
   *
   * @returns the normalised URL
   * @throws DomainError `invalid_argument`
   */
  checkReturnTo(text: string): string {
    const url = parseUrl(text);
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    if (!url || !isWeb || url.username !== '' || url.password !== '') {
      throw invalidField('return_to', 'must be an http or https address without credentials');
    }
    if (text.length > 2048) throw invalidField('return_to', 'must have at most 2048 characters');
    if (!this.allowedReturnUrls.some((allowed) => isWithin(url, allowed))) {
      throw invalidField('return_to', 'is not among the addresses of ALLOWED_RETURN_URLS');
    }
    return url.href;
  }
}

function isWithin(url: URL, allowed: URL): boolean {
  if (url.origin !== allowed.origin) return false;
  // Servers disagree on the path that backslashes and encoded dots or slashes mean.
  if (/%2e|%2f|%5c|\\/i.test(url.pathname)) return false;
  const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
  return url.pathname === allowed.pathname || url.pathname.startsWith(folder);
}
