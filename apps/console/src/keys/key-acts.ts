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

const GRACE_SECONDS = [3_600, 86_400, 604_800];

export function keyActs(pages: Pages): void {
  for (const act of ['pause', 'resume', 'undelete'] as const) {
    pages.act(`/keys/:id/${act}`, async ({ gatehouse, params: { id: key_id = '' } }) => {
      await gatehouse.keys[act]({ key_id });
      return { path: `/keys/${key_id}`, done: 'saved' };
    });
  }
  pages.show('/keys/:id/revoke', revokePage);
  pages.act('/keys/:id/revoke', async ({ gatehouse, params: { id: key_id = '' } }, form) => {
    const reason = form.get('reason') as RevocationReason;
    await gatehouse.keys.revoke({ key_id, reason });
    return { path: `/keys/${key_id}`, done: 'revoked' };
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
    section: 'keys',
    trail: trailOf(frame, key),
    title: `${texts.revoke}: ${nameOf(key)}`,
    lead: markup`<p>${texts.revokeText} ${texts.revokeUndo}</p>
<h2>${texts.hours}</h2>${usagePlot(visit, usage, 'hours')}`,
    path: `/keys/${key.key_id}/revoke`,
    button: texts.revoke,
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
    section: 'keys',
    trail: trailOf(frame, key),
    title: `${texts.rotate}: ${nameOf(key)}`,
    lead: markup`<p>${texts.rotateText}</p>`,
    path: `/keys/${key.key_id}/rotate`,
    button: texts.rotate,
    content: selectField({
      name: 'grace',
      label: texts.overlap,
      value: '86400s',
      choices: [
        ['', texts.none],
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
    content: shownOnce(frame, keysTexts(frame.language).key, secret),
  };
}

export function trailOf({ language }: ConsoleFrame, key?: Key): NonNullable<Page['trail']> {
  const keys = { path: '/keys', text: keysTexts(language).keys };
  return key ? [keys, { path: `/keys/${key.key_id}`, text: nameOf(key) }] : [keys];
}
