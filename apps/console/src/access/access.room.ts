/** Who is signed in, the end of their sessions, and what each role may do. */
import { GatehouseError } from '@gatehouse/client';
import { type Html, markup, nothing } from '@gatehouse/pages';
import { coversScope } from '@gatehouse/schemas';
import { confirmation } from '../parts/forms.js';
import { table } from '../parts/table.js';
import { code, link, section, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Role, type RoleGroups, ROLES, scopesOf } from '../roles.js';
import { type Session } from '../sessions/session.js';
import { type SessionsService } from '../sessions/sessions.service.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { accessTexts } from '../texts/access.texts.js';

const PATH = '/access';

export function accessRoom(pages: Pages, sessions: SessionsService, roles: RoleGroups): void {
  // Sessions are of the console, so no service refuses a person whose key was revoked meanwhile.
  const scopesOfPerson = ({ frame }: ConsoleVisit) => sessions.requireAccess(frame.session);
  const find = async ({ params }: ConsoleVisit): Promise<Session> => {
    const found = (await sessions.list()).find(({ sessionId }) => sessionId === params['id']);
    if (!found) throw new GatehouseError({ status: 404, message: 'The session has ended.' });
    return found;
  };
  pages.show(PATH, async (visit) => {
    await scopesOfPerson(visit);
    return accessPage(visit, await sessions.list(), roles);
  });
  pages.show(`${PATH}/:id/end`, async (visit) => {
    await scopesOfPerson(visit);
    return endPage(visit, await find(visit));
  });
  pages.act(`${PATH}/:id/end`, async (visit) => {
    if (!coversScope(await scopesOfPerson(visit), 'keys:admin')) {
      throw new GatehouseError({ status: 403, message: 'Only administrators end sessions.' });
    }
    await sessions.end((await find(visit)).sessionId);
    return { path: PATH, done: 'ended' };
  });
}

function accessPage(
  visit: ConsoleVisit,
  sessions: readonly Session[],
  roleGroups: RoleGroups,
): Page {
  const { frame } = visit;
  const texts = accessTexts(frame.language);
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
      { head: texts.role, cell: ({ role }) => code(role) },
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
  return {
    title: texts.title,
    section: 'access',
    content: markup`${section(texts.sessions, list)}${section(texts.roles, rolesPart(frame, roleGroups))}`,
  };
}

/** The scopes of each role, and who has it. */
function rolesPart(frame: ConsoleFrame, roleGroups: RoleGroups): Html {
  const texts = accessTexts(frame.language);
  const groupsOf = (role: Role) =>
    roleGroups.filter(([each]) => each === role).map(([, group]) => group);
  const list = table(frame, {
    caption: texts.roles,
    rows: ROLES,
    empty: nothing,
    columns: [
      { head: texts.role, cell: (role) => code(role) },
      {
        head: texts.scopes,
        cell: (role) => scopesOf(role).map((scope) => markup`${code(scope)} `),
      },
      {
        head: texts.groups,
        cell: (role) =>
          groupsOf(role).map((each) => (each === '*' ? texts.everyone : markup`${written(each)} `)),
      },
    ],
  });
  return markup`<p class="lead">${texts.rolesText}</p>
${list}`;
}

function endPage({ frame }: ConsoleVisit, { sessionId, name }: Session): Page {
  const texts = accessTexts(frame.language);
  return confirmation(frame, {
    section: 'access',
    trail: [{ path: PATH, text: texts.title }],
    title: `${texts.end}: ${name}`,
    lead: markup`<p>${texts.endText}</p>`,
    path: `${PATH}/${sessionId}/end`,
    button: texts.end,
  });
}
