/** The credits of a key, and how they are changed. */
import { markup } from '@gatehouse/pages';
import { actForm, checkField, confirmation, textField } from '../parts/forms.js';
import { refusal, refusalOf } from '../parts/refusal.js';
import { buttonLink, section } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { type Act, type ConsoleVisit, type Pages } from '../site/pages.js';
import { keysTexts } from '../texts/keys.texts.js';
import { trailOf } from './key-acts.js';
import { findKey, nameOf } from './key-lookup.js';
import { creditFacts } from './key.page.js';

export function keyCredits(pages: Pages): void {
  pages.show('/keys/:id/credits', (visit) => creditsPage(visit, new URLSearchParams()));
  const changed =
    (
      change: (visit: ConsoleVisit, form: URLSearchParams, key_id: string) => Promise<unknown>,
    ): Act =>
    async (visit, form) => {
      try {
        await change(visit, form, visit.params['id'] ?? '');
      } catch (error) {
        return creditsPage(visit, form, refusalOf(error));
      }
      return { path: pathOf(visit), done: 'saved' };
    };
  pages.actOnce(
    '/keys/:id/credits/add',
    pathOf,
    changed(({ gatehouse }, form, key_id) =>
      gatehouse.keys.addCredits({ key_id, amount: textOf(form, 'amount') }),
    ),
  );
  pages.act(
    '/keys/:id/credits/set',
    changed(({ gatehouse }, form, key_id) => {
      const [amount, interval] = [textOf(form, 'refill_amount'), textOf(form, 'refill_interval')];
      return gatehouse.keys.setCredits({
        key_id,
        remaining: textOf(form, 'remaining') || undefined,
        refill: amount || interval ? { amount, interval } : undefined,
        strict: form.has('strict'),
      });
    }),
  );
  pages.act(
    '/keys/:id/credits/remove',
    changed(({ gatehouse }, _form, key_id) => gatehouse.keys.removeCredits({ key_id })),
  );
  pages.show('/keys/:id/credits/remove', removePage);
}

function pathOf({ params }: ConsoleVisit): string {
  return `/keys/${params['id']}/credits`;
}

async function creditsPage(
  visit: ConsoleVisit,
  form: URLSearchParams,
  fault?: string,
): Promise<Page> {
  const { frame } = visit;
  const texts = keysTexts(frame.language);
  const found = await findKey(visit);
  const { key } = found;
  const path = `/keys/${key.key_id}/credits`;
  const { credits } = key;
  const text = (name: string, label: string, stored = '', hint?: string) =>
    textField({ name, label, hint, value: form.get(name) ?? stored });
  const { remaining, refill, strict } = credits ?? {};
  const add = text('amount', texts.amount);
  const set = [
    text('remaining', texts.remaining, remaining),
    text('refill_amount', texts.refillAmount, refill?.amount),
    text('refill_interval', texts.refillInterval, refill?.interval, texts.refillHint),
    checkField({ name: 'strict', label: texts.strict }, strict),
  ];
  return {
    title: `${texts.credits}: ${nameOf(key)}`,
    section: 'keys',
    trail: trailOf(frame, key),
    status: fault === undefined ? 200 : 400,
    content: markup`${refusal(fault)}
${creditFacts(frame, found)}
<div class="columns">${[
      credits &&
        section(
          texts.add,
          actForm(frame, { path: `${path}/add`, button: texts.add, content: add }),
        ),
      section(texts.set, actForm(frame, { path: `${path}/set`, button: texts.set, content: set })),
    ]}</div>
${credits && buttonLink(frame, `${path}/remove`, texts.remove)}`,
  };
}

async function removePage(visit: ConsoleVisit): Promise<Page> {
  const { frame } = visit;
  const texts = keysTexts(frame.language);
  const found = await findKey(visit);
  return confirmation(frame, {
    section: 'keys',
    trail: trailOf(frame, found.key),
    title: `${texts.remove}: ${nameOf(found.key)}`,
    lead: markup`<p>${texts.removeText}</p>${creditFacts(frame, found)}`,
    path: `/keys/${found.key.key_id}/credits/remove`,
    button: texts.remove,
  });
}

function textOf(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? '';
}
