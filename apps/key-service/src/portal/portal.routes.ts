/**
 * The pages of the portal, below `/portal`. Native routes, because forms are urlencoded. A GET never
 * opens a session, because previews and scanners follow links.
 */
import { randomToken } from '@gatehouse/crypto';
import { AssetRoutes, frameTexts, type Language, type Notice, takeForms } from '@gatehouse/pages';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { InputReader } from '@gatehouse/kit/input';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { KeyErrors } from '../errors.js';
import { KEYS_PATH, limitText, NEW_PATH } from './portal-frame.js';
import { PortalKeysService } from './portal-keys.service.js';
import { type PortalSession } from '../store/portal/portal-session.js';
import { PORTAL_PATH, PortalSessionsService } from './portal-sessions.service.js';
import { PortalVisits } from './portal-visits.js';
import { replacePage, revokePage } from './confirm.pages.js';
import {
  ASK_FIELD,
  GRACE_SECONDS,
  keyPage,
  keysPage,
  newPage,
  openPage,
  secretPage,
} from './portal.pages.js';
import { portalTexts } from './texts/texts.js';

const FORM_BYTES_MAX = 16_384;
const PAGE_TOKEN_CHARACTERS_MAX = 2_048;
const NONCE = /^[A-Za-z0-9_-]{43}$/;

type SecretRequest = FastifyRequest<{ Params: { secret: string } }>;
type KeyRequest = FastifyRequest<{ Params: { keyId: string } }>;

@Injectable()
export class PortalRoutes implements NativeRoutes {
  constructor(
    private readonly sessions: PortalSessionsService,
    private readonly keys: PortalKeysService,
    private readonly visits: PortalVisits,
    private readonly assets: AssetRoutes,
    private readonly errors: ErrorFilter,
  ) {}

  register(scope: FastifyInstance): void {
    takeForms(scope, FORM_BYTES_MAX);
    const protocol = this.visits.errors({ noticeOf });
    scope.setErrorHandler(async (error, request, reply) => {
      const isGone = error instanceof DomainError && error.httpStatus === 410;
      if (isGone) await this.leadToApplication(request);
      this.errors.send(error, request, reply, protocol);
      return reply;
    });
    void scope.register(
      (pages) => {
        this.assets.register(pages);
        this.registerPages(pages);
      },
      { prefix: PORTAL_PATH },
    );
  }

  private registerPages(scope: FastifyInstance): void {
    scope.get('/:secret', (request: SecretRequest, reply) => this.showAddress(request, reply));
    scope.post('/:secret', (request: SecretRequest, reply) => this.open(request, reply));
    scope.get(KEYS_PATH, (request, reply) => this.showKeys(request, reply));
    scope.post(KEYS_PATH, (request, reply) => this.create(request, reply));
    scope.get(NEW_PATH, (request, reply) => this.showNew(request, reply));
    const ofKey = `${KEYS_PATH}/:keyId`;
    scope.get(ofKey, (request: KeyRequest, reply) => this.showKey(request, reply));
    scope.post(`${ofKey}/rotate`, (request: KeyRequest, reply) => this.rotate(request, reply));
    // The address of a page that a submission answered, entered again.
    scope.get(`${ofKey}/rotate`, (request: KeyRequest, reply) => this.leave(request, reply));
    scope.post(`${ofKey}/revoke`, (request: KeyRequest, reply) => this.revoke(request, reply));
    scope.get(`${ofKey}/revoke`, (request: KeyRequest, reply) => this.leave(request, reply));
  }

  private async showAddress(request: SecretRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { secret } = request.params;
    if (await this.visits.sessionOfAddress(request, secret)) {
      return this.visits.redirect(reply, KEYS_PATH);
    }
    const session = await this.requireOpenable(secret);
    const page = openPage(this.visits.frameOf(request, session.language), secret);
    return this.visits.sendOpening(request, reply, page);
  }

  private async open(request: SecretRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.visits.requireOwnOrigin(request);
    const { secret } = request.params;
    if (await this.visits.sessionOfAddress(request, secret)) {
      return this.visits.redirect(reply, KEYS_PATH);
    }
    const { language } = await this.requireOpenable(secret);
    this.visits.requireCookies(request, language);
    const opened = await this.sessions.open(secret, (session) =>
      this.visits.callOf(request, session),
    );
    if (!opened) throw new DomainError(KeyErrors.PORTAL_SESSION_GONE);
    this.visits.setCookie(reply, opened.cookie, opened.session.expireTime);
    return this.visits.redirect(reply, KEYS_PATH);
  }

  /** A session that can be opened, whose request is counted. @throws DomainError `gone` */
  private async requireOpenable(secret: string): Promise<PortalSession> {
    const session = await this.sessions.findOpenable(secret);
    if (!session) throw new DomainError(KeyErrors.PORTAL_SESSION_GONE);
    await this.visits.countSession(session.sessionId);
    return session;
  }

