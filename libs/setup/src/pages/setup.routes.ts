/**
 * The pages of setup links, below `/setup`. Native Fastify routes, because forms are urlencoded. A GET
 * never opens a link, because mail scanners and previews follow links.
 */
import { SETUP_PATH } from '../links/setup-links.js';
import { type EndedSetup } from '../links/setup-sessions.js';
import { AssetRoutes, frameTexts, type Language, noticePage, takeForms } from '@gatehouse/pages';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SETUP, type Setup } from '../setup.tokens.js';
import { SCIM_GUIDES } from '../guides/index.js';
import { checkPage, isProven, REFRESH_SECONDS } from './check.page.js';
import { ConsentHandlers } from './consent.handlers.js';
import { GroupsHandlers } from './groups.handlers.js';
import { MappingHandlers } from './mapping.handlers.js';
import { RolesHandlers } from './roles.handlers.js';
import { setupErrors } from './setup-errors.js';
import {
  CHECK_PATH,
  COMPLETE_PATH,
  CONSENT_PATH,
  DONE_PATH,
  GROUPS_PATH,
  guideFor,
  MAPPING_PATH,
  PROVIDER_PATH,
  ROLES_PATH,
  stepPath,
} from './setup-frame.js';
import { SetupVisits, statusOf } from './setup-visit.js';
import { openPage, providerPage, stepPage, TOKEN_PATH, tokenStep } from './setup.pages.js';
import { CONSENT_PROBLEMS, type ConsentProblem, setupTexts } from './texts/texts.js';

/** Enough for as many attributes as can be mapped. */
const FORM_BYTES_MAX = 65_536;

type SecretRequest = FastifyRequest<{ Params: { secret: string } }>;
type StepRequest = FastifyRequest<{
  Params: { number: string };
  Querystring: { problem?: unknown };
}>;
type CheckRequest = FastifyRequest<{ Querystring: { refresh?: string } }>;

@Injectable()
export class SetupRoutes implements NativeRoutes {
  constructor(
    @Inject(SETUP) private readonly setup: Setup,
    private readonly visits: SetupVisits,
    private readonly mappings: MappingHandlers,
    private readonly groups: GroupsHandlers,
    private readonly roles: RolesHandlers,
    private readonly consents: ConsentHandlers,
    private readonly assets: AssetRoutes,
    private readonly errors: ErrorFilter,
  ) {}

  register(scope: FastifyInstance): void {
    takeForms(scope, FORM_BYTES_MAX);
    const protocol = setupErrors(this.visits);
    scope.setErrorHandler(async (error, request, reply) => {
      const ended = statusOf(error) === 410 ? await this.endedOf(request) : null;
      if (ended?.isCompleted) return this.sendDone(request, reply.code(410), ended);
      if (ended) {
        const { language } = this.visits.frameOf(request, ended.locale);
        this.visits.leadBack(request, language, toApplication(ended, language));
      }
      this.errors.send(error, request, reply, protocol);
      return reply;
    });
    void scope.register(
      (pages) => {
        this.assets.register(pages);
        this.registerPages(pages);
      },
      { prefix: SETUP_PATH },
    );
  }

  private registerPages(scope: FastifyInstance): void {
    scope.get('/:secret', (request: SecretRequest, reply) => this.showLink(request, reply));
    scope.post('/:secret', (request: SecretRequest, reply) => this.open(request, reply));
    scope.get(PROVIDER_PATH, (request, reply) => this.showProviders(request, reply));
    scope.post(PROVIDER_PATH, (request, reply) => this.chooseProvider(request, reply));
    scope.get('/steps/:number', (request: StepRequest, reply) => this.showStep(request, reply));
    scope.post(TOKEN_PATH, (request, reply) => this.createToken(request, reply));
    scope.get(TOKEN_PATH, (request, reply) => this.leaveToken(request, reply));
    scope.get(MAPPING_PATH, (request, reply) => this.mappings.show(request, reply));
    scope.post(MAPPING_PATH, (request, reply) => this.mappings.change(request, reply));
    scope.get(GROUPS_PATH, (request, reply) => this.groups.show(request, reply));
    scope.post(GROUPS_PATH, (request, reply) => this.groups.change(request, reply));
    scope.get(ROLES_PATH, (request, reply) => this.roles.show(request, reply));
    scope.post(ROLES_PATH, (request, reply) => this.roles.change(request, reply));
    scope.post(CONSENT_PATH, (request, reply) => this.consents.begin(request, reply));
    scope.get(CONSENT_PATH, (request, reply) => this.consents.leave(request, reply));
    scope.get(CHECK_PATH, (request: CheckRequest, reply) => this.showCheck(request, reply));
    scope.post(COMPLETE_PATH, (request, reply) => this.complete(request, reply));
    scope.get(DONE_PATH, (request, reply) => this.showDone(request, reply));
  }

  private async showLink(request: SecretRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { secret } = request.params;
    // The link in the e-mail leads back into the session that it became.
    const session = await this.visits.sessionOfAddress(request, secret);
    if (session) return this.visits.resume(reply, session, this.visits.frameOf(request));
    const { linkId, locale, directoryName } = await this.setup.sessions.peek(secret);
    await this.visits.countSession(linkId);
    const page = openPage(this.visits.frameOf(request, locale), secret, directoryName);
    return this.visits.sendOpening(request, reply, page);
  }

