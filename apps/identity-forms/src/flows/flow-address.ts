/** The public URLs of flows, and the URLs that they may redirect to. */
import { PublicAddress } from '@gatehouse/pages';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';

@Injectable()
export class FlowAddress {
  readonly basePath: string;
  readonly isSecure: boolean;
  private readonly address: PublicAddress;

  constructor(config: IdentityFormsConfig) {
    this.address = new PublicAddress({
      publicUrl: config.publicUrl,
      allowedReturnUrls: config.returnUrls.allowed,
    });
    this.basePath = this.address.basePath;
    this.isSecure = this.address.isSecure;
  }

  /** The path of a flow's page, including the gateway's prefix. */
  pathOf(secret: string): string {
    return `${this.basePath}/flows/${secret}`;
  }

  /** @returns the URL of a flow by its secret @throws DomainError `invalid_argument` for a wrong Host */
  urlsFor(request: FastifyRequest): (secret: string) => string {
    const origin = this.address.originOf(request);
    return (secret) => origin + this.pathOf(secret);
  }

  ownOrigins(request: FastifyRequest): string[] {
    return this.address.ownOrigins(request);
  }

  /** @returns the normalised URL @throws DomainError `invalid_argument` */
  checkReturnTo(text: string): string {
    return this.address.checkReturnUrl('return_to', text);
  }
}
