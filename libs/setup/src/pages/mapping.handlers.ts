import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { SETUP, type Setup } from '../setup.tokens.js';
import { ATTRIBUTE_FIELD, ETAG_FIELD, mappingPage, type MappingOptions } from './mapping.page.js';
import { CHECK_PATH } from './setup-frame.js';
import { allowed, SetupVisits, statusOf, type Visit } from './setup-visit.js';

/** The page on which the administrator maps attributes, if the link allows it. */
@Injectable()
export class MappingHandlers {
  constructor(
    @Inject(SETUP) private readonly setup: Setup,
    private readonly visits: SetupVisits,
  ) {}

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.send(reply, allowed(await this.visits.enter(request), 'mapping'));
  }

  async change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const visit = allowed(await this.visits.enterForm(request), 'mapping');
    const fields = [...visit.form].filter(([name]) => name.startsWith(ATTRIBUTE_FIELD));
    const entered = new Map(
      fields.map(([name, path]) => [name.slice(ATTRIBUTE_FIELD.length), path]),
    );
    const etag = visit.form.get(ETAG_FIELD) ?? '';
    const { cookie, call } = visit;
    try {
      const paths = Object.fromEntries(entered);
      const { sessions } = this.setup;
      const { refused } = await sessions.changeMapping(cookie, paths, etag, call);
      if (refused.length > 0) return this.send(reply.code(422), visit, { entered, refused });
      return this.visits.redirect(reply, CHECK_PATH);
    } catch (error) {
      if (statusOf(error) === 409) return this.send(reply.code(409), visit, { isStale: true });
      throw error;
    }
  }

  private async send(
    reply: FastifyReply,
    { cookie, frame }: Visit,
    options: MappingOptions = {},
  ): Promise<FastifyReply> {
    const mapping = await this.setup.sessions.mapping(cookie);
    return this.visits.send(reply, mappingPage(frame, mapping, options));
  }
}
