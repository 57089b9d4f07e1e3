/** Sessions in which people manage their own keys. */
import { markup } from '@gatehouse/pages';
import { listOf } from '../keys/key-lookup.js';
import { actForm, areaField, confirmation, selectField, textField } from '../parts/forms.js';
import { refusal, refusalOf } from '../parts/refusal.js';
import { pathWith } from '../parts/table.js';
import { shownOnce } from '../parts/text.js';
import { duration } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages } from '../site/pages.js';
import { keysTexts } from '../texts/keys.texts.js';
import { peopleTexts } from '../texts/people.texts.js';

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
    return { path: pathWith('/people', { id }), done: 'session-ended' };
  });
}

function createPage(frame: ConsoleFrame, form: URLSearchParams, fault?: string): Page {
  const texts = peopleTexts(frame.language);
  const { owner, ownerHint, listHint } = keysTexts(frame.language);
  const id = form.get('id') ?? '';
  const [scopes, ttl] = [form.get('scopes') ?? '', form.get('ttl') ?? '3600s'];
  const content = [
    textField({ name: 'id', label: owner, hint: ownerHint, value: id, isRequired: true }),
    areaField({ name: 'scopes', label: texts.scopes, hint: listHint, value: scopes, rows: 3 }),
    selectField({
      name: 'ttl',
      label: texts.ttl,
      value: ttl,
      choices: TTL_SECONDS.map((each) => [`${each}s`, duration(frame, each)] as const),
    }),
  ];
  const cancel = pathWith('/people', { id });
  return {
    title: texts.newSession,
    section: 'people',
    trail: trailOf(frame, id),
    status: fault === undefined ? 200 : 400,
    content: markup`${refusal(fault)}
${actForm(frame, { path: '/people/session', button: texts.newSession, content, cancel })}`,
  };
}

function createdPage(frame: ConsoleFrame, id: string, url: string): Page {
  const texts = peopleTexts(frame.language);
  return {
    title: texts.newSession,
    section: 'people',
    trail: trailOf(frame, id),
    content: markup`<p class="lead">${texts.linkText}</p>
${shownOnce(frame, texts.link, url)}`,
  };
}

async function endPage({ frame, gatehouse, params }: ConsoleVisit): Promise<Page> {
  const texts = peopleTexts(frame.language);
  const { id: session_id = '' } = params;
  const { actor_id: id } = await gatehouse.portalSessions.get({ session_id });
  return confirmation(frame, {
    title: `${texts.end}: ${id}`,
    section: 'people',
    trail: trailOf(frame, id),
    consequences: markup`<p>${texts.endText}</p>`,
    path: `/people/sessions/${session_id}/end`,
    button: texts.end,
    cancel: pathWith('/people', { id }),
  });
}

function trailOf({ language }: ConsoleFrame, id: string): NonNullable<Page['trail']> {
  const people = { path: '/people', text: peopleTexts(language).title };
  return id === '' ? [people] : [people, { path: pathWith('/people', { id }), text: id }];
}