  private async open(request: SecretRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.visits.requireOwnOrigin(request);
    const { secret } = request.params;
    // The same button in another tab of this browser, or pressed again.
    const session = await this.visits.sessionOfAddress(request, secret);
    if (session) return this.visits.resume(reply, session, this.visits.frameOf(request));
    const { linkId, locale } = await this.setup.sessions.peek(secret);
    await this.visits.countSession(linkId);
    this.visits.requireCookies(request, locale);
    const call = this.visits.callOf(request);
    const opened = await this.setup.sessions.open(secret, call);
    this.visits.setCookie(reply, opened.cookie, opened.expiresAt);
    return this.visits.redirect(reply, PROVIDER_PATH);
  }

  private async showProviders(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { frame } = await this.visits.enter(request);
    if (frame.session.workspace) return this.visits.redirect(reply, stepPath(1));
    return this.visits.send(reply, providerPage(frame));
  }

  private async chooseProvider(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { cookie, frame, call, form } = await this.visits.enterForm(request);
    const chosen = form.get('provider') ?? undefined;
    try {
      await this.setup.sessions.chooseProvider(cookie, chosen, call);
    } catch (error) {
      if (statusOf(error) === 400) {
        return this.visits.send(reply.code(422), providerPage(frame, true));
      }
      throw error;
    }
    return this.visits.redirect(reply, stepPath(1));
  }

  private async showStep(request: StepRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { frame } = await this.visits.enter(request);
    if (!guideFor(frame.session)) return this.visits.redirect(reply, PROVIDER_PATH);
    const { number } = request.params;
    const problem = problemOf(request.query.problem);
    const page = /^[1-9]$/.test(number) ? stepPage(frame, Number(number), { problem }) : undefined;
    if (page === undefined) throw new DomainError(KitErrors.NOT_FOUND);
    return this.visits.send(reply, page, this.consents.addressOf(frame, stepPath(Number(number))));
  }

  /** Answers with the page itself, not with a redirect: nothing keeps the token. */
  private async createToken(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { cookie, frame, call } = await this.visits.enterForm(request);
    const guide = guideFor(frame.session);
    if (!guide) return this.visits.redirect(reply, PROVIDER_PATH);
    const step = tokenStep(guide);
    try {
      const created = await this.setup.sessions.createToken(cookie, call);
      return this.visits.send(reply, stepPage(frame, step, created) as string);
    } catch (error) {
      // As many tokens as allowed, or two in use: the message says what to do.
      if (!(error instanceof DomainError) || error.httpStatus !== 409) throw error;
      const refusal = error.message;
      return this.visits.send(reply.code(409), stepPage(frame, step, { refusal }) as string);
    }
  }

  /** Where the address bar leads after a token was shown. */
  private async leaveToken(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { frame } = await this.visits.enter(request);
    const guide = guideFor(frame.session);
    return this.visits.redirect(reply, guide ? stepPath(tokenStep(guide)) : PROVIDER_PATH);
  }

  private async showCheck(request: CheckRequest, reply: FastifyReply): Promise<FastifyReply> {
    const visit = await this.visits.enter(request);
    const { cookie, frame } = visit;
    if (frame.session.workspace) {
      return this.consents.showReading(visit, request.query.refresh, reply);
    }
    const proof = await this.setup.sessions.proof(cookie);
    const refreshes = request.query.refresh !== 'off' && !isProven(proof);
    if (refreshes) void reply.header('refresh', String(REFRESH_SECONDS));
    return this.visits.send(reply, checkPage(frame, proof, { refreshes }));
  }

  private async complete(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.visits.finish(reply, await this.visits.enterForm(request));
  }

  /** Needs no session: the last one ended with the setup. */
  private async showDone(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const ended = await this.endedOf(request);
    return this.sendDone(request, reply, ended?.isCompleted ? ended : null);
  }

  /** The link of an address or a cookie that does not work any more. */
  private async endedOf(request: FastifyRequest): Promise<EndedSetup | null> {
    const { secret } = request.params as { secret?: string };
    const known = secret ?? this.visits.cookieOf(request);
    return known === undefined ? null : this.setup.sessions.ended(known);
  }

  /** @param ended null if it is not known here which setup was finished */
  private sendDone(
    request: FastifyRequest,
    reply: FastifyReply,
    ended: EndedSetup | null,
  ): FastifyReply {
    const frame = this.visits.frameOf(request, ended?.locale);
    const { doneTitle: title, doneText, connected } = setupTexts(frame.language);
    const provider = SCIM_GUIDES.find(({ id }) => id === ended?.provider && id !== 'other');
    const text = ended ? `${connected(ended.directoryName, provider?.name)} ${doneText}` : doneText;
    const next = ended ? toApplication(ended, frame.language) : undefined;
    const page = noticePage({ title, text, isDone: true }, Object.assign(frame, { next }));
    return this.visits.send(reply, page);
  }
}

function toApplication({ returnUrl }: EndedSetup, language: Language) {
  return returnUrl === null
    ? undefined
    : { href: returnUrl, text: frameTexts(language).toApplication };
}

/** Shown as a text of ours, so that an invented address can show nothing else. */
const problemOf = (sent: unknown): ConsentProblem | undefined =>
  CONSENT_PROBLEMS.find((problem) => problem === sent);
