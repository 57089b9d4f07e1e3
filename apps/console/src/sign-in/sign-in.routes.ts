/** Signing in and out, below `/console`. */
import { DomainError } from '@gatehouse/kit/errors';
import { PublicAddress, seeOther } from '@gatehouse/pages';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../config.js';
import { ConsoleErrors } from '../errors.js';
import { pathWith } from '../parts/table.js';
import { consolePage } from '../site/console-frame.js';
import { ConsoleVisits } from '../site/console-visits.js';
import { IdentityProvider, SIGN_IN_SECONDS } from './identity-provider.js';
import { type Session } from '../sessions/session.js';
import { type Opened, SessionsService } from '../sessions/sessions.service.js';
import {
  KEY_FIELD,
  RETURN_FIELD,
  signInPage,
  type SignInOptions,
  signOutPage,
} from './sign-in.pages.js';

export const SIGN_IN_PATH = '/sign-in';
const CALLBACK_PATH = '/sign-in/callback';
const RETURN_CHARACTERS_MAX = 2_000;

@Injectable()
export class SignInRoutes {
  private readonly address: PublicAddress;
  /** Of the attempt to sign in, until the person comes back. Other hosts of the domain cannot set it over https. */
  private readonly attemptCookie: string;

  constructor(
    { publicUrl }: ConsoleConfig,
    private readonly sessions: SessionsService,
    private readonly provider: IdentityProvider,
    private readonly visits: ConsoleVisits,
  ) {
    this.address = new PublicAddress({ publicUrl, allowedReturnUrls: [] });
    this.attemptCookie = `${this.address.isSecure ? '__Host-' : ''}gatehouse_console_sign_in`;
  }

  register(scope: FastifyInstance): void {
    scope.get(SIGN_IN_PATH, (request, reply) => this.showSignIn(request, reply));
    scope.post(SIGN_IN_PATH, (request, reply) => this.signInWithKey(request, reply));
    scope.get('/sign-in/start', (request, reply) => this.begin(request, reply));
    scope.get(CALLBACK_PATH, (request, reply) => this.finish(request, reply));
    scope.get('/sign-out', (request, reply) => this.askToSignOut(request, reply));
    scope.post('/sign-out', (request, reply) => this.signOut(request, reply));
  }

  /** Where a person without a session goes first. @param hasLostAccess whether they had one until now */
  redirectToSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    hasLostAccess: boolean,
  ): FastifyReply {
    const { basePath } = this.visits;
    const wanted =
      request.method === 'GET' ? returnPathOf(this.address.basePath + request.url, basePath) : '/';
    const query = {
      [RETURN_FIELD]: wanted === '/' ? undefined : wanted,
      lost_access: hasLostAccess ? '1' : undefined,
    };
    return this.visits.redirect(reply, pathWith(SIGN_IN_PATH, query));
  }

  private showSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const query = queryOf(request);
    return this.sendSignIn(request, reply, {
      returnTo: returnPathOf(query.get(RETURN_FIELD) ?? '/'),
      isSignedOut: query.has('signed_out'),
      hasLostAccess: query.has('lost_access'),
    });
  }

  private sendSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    options: Omit<SignInOptions, 'hasProvider'>,
  ): FastifyReply {
    const hasProvider = this.provider.isConfigured;
    const page = signInPage(this.visits.frameOf(request), { ...options, hasProvider });
    return this.visits.send(reply, page);
  }

  private async signInWithKey(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Programs of other sites could sign a person in as someone else.
    this.visits.requireOwnOrigin(request);
    await this.visits.countStranger(request);
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
    const returnTo = returnPathOf(form.get(RETURN_FIELD) ?? '/');
    try {
      const opened = await this.sessions.openWithKey(form.get(KEY_FIELD) ?? '');
      return this.enter(reply, opened, returnTo);
    } catch (error) {
      const isRefused =
        error instanceof DomainError && error.definition === ConsoleErrors.KEY_REFUSED;
      if (!isRefused) throw error;
      return this.sendSignIn(request, reply.code(403), { returnTo, isRefused: true });
    }
  }

  private async begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!this.provider.isConfigured) return this.visits.redirect(reply, SIGN_IN_PATH);
    await this.visits.countStranger(request);
    const returnTo = returnPathOf(queryOf(request).get(RETURN_FIELD) ?? '/');
    const { url, cookie } = await this.provider.begin(this.urlOf(request, CALLBACK_PATH), returnTo);
    this.setAttempt(reply, cookie, SIGN_IN_SECONDS);
    return seeOther(reply, url.href);
  }

  private async finish(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.visits.countStranger(request);
    const cookie = this.attemptOf(request);
    if (cookie === undefined) throw new DomainError(ConsoleErrors.SIGN_IN_FAILED);
    this.setAttempt(reply, '', 0);
    const url = new URL(this.urlOf(request, CALLBACK_PATH));
    url.search = queryOf(request).toString();
    const { person, returnTo } = await this.provider.finish(url, cookie);
    return this.enter(reply, await this.sessions.openForPerson(person), returnTo);
  }

  private async askToSignOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session, frame } = await this.visits.enter(request);
    const page = consolePage(
      { ...frame, timeZone: undefined },
      signOutPage({ ...frame, timeZone: undefined }),
    );
    const provider = await this.providerSignOut(request, session);
    return this.visits.send(reply, page, provider?.href);
  }

  private async signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session } = await this.visits.enterForm(request);
    const provider = await this.providerSignOut(request, session);
    await this.sessions.end(session.sessionId);
    if (provider) return seeOther(reply, provider.href);
    return this.visits.redirect(reply, `${SIGN_IN_PATH}?signed_out=1`);
  }

  /** Undefined for a session that does not come from the provider, and while that cannot be reached. */
  private async providerSignOut(
    request: FastifyRequest,
    session: Session,
  ): Promise<URL | undefined> {
    const idToken = this.sessions.idTokenOf(session);
    if (idToken === undefined) return undefined;
    const returnUrl = this.urlOf(request, SIGN_IN_PATH);
    return this.provider.signOutUrl(idToken, returnUrl).catch(() => undefined);
  }

  private enter(
    reply: FastifyReply,
    { cookie, expireTime }: Opened,
    returnTo: string,
  ): FastifyReply {
    this.visits.setCookie(reply, cookie, expireTime);
    return this.visits.redirect(reply, returnTo);
  }

  private setAttempt(reply: FastifyReply, value: string, seconds: number): void {
    const secure = this.address.isSecure ? '; Secure' : '';
    void reply.header(
      'set-cookie',
      `${this.attemptCookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  }

  private attemptOf({ headers }: FastifyRequest): string | undefined {
    const pairs = (headers.cookie ?? '').split('; ').map((pair) => pair.split('=', 2));
    return pairs.find(([name]) => name === this.attemptCookie)?.[1];
  }

  private urlOf(request: FastifyRequest, path: string): string {
    return this.address.originOf(request) + this.visits.basePath + path;
  }
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URL(url, 'http://console').searchParams;
}

/** A path below the console, or its start: no other site may choose where a person ends up. */
function returnPathOf(text: string, base = ''): string {
  if (!text.startsWith(`${base}/`) || text.length > RETURN_CHARACTERS_MAX) return '/';
  const path = text.slice(base.length);
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.startsWith(SIGN_IN_PATH) ? path : '/';
}
