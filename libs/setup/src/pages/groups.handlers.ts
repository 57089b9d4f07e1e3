import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { SETUP, type Setup } from '../setup.tokens.js';
import { ALL, GROUP_FIELDS, groupsPage, type GroupsOptions } from './groups.page.js';
import { GROUPS_PATH, pathAfter } from './setup-frame.js';
import { allowed, SetupVisits, statusOf, type Visit } from './setup-visit.js';

/** The page on which the administrator chooses groups of a workspace, if the link allows it. */
@Injectable()
export class GroupsHandlers {
  constructor(
    @Inject(SETUP) private readonly setup: Setup,
    private readonly visits: SetupVisits,
  ) {}

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.send(reply, allowed(await this.visits.enter(request), 'groups'));
  }

  async change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const visit = allowed(await this.visits.enterForm(request), 'groups');
    const { form, cookie, call, frame } = visit;
    const entered = form.get(GROUP_FIELDS.names) ?? '';
    const isAll = form.get(GROUP_FIELDS.choice) === ALL;
    const names = linesOf(entered);
    const groups = isAll ? [] : names;
    const refuse = (isBoth = false) =>
      this.send(reply.code(422), visit, { refused: entered, isBoth });
    if (!isAll && names.length === 0) return refuse();
    // Names that the page did not show were typed, so they are not to be dropped.
    if (isAll && (await this.areTyped(names, cookie))) return refuse(true);
    const etag = form.get(GROUP_FIELDS.etag) ?? '';
    try {
      await this.setup.groups.put(cookie, groups, etag, call);
    } catch (error) {
      if (statusOf(error) === 400) return refuse();
      if (statusOf(error) === 409) return this.send(reply.code(409), visit, { isStale: true });
      throw error;
    }
    return this.visits.redirect(reply, pathAfter(frame, GROUPS_PATH));
  }

  private async areTyped(names: readonly string[], cookie: string): Promise<boolean> {
    if (names.length === 0) return false;
    const { groups } = await this.setup.groups.get(cookie);
    return names.some((name) => !groups.includes(name));
  }

  private async send(
    reply: FastifyReply,
    { cookie, frame }: Visit,
    options: GroupsOptions = {},
  ): Promise<FastifyReply> {
    const choice = await this.setup.groups.get(cookie);
    return this.visits.send(reply, groupsPage(frame, choice, options));
  }
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
