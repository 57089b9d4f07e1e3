/** Who is signed in, and the end of their sessions. */
import { GatehouseError } from '@gatehouse/client';
import { markup } from '@gatehouse/pages';
import { confirmation } from '../parts/forms.js';
import { table } from '../parts/table.js';
import { code, link, section, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Session } from '../sessions/session.js';
import { type SessionsService } from '../sessions/sessions.service.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { accessTexts } from '../texts/access.texts.js';
import { siteTexts } from '../texts/site.texts.js';

const PATH = '/access';

export function accessRoom(pages: Pages, sessions: SessionsService): void {
  const find = async ({ params }: ConsoleVisit): Promise<Session> => {
    const found = (await sessions.list()).find(({ sessionId }) => sessionId === params['id']);
    if (!found) throw new GatehouseError({ status: 404, message: 'The session has ended.' });
    return found;
  };
  pages.show(PATH, async (visit) => accessPage(visit, await sessions.list()));
  pages.show(`${PATH}/:id/end`, async (visit) => endPage(visit, await find(visit)));
  pages.act(`${PATH}/:id/end`, async (visit) => {
    requireAdministrator(visit);
    await sessions.end((await find(visit)).sessionId);
    return { path: PATH, done: 'session-ended' };
  });
}

function accessPage(visit: ConsoleVisit, sessions: readonly Session[]): Page {
  const { frame } = visit;
  const texts = accessTexts(frame.language);
  const { roles } = siteTexts(frame.language);
  const isOwn = ({ sessionId }: Session) => sessionId === frame.session.sessionId;
  const list = table(frame, {
    caption: texts.sessions,
    rows: sessions,
    empty: texts.empty,
    columns: [
      {
        head: texts.person,
        cell: (each) => [written(each.name), isOwn(each) && ` (${texts.you})`],
      },
      { head: texts.role, cell: ({ role }) => roles[role] },
      { head: texts.since, cell: ({ createTime }) => time(frame, createTime) },
      { head: texts.seen, cell: ({ seenTime }) => time(frame, seenTime) },
      { head: texts.until, cell: ({ expireTime }) => time(frame, expireTime) },
      {
        head: texts.key,
        cell: ({ keyId }) =>
          keyId === null ? texts.ownKey : link(frame, `/keys/${keyId}`, code(keyId)),
      },
      {
        head: '',
        cell: (each) =>
          !isOwn(each) &&
          can(visit, 'keys:admin') &&
          link(frame, `${PATH}/${each.sessionId}/end`, texts.end),
      },
    ],
  });
  return { title: texts.title, section: 'access', content: section(texts.sessions, list) };
}

function endPage({ frame }: ConsoleVisit, { sessionId, name }: Session): Page {
  const texts = accessTexts(frame.language);
  return confirmation(frame, {
    title: texts.endTitle(name),
    section: 'access',
    trail: [{ path: PATH, text: texts.title }],
    consequences: markup`<p>${texts.endText}</p>`,
    path: `${PATH}/${sessionId}/end`,
    button: texts.end,
    cancel: PATH,
  });
}

/** Sessions are of the console, so no service decides. */
function requireAdministrator(visit: ConsoleVisit): void {
  if (can(visit, 'keys:admin')) return;
  throw new GatehouseError({ status: 403, message: 'Only administrators end sessions of others.' });
}
