import { sha256 } from '@gatehouse/crypto';
import { type ChosenRoles } from '../links/setup-roles.js';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { SETUP, type Setup } from '../setup.tokens.js';
import { ACTS, ROLE_FIELDS, rolesPage, type RolesOptions } from './roles.page.js';
import { ROLES_PATH } from './setup-frame.js';
import { allowed, SetupVisits, statusOf, type Visit } from './setup-visit.js';

/**
 * The page on which the administrator gives roles to groups, if the link allows it. Nothing is stored whose
 * effect was not shown before.
 */
@Injectable()
export class RolesHandlers {
  constructor(
    @Inject(SETUP) private readonly setup: Setup,
    private readonly visits: SetupVisits,
  ) {}

  async show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const isSaved = (request.query as { saved?: string }).saved === 'true';
    return this.send(reply, allowed(await this.visits.enter(request), 'roles'), { isSaved });
  }

  async change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const visit = allowed(await this.visits.enterForm(request), 'roles');
    const { form, cookie } = visit;
    const act = form.get(ROLE_FIELDS.act);
    if (act === ACTS.finishWithoutSaving) return this.visits.finish(reply, visit);
    const etag = form.get(ROLE_FIELDS.etag) ?? '';
    const chosen = chosenIn(form, visit.frame.session.roles);
    const digest = digestOf(chosen, etag);
    const isShown = form.get(ROLE_FIELDS.previewed) === digest;
    const { roles } = this.setup;
    try {
      if (act === ACTS.finish && (await this.isStored(chosen, cookie))) {
        return await this.visits.finish(reply, visit);
      }
      if (isShown && (act === ACTS.save || act === ACTS.saveAndFinish)) {
        await roles.put(cookie, chosen, etag, visit.call);
        if (act === ACTS.saveAndFinish) return await this.visits.finish(reply, visit);
        return this.visits.redirect(reply, `${ROLES_PATH}?saved=true`);
      }
      const preview = await roles.preview(cookie, chosen, etag);
      return await this.send(reply, visit, { chosen, preview, previewed: digest });
    } catch (error) {
      const status = statusOf(error);
      if (status === 409) return this.send(reply.code(409), visit, { isStale: true });
      if (status === 400) return this.send(reply.code(422), visit, { chosen, isTooMuch: true });
      throw error;
    }
  }

  private async isStored(chosen: ChosenRoles, cookie: string): Promise<boolean> {
    const { groups } = await this.setup.roles.get(cookie);
    const stored = new Map(groups.map(({ id, role }) => [id, role]));
    return Object.entries(chosen).every(([id, role]) => role === (stored.get(id) ?? ''));
  }

  private async send(
    reply: FastifyReply,
    { cookie, frame }: Visit,
    options: RolesOptions,
  ): Promise<FastifyReply> {
    const choices = await this.setup.roles.get(cookie);
    return this.visits.send(reply, rolesPage(frame, choices, options));
  }
}

/** The role that a form contains for each group. */
function chosenIn(form: URLSearchParams, roles: readonly string[]): ChosenRoles {
  const fields = [...form].filter(([name]) => name.startsWith(ROLE_FIELDS.group));
  return Object.fromEntries(
    fields.map(([name, position]) => [
      name.slice(ROLE_FIELDS.group.length),
      roleAt(position, roles),
    ]),
  );
}

/** Forms send the positions of roles. @throws DomainError for one that the link does not have */
function roleAt(position: string, roles: readonly string[]): string {
  if (position === '') return '';
  const role = /^\d{1,2}$/.test(position) ? roles[Number(position)] : undefined;
  if (role === undefined) throw new DomainError(KitErrors.INVALID_ARGUMENT);
  return role;
}

/** The same for the same choice of the same mapping. */
function digestOf(chosen: ChosenRoles, etag: string): string {
  const sorted = Object.entries(chosen).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([etag, sorted]))
    .toString('base64url')
    .slice(0, 22);
}
