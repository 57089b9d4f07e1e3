/** The pages of the console, below `/console`. Native routes, because forms are urlencoded. */
import { DomainError } from '@gatehouse/kit/errors';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { AssetRoutes, sendAsset, takeForms } from '@gatehouse/pages';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { accessRoom } from './access/access.room.js';
import { auditRoom } from './audit/audit.room.js';
import { ConsoleConfig } from './config.js';
import { directoriesRoom } from './directories/directories.room.js';
import { ConsoleErrors } from './errors.js';
import { eventsRoom } from './events/events.room.js';
import { formsRoom } from './forms/forms.room.js';
import { keysRoom } from './keys/keys.room.js';
import { overviewRoom } from './overview/overview.room.js';
import { peopleRoom } from './people/people.room.js';
import { searchRoom } from './search/search.room.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInRoutes } from './sign-in/sign-in.routes.js';
import { consoleScript, consoleStylesheet } from './site/console-assets.js';
import { ConsolePages } from './site/console-pages.js';
import { CONSOLE_PATH, ConsoleVisits } from './site/console-visits.js';
import { consoleError, noticeOf } from './site/notices.js';
import { webhooksRoom } from './webhooks/webhooks.room.js';

/** A schema of a form is the largest that a page sends. */
const FORM_BYTES_MAX = 1024 * 1024;

@Injectable()
export class ConsoleRoutes implements NativeRoutes {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly sessions: SessionsService,
    private readonly visits: ConsoleVisits,
    private readonly signIn: SignInRoutes,
    private readonly assets: AssetRoutes,
    private readonly errors: ErrorFilter,
  ) {}

  register(scope: FastifyInstance): void {
    takeForms(scope, FORM_BYTES_MAX);
    const protocol = this.visits.errors({ noticeOf });
    scope.setErrorHandler((error, request, reply) => {
      const definition = error instanceof DomainError ? error.definition : undefined;
      const hasLostAccess = definition === ConsoleErrors.ACCESS_LOST;
      if (hasLostAccess || definition === ConsoleErrors.SIGNED_OUT) {
        return this.signIn.redirectToSignIn(request, reply, hasLostAccess);
      }
      this.errors.send(consoleError(error), request, reply, protocol);
      return reply;
    });
    void scope.register((site) => this.registerSite(site), { prefix: CONSOLE_PATH });
  }

  private registerSite(site: FastifyInstance): void {
    this.assets.register(site);
    for (const asset of [consoleStylesheet, consoleScript]) {
      site.get(asset.path, (_request, reply) => sendAsset(reply, asset));
    }
    this.signIn.register(site);
    const pages = new ConsolePages(site, this.visits, this.sessions);
    accessRoom(pages, this.sessions, this.config.provider.roles);
    auditRoom(pages);
    directoriesRoom(pages);
    eventsRoom(pages);
    formsRoom(pages);
    keysRoom(pages);
    overviewRoom(pages);
    peopleRoom(pages);
    searchRoom(pages);
    webhooksRoom(pages);
  }
}