  private async showKeys(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session, frame } = await this.visits.enter(request);
    const query = InputReader.ofQuery(request.query as object);
    const pageToken = query.text('page_token', { max: PAGE_TOKEN_CHARACTERS_MAX });
    query.throwIfInvalid();
    const { rows, nextPageToken } = await this.keys.list(session, pageToken);
    const limit = session.allow.includes('create') ? await this.keys.limitOf(session) : undefined;
    return this.visits.send(reply, keysPage(frame, { keys: rows, nextPageToken, limit }));
  }

  private async showNew(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session, frame } = await this.visits.enter(request);
    if (!session.allow.includes('create')) {
      throw new DomainError(KeyErrors.PORTAL_ACTION_NOT_ALLOWED);
    }
    const limit = await this.keys.limitOf(session);
    return this.visits.send(reply, newPage(frame, randomToken(), { limit }));
  }

  private async create(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session, frame, call, form } = await this.visits.enterForm(request);
    const scopes = readScopes(form, session);
    const nonce = readNonce(form);
    const name = readName(form);
    const sent = { name: form.get('name') ?? '', scopes };
    if (name === undefined) {
      return this.visits.send(reply.code(400), newPage(frame, nonce, { sent }));
    }
    try {
      const { key, secret } = await this.keys.create(session, { name, scopes, nonce }, call);
      return await this.visits.send(reply, secretPage(frame, key, secret));
    } catch (error) {
      if (!isLimit(error)) throw error;
      return this.visits.send(reply.code(409), newPage(frame, nonce, { sent, limit: error }));
    }
  }

  private async showKey(request: KeyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session, frame } = await this.visits.enter(request);
    const key = await this.keys.get(session, request.params.keyId);
    return this.visits.send(reply, keyPage(frame, key, randomToken(), await this.keys.usage(key)));
  }

  private async rotate(request: KeyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session, frame, call, form } = await this.visits.enterForm(request);
    const grace = form.get('grace');
    if (grace !== '0' && grace !== String(GRACE_SECONDS)) {
      throw new DomainError(KitErrors.INVALID_ARGUMENT);
    }
    const graceSeconds = grace === '0' ? undefined : GRACE_SECONDS;
    const { keyId } = request.params;
    const nonce = readNonce(form);
    if (form.has(ASK_FIELD)) {
      const asked = await this.keys.get(session, keyId);
      return this.visits.send(reply, replacePage(frame, asked, nonce));
    }
    const { key, secret } = await this.keys.rotate(session, { keyId, graceSeconds, nonce }, call);
    return this.visits.send(reply, secretPage(frame, key, secret, graceSeconds === undefined));
  }

  private async revoke(request: KeyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session, frame, call, form } = await this.visits.enterForm(request);
    const { keyId } = request.params;
    if (form.has(ASK_FIELD)) {
      return this.visits.send(reply, revokePage(frame, await this.keys.get(session, keyId)));
    }
    await this.keys.revoke(session, keyId, call);
    return this.visits.redirect(reply, `${KEYS_PATH}/${keyId}`);
  }

  /** The error page of a session that has ended leads to its return_url, if it has one. */
  private async leadToApplication(request: FastifyRequest): Promise<void> {
    const { secret } = request.params as { secret?: string };
    const known = secret ?? this.visits.cookieOf(request);
    const session = known === undefined ? undefined : await this.sessions.findBySecret(known);
    if (!session) return;
    const { language } = this.visits.frameOf(request, session.language);
    const { returnUrl } = session;
    const next =
      returnUrl === null
        ? undefined
        : { href: returnUrl, text: frameTexts(language).toApplication };
    this.visits.leadBack(request, language, next);
  }

  private async leave(request: KeyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session } = await this.visits.enter(request);
    const { keyId } = await this.keys.get(session, request.params.keyId);
    return this.visits.redirect(reply, `${KEYS_PATH}/${keyId}`);
  }
}

function readNonce(form: URLSearchParams): string {
  const nonce = form.get('nonce') ?? '';
  if (NONCE.test(nonce)) return nonce;
  throw new DomainError(KitErrors.INVALID_ARGUMENT);
}

/** Undefined if it is no name of a key. */
function readName(form: URLSearchParams): string | undefined {
  const input = InputReader.of({ name: (form.get('name') ?? '').trim() });
  const name = input.text('name', { min: 1 });
  try {
    input.throwIfInvalid();
    return name;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** Forms send the positions of scopes. @throws DomainError for one that the session does not have */
function readScopes(form: URLSearchParams, { scopes }: PortalSession): string[] {
  const chosen = form.getAll('scope').map((text) => {
    const scope = /^\d{1,3}$/.test(text) ? scopes[Number(text)] : undefined;
    if (scope === undefined) throw new DomainError(KitErrors.INVALID_ARGUMENT);
    return scope;
  });
  return [...new Set(chosen)];
}

const isLimit = (error: unknown): error is DomainError =>
  error instanceof DomainError && 'limit' in error.metadata;

function noticeOf(error: DomainError, language: Language): Notice {
  const texts = portalTexts(language);
  const { httpStatus } = error;
  if (isLimit(error)) return { title: texts.conflict.title, text: limitText(language, error) };
  if (httpStatus === 410) return texts.gone;
  if (httpStatus === 404 || httpStatus === 405) return texts.notFound;
  if (httpStatus === 403) return texts.forbidden;
  if (httpStatus === 402 || httpStatus === 409) return texts.conflict;
  if (httpStatus === 429) return texts.tooMany;
  return httpStatus < 500 ? texts.unreadable : texts.failed;
}
