/** Sending a part of the log to an endpoint again. */
import { markup } from '@gatehouse/pages';
import { actPage, selectField, textField } from '../parts/forms.js';
import { utcOfField } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit } from '../site/pages.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { titleOf } from './endpoint.page.js';
import { endpointPath, requireId, sourceOf } from './webhook-source.js';

const SECONDS = { hour: 3_600, day: 86_400 } as const;

/** @param fault why the service refused the form */
export async function replayPage(
  visit: ConsoleVisit,
  form = new URLSearchParams(),
  fault?: string,
): Promise<Page> {
  const { frame, params } = visit;
  const texts = webhooksTexts(frame.language);
  const source = sourceOf(visit);
  const id = requireId(params['id']);
  const endpoint = await source.endpoints.get({ id });
  const path = endpointPath(source.id, id);
  const { failing_since: since } = endpoint;
  const timeField = (name: 'from' | 'until') =>
    textField({
      name,
      label: texts[name],
      hint: texts.utc,
      type: 'datetime-local',
      value: form.get(name) ?? '',
    });
  const content = markup`${selectField({
    name: 'window',
    label: texts.window,
    value: form.get('window') ?? undefined,
    choices: [
      // A time, because the endpoint may recover before the form is sent.
      ...(since === null ? [] : [[since, texts.sinceFailure] as const]),
      ['hour', texts.lastHour],
      ['day', texts.lastDay],
      ['range', texts.range],
    ],
  })}
${timeField('from')}
${timeField('until')}`;
  return actPage(frame, {
    section: 'webhooks',
    trail: [
      { path: '/webhooks', text: texts.endpoints },
      { path, text: titleOf(frame, endpoint) },
    ],
    lead: markup`<p>${texts.replayText}</p>`,
    fault,
    path: `${path}/replay`,
    button: texts.replay,
    content,
  });
}

/** The part of the log that a form means. */
export function windowOf(form: URLSearchParams): { from_time: string; until?: string } {
  const chosen = form.get('window') ?? 'range';
  if (chosen === 'hour' || chosen === 'day') {
    return { from_time: new Date(Date.now() - SECONDS[chosen] * 1_000).toISOString() };
  }
  if (chosen !== 'range') return { from_time: chosen };
  return { from_time: utcOfField(form.get('from')) ?? '', until: utcOfField(form.get('until')) };
}
