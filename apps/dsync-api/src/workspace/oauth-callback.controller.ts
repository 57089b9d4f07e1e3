import { type AuthorizationAnswer, type DirectorySync } from '@gatehouse/directory-sync';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { Undescribed } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Inject, Optional, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { DIRECTORY_SYNC } from '../sync.module.js';
import { LINK_CONSENTS, type LinkConsents } from './link-consents.js';
import { connectedPage, failedPage, PAGE_HEADERS } from './callback.page.js';

/** The audited caller if it was not stored who began the authorization. */
const CALLER = 'oauth-callback';

/**
 * Where providers send the browser of an administrator after the consent. Providers add parameters of
 * their own, so unknown ones are no fault.
 */
@Controller('api/scim/oauth/callback')
@Undescribed()
export class OAuthCallbackController {
  constructor(
    @Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync,
    private readonly addresses: ClientAddresses,
    @Optional() @Inject(LINK_CONSENTS) private readonly consents?: LinkConsents,
  ) {}

  @Get()
  async callback(
    @Req() request: FastifyRequest,
    @Query() query: AuthorizationAnswer,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (this.consents?.isOfSetup(query)) return this.consents.finish(request, reply, query);
    const call = this.addresses.callContext(request, CALLER);
    const { data, error } = await this.sync.workspace.completeAuthorization(query, call);
    const page = data ? connectedPage(data.name) : failedPage(error?.message ?? '', request.id);
    await reply
      .headers(PAGE_HEADERS)
      .status(error?.code ?? 200)
      .send(page);
  }
}
