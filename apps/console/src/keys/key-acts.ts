/** Acts that change the state of a key. */
import { type RevocationReason } from '@gatehouse/client';
import { markup } from '@gatehouse/pages';
import { filterOf } from '../parts/filter.js';
import { confirmation, selectField } from '../parts/forms.js';
import { shownOnce } from '../parts/text.js';
import { duration } from '../parts/time.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages } from '../site/pages.js';
import { keysTexts } from '../texts/keys.texts.js';
import { findKey, type Key, nameOf } from './key-lookup.js';
import { usageOf, usagePlot } from './key-usage.js';

const STATE_ACTS = [
  ['pause', 'key-paused'],
  ['resume', 'key-resumed'],
  ['undelete', 'key-undeleted'],
] as const;
const GRACE_SECONDS = [3_600, 86_400, 604_800];

export function keyActs(pages: Pages): void {
  for (const [act, done] of STATE_ACTS) {
    pages.act(`/keys/:id/${act}`, async ({ gatehouse, params: { id: key_id = '' } }) => {
      await gatehouse.keys[act]({ key_id });
      return { path: `/keys/${key_id}`, done };
    });
  }
  pages.show('/keys/:id/revoke', revokePage);
  pages.act('/keys/:id/revoke', async ({ gatehouse, params: { id: key_id = '' } }, form) => {
    const reason = form.get('reason') as RevocationReason;
    await gatehouse.keys.revoke({ key_id, reason });
    return { path: `/keys/${key_id}`, done: 'key-revoked' };
  });
  pages.show('/keys/:id/rotate', async (visit) =>
    rotatePage(visit.frame, (await findKey(visit)).key),
  );
  pages.actOnce(
    '/keys/:id/rotate',
    ({ params }) => `/keys/${params['id']}`,
    async ({ frame, gatehouse, params: { id: key_id = '' } }, form) => {
      const grace_period = form.get('grace') || undefined;
      const { issued_api_key: key, secret } = await gatehouse.keys.rotate({ key_id, grace_period });
      return secretPage(frame, key, secret);
    },
  );
}

async function revokePage(visit: ConsoleVisit): Promise<Page> {
  const { frame, params } = visit;
  const texts = keysTexts(frame.language);
  const [{ key }, usage] = await Promise.all([
    findKey(visit),
    usageOf(visit, filterOf({ key_id: params['id'] ?? '' }), 'hours'),
  ]);
  return confirmation(frame, {
    title: texts.revokeTitle(nameOf(key)),
    section: 'keys',
    trail: trailOf(frame, key),
    consequences: markup`<p>${texts.revokeText} ${texts.revokeUndo}</p>
<h2>${texts.hours}</h2>${usagePlot(visit, usage, 'hours')}`,
    path: `/keys/${key.key_id}/revoke`,
    button: texts.revoke,
    cancel: `/keys/${key.key_id}`,
    content: selectField({
      name: 'reason',
      label: texts.reason,
      choices: Object.entries(texts.reasons),
    }),
  });
}

function rotatePage(frame: ConsoleFrame, key: Key): Page {
  const texts = keysTexts(frame.language);
  return confirmation(frame, {
    title: texts.rotateTitle(nameOf(key)),
    section: 'keys',
    trail: trailOf(frame, key),
    consequences: markup`<p>${texts.rotateText}</p>`,
    path: `/keys/${key.key_id}/rotate`,
    button: texts.rotate,
    cancel: `/keys/${key.key_id}`,
    content: selectField({
      name: 'grace',
      label: texts.grace,
      value: '86400s',
      choices: [
        ['', texts.noGrace],
        ...GRACE_SECONDS.map((each) => [`${each}s`, duration(frame, each)] as const),
      ],
    }),
  });
}

/** A key with its secret. */
export function secretPage(frame: ConsoleFrame, key: Key, secret: string): Page {
  return {
    title: nameOf(key),
    section: 'keys',
    trail: trailOf(frame, key),
    content: shownOnce(frame, keysTexts(frame.language).preview, secret),
  };
}

export function trailOf({ language }: ConsoleFrame, key?: Key): NonNullable<Page['trail']> {
  const keys = { path: '/keys', text: keysTexts(language).title };
  return key ? [keys, { path: `/keys/${key.key_id}`, text: nameOf(key) }] : [keys];
}
