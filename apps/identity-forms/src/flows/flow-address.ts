/** Where flows live as people see it, and where they may send people to. */
import { invalidField } from '@gatehouse/service-kit';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';

@Injectable()
export class FlowAddress {
  /** The path that a gateway puts before ours; empty when there is none. */
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

  /** The path of a flow's page, the gateway's part included. */
  pathOf(flowId: string): string {
    return `${this.basePath}/flows/${flowId}`;
  }

  urlOf(flowId: string, request: FastifyRequest): string {
    const origin = this.publicUrl?.origin ?? `${request.protocol}://${request.host}`;
    return origin + this.pathOf(flowId);
  }

  /**
   * Origins of our own pages: that of PUBLIC_URL, and the host by which this request came. A page
   * elsewhere cannot choose the Host that a browser sends, so it cannot choose this either.
   */
  ownOrigins(request: FastifyRequest): string[] {
    const host = request.headers.host ?? '';
    const origins = [`http://${host}`, `https://${host}`];
    return this.publicUrl ? [this.publicUrl.origin, ...origins] : origins;
  }

  /**
   * Checks an address to return to against ALLOWED_RETURN_URLS: same origin, and the same path or
   * one below it.
   *
   * @returns the address as it will be sent
   * @throws DomainError `invalid_argument`
   */
  checkReturnTo(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : undefined;
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
  // Backslashes and encoded dots or slashes mean different paths to different servers.
  if (/%2e|%2f|%5c|\\/i.test(url.pathname)) return false;
  const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
  return url.pathname === allowed.pathname || url.pathname.startsWith(folder);
}
