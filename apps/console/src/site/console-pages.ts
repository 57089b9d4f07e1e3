import { GatehouseError } from '@gatehouse/client';
import { DomainError } from '@gatehouse/kit/errors';
import { attributes, markup } from '@gatehouse/pages';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ConsoleErrors } from '../errors.js';
import { type SessionsService } from '../sessions/sessions.service.js';
import { siteTexts } from '../texts/site.texts.js';
import { type ConsoleFrame, consolePage, type Page } from './console-frame.js';
import { type ConsoleVisits } from './console-visits.js';
import {
  type Act,
  type Answer,
  type ConsoleVisit,
  NONCE_FIELD,
  type Pages,
  type Redirect,
  type ResultPath,
} from './pages.js';
import { timeZoneOf } from './time-zone.js';

type Entered = Awaited<ReturnType<ConsoleVisits['enter']>>;

/** Registers pages as routes: each has a session, and each act is a form of that session. */
export class ConsolePages implements Pages {
  constructor(
    private readonly scope: FastifyInstance,
    private readonly visits: ConsoleVisits,
    private readonly sessions: SessionsService,
  ) {}

  show(path: string, page: (visit: ConsoleVisit) => Answer | Promise<Answer>): void {
    this.scope.get(path, async (request, reply) => {
      const visit = this.visitOf(request, await this.visits.enter(request));
      return this.send(reply, visit, await this.answerOf(visit, () => page(visit)));
    });
  }

  act(path: string, act: Act): void {
    this.scope.post(path, async (request, reply) => {
      const { form, ...entered } = await this.visits.enterForm(request);
      const visit = this.visitOf(request, entered);
      return this.send(reply, visit, await this.answerOf(visit, () => act(visit, form)));
    });
  }

  actOnce(path: string, resultPath: ResultPath, act: Act): void {
    this.act(path, async (visit, form) => {
      const { session } = visit.frame;
      const isFirst = await this.sessions.takeForm(session, form.get(NONCE_FIELD) ?? '');
      return isFirst ? act(visit, form) : sentBeforePage(visit.frame, resultPath(visit, form));
    });
  }

  private visitOf(request: FastifyRequest, { session, frame }: Entered): ConsoleVisit {
    const consoleFrame: ConsoleFrame = { ...frame, timeZone: timeZoneOf(request) };
    const params = request.params as Record<string, string>;
    // No record has these ids, which the client takes for steps in a path.
    if (Object.values(params).some((id) => /^\.{0,2}$/.test(id))) {
      throw new DomainError(ConsoleErrors.NOT_FOUND);
    }
    return {
      gatehouse: this.sessions.gatehouseOf(session),
      frame: consoleFrame,
      params,
      query: new URL(request.url, 'http://console').searchParams,
    };
  }

  /** A session whose key no service accepts any more ends. */
  private async answerOf<T>({ frame }: ConsoleVisit, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isRefused = error instanceof GatehouseError && error.status === 401;
      if (isRefused) await this.sessions.requireAccess(frame.session);
      throw error;
    }
  }

  private send(reply: FastifyReply, { frame, query }: ConsoleVisit, answer: Answer): FastifyReply {
    if ('content' in answer) {
      const text = consolePage(frame, answer, query.get('done') ?? undefined);
      return this.visits.send(reply.code(answer.status ?? 200), text);
    }
    if ('path' in answer) return this.visits.redirect(reply, addressOf(answer));
    const { fileName, document } = answer;
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${fileName}"`,
        'content-type': 'application/json; charset=utf-8',
      })
      .send(JSON.stringify(document, undefined, 2));
  }
}

function sentBeforePage(frame: ConsoleFrame, resultPath: string): Page {
  const { title, text, result } = siteTexts(frame.language).sentBefore;
  return {
    title,
    status: 409,
    content: markup`<p class="lead">${text}</p>
<p><a${attributes({ href: frame.basePath + resultPath })}>${result}</a></p>`,
  };
}

function addressOf({ path, done }: Redirect): string {
  if (done === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}done=${done}`;
}
