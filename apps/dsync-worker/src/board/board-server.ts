import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AppControllerRoute,
  type AppViewRoute,
  type BullBoardQueues,
  type IServerAdapter,
  type UIConfig,
} from '@bull-board/api/typings/app';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import fastifyStatic from '@fastify/static';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

const JOBS_PER_PAGE_MAX = 100;

type Query = Record<string, string>;

/**
 * Registers Bull Board on Fastify: its page, its files, and of its API only what reads. Jobs that are
 * retried or deleted by hand could break the order of a lane. Errors are those of the service; the
 * adapter of Bull Board would replace them, and the answers of the guard with them.
 */
export class BoardServer implements IServerAdapter {
  private queues: BullBoardQueues = new Map();
  private uiConfig: UIConfig = {};
  private viewsFolder = '';
  private files = { prefix: '', root: '' };
  private entry: AppViewRoute | undefined;
  private reads: readonly AppControllerRoute[] = [];

  /** @param beforeRead is awaited before the API reads the queues */
  constructor(
    private readonly basePath: string,
    private readonly beforeRead: () => Promise<void>,
  ) {}

  setQueues(queues: BullBoardQueues): this {
    this.queues = queues;
    return this;
  }

  setViewsPath(path: string): this {
    this.viewsFolder = path;
    return this;
  }

  setStaticPath(prefix: string, root: string): this {
    this.files = { prefix, root };
    return this;
  }

  setEntryRoute(route: AppViewRoute): this {
    this.entry = route;
    return this;
  }

  setErrorHandler(): this {
    return this;
  }

  setApiRoutes(routes: AppControllerRoute[]): this {
    this.reads = routes.filter(({ method }) => method === 'get');
    return this;
  }

  setUIConfig(config: UIConfig): this {
    this.uiConfig = config;
    return this;
  }

  async register(scope: FastifyInstance): Promise<void> {
    await scope.register(fastifyStatic, { ...this.files, decorateReply: false });
    await this.registerPage(scope);
    for (const read of this.reads) {
      for (const url of [read.route].flat()) {
        scope.get(url, (request: FastifyRequest<{ Querystring: Query; Params: Query }>, reply) =>
          this.answer(read, request, reply),
        );
      }
    }
  }

  /** The page is the same at every address, and shows what its address names. */
  private async registerPage(scope: FastifyInstance): Promise<void> {
    if (!this.entry) throw new Error('the board has no page');
    const { basePath, uiConfig } = this;
    const { name, params } = this.entry.handler({ basePath, uiConfig });
    // The template only inserts values, which are constants of ours.
    const template = await readFile(join(this.viewsFolder, name), 'utf8');
    const page = template.replace(/<%[=-] (\w+) %>/g, (_, value: string) => params[value] ?? '');
    for (const url of [this.entry.route].flat()) {
      scope.get(url, (_, reply) =>
        reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page),
      );
    }
  }

  private async answer(
    read: AppControllerRoute,
    request: FastifyRequest<{ Querystring: Query; Params: Query }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { params, query } = request;
    refuseUnreadable(query);
    await this.beforeRead();
    const { status = 200, body } = await read.handler({
      queues: this.queues,
      uiConfig: this.uiConfig,
      params,
      body: {},
      headers: {},
      query:
        Number(query['jobsPerPage']) > JOBS_PER_PAGE_MAX
          ? { ...query, jobsPerPage: String(JOBS_PER_PAGE_MAX) }
          : query,
    });
    return reply.status(status).header('cache-control', 'no-store').send(body);
  }
}

/** Bull Board fails on a NUL, by which it separates parts of messages, and decodes names once more. */
function refuseUnreadable(query: Query): void {
  const wrong = Object.keys(query).filter((name) => !isReadable(`${name}${query[name]}`));
  if (wrong.length === 0) return;
  throw new DomainError(KitErrors.INVALID_ARGUMENT, {
    message: `These parameters contain control characters or broken escapes: ${wrong.join(', ')}.`,
  });
}

function isReadable(text: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}
