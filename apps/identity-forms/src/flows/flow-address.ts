/** The public URLs of flows, and the URLs that they may redirect to. */
import { PublicAddress } from '@gatehouse/pages';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';

@Injectable()
export class FlowAddress extends PublicAddress {
  constructor({ publicUrl, returnUrls }: IdentityFormsConfig) {
    super({ publicUrl, allowedReturnUrls: returnUrls.allowed });
  }

  /** The path of a flow's page, including the gateway's prefix. */
  pathOf(secret: string): string {
    return `${this.basePath}/flows/${secret}`;
  }

  /** @returns the URL of a flow by its secret @throws DomainError `invalid_argument` for a wrong Host */
  urlsFor(request: FastifyRequest): (secret: string) => string {
    const origin = this.originOf(request);
    return (secret) => origin + this.pathOf(secret);
  }

  /** @returns the normalized URL @throws DomainError `invalid_argument` */
  checkReturnTo(text: string): string {
    return this.checkReturnUrl('return_to', text);
  }
}
