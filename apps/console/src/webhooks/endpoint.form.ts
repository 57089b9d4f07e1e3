/** The form of an endpoint, new or changed. Its fields are shown again as they were sent. */
import { markup } from '@gatehouse/pages';
import { actPage, checkField, textField } from '../parts/forms.js';
import { type ConsoleFrame, type Page } from '../site/console-frame.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { type Endpoint, type WebhookSource } from './webhook-source.js';

export function formOf({ url, types, logs_attempts }: Endpoint): URLSearchParams {
  const form = new URLSearchParams({ url });
  for (const type of types ?? []) form.append('types', type);
  if (logs_attempts) form.append('logs_attempts', 'yes');
  return form;
}

/** What a service is sent. It checks the types. */
export function fieldsOf(form: URLSearchParams) {
  const types = form.getAll('types');
  return {
    url: form.get('url') ?? '',
    types: types.length === 0 ? null : (types as never[]),
    logs_attempts: form.has('logs_attempts'),
  };
}

export interface EndpointFormOptions {
  readonly path: string;
  readonly title: string;
  readonly trail: NonNullable<Page['trail']>;
  readonly form: URLSearchParams;
  /** Why the service refused it. */
  readonly fault: string | undefined;
}

export function endpointForm(
  frame: ConsoleFrame,
  { types }: WebhookSource,
  { form, ...page }: EndpointFormOptions,
): Page {
  const texts = webhooksTexts(frame.language);
  const chosen = form.getAll('types');
  const content = markup`${textField({
    name: 'url',
    label: texts.address,
    type: 'url',
    maxLength: 2_048,
    isRequired: true,
    value: form.get('url') ?? '',
  })}
<fieldset class="field choices"><legend>${texts.types}</legend><p class="hint">${texts.typesHint}</p>
${types.map((type) => checkField({ name: 'types', label: type, value: type }, chosen.includes(type)))}</fieldset>
<div class="field">${checkField({ name: 'logs_attempts', label: texts.logs }, form.has('logs_attempts'))}</div>`;
  return actPage(frame, { section: 'webhooks', ...page, button: texts.save, content });
}
