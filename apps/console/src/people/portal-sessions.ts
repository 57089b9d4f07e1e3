/** Sessions in which people manage their own keys. */
import { markup } from '@gatehouse/pages';
import { listOf } from '../keys/key-lookup.js';
import { actPage, areaField, confirmation, selectField, textField } from '../parts/forms.js';
import { refusalOf } from '../parts/refusal.js';
import { pathWith } from '../parts/table.js';
import { shownOnce } from '../parts/text.js';
import { duration } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages } from '../site/pages.js';
import { keysTexts } from '../texts/keys.texts.js';

const TTL_SECONDS = [900, 3_600, 28_800, 86_400];

export function portalSessions(pages: Pages): void {
  pages.show('/people/session', ({ frame, query }) => createPage(frame, query));
  pages.actOnce(
    '/people/session',
    (_visit, form) => pathWith('/people', { id: form.get('id') ?? '' }),
    async ({ frame, gatehouse }, form) => {
      const ttl = form.get('ttl') ?? undefined;
      const request = { actor_id: form.get('id') ?? '', scopes: listOf(form, 'scopes'), ttl };
      try {
        const { portal_session: session, url } = await gatehouse.portalSessions.create(request);
        return createdPage(frame, session.actor_id, url);
      } catch (error) {
        return createPage(frame, form, refusalOf(error));
      }
    },
  );
  pages.show('/people/sessions/:id/end', endPage);
  pages.act('/people/sessions/:id/end', async ({ gatehouse, params: { id: session_id = '' } }) => {
    const { actor_id: id } = await gatehouse.portalSessions.revoke({ session_id });
    return { path: pathWith('/people', { id }), done: 'ended' };
  });
}

function createPage(frame: ConsoleFrame, form: URLSearchParams, fault?: string): Page {
  const texts = keysTexts(frame.language);
  const id = form.get('id') ?? '';
  const [scopes, ttl] = [form.get('scopes') ?? '', form.get('ttl') ?? '3600s'];
  const content = [
    textField({
      name: 'id',
      label: texts.owner,
      hint: texts.ownerHint,
      value: id,
      isRequired: true,
    }),
    areaField({
      name: 'scopes',
      label: texts.newScopes,
      hint: texts.listHint,
      value: scopes,
      rows: 3,
    }),
    selectField({
      name: 'ttl',
      label: texts.linkTtl,
      value: ttl,
      choices: TTL_SECONDS.map((each) => [`${each}s`, duration(frame, each)] as const),
    }),
  ];
  const act = { path: '/people/session', button: texts.newSession, content };
  return actPage(frame, { section: 'people', trail: trailOf(frame, id), fault, ...act });
}

function createdPage(frame: ConsoleFrame, id: string, url: string): Page {
  const texts = keysTexts(frame.language);
  return {
    title: texts.newSession,
    section: 'people',
    trail: trailOf(frame, id),
    content: markup`<p class="lead">${texts.linkText}</p>
${shownOnce(frame, texts.link, url)}`,
  };
}

async function endPage({ frame, gatehouse, params }: ConsoleVisit): Promise<Page> {
  const texts = keysTexts(frame.language);
  const { id: session_id = '' } = params;
  const { actor_id: id } = await gatehouse.portalSessions.get({ session_id });
  return confirmation(frame, {
    section: 'people',
    trail: trailOf(frame, id),
    title: `${texts.end}: ${id}`,
    lead: markup`<p>${texts.endText}</p>`,
    path: `/people/sessions/${session_id}/end`,
    button: texts.end,
  });
}

function trailOf({ language }: ConsoleFrame, id: string): NonNullable<Page['trail']> {
  const people = { path: '/people', text: keysTexts(language).people };
  return id === '' ? [people] : [people, { path: pathWith('/people', { id }), text: id }];
}
