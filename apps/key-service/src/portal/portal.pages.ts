/** The pages of the portal. */
import {
  attributes,
  type Html,
  type Language,
  layout,
  markup,
  sessionForm,
  type SiteFrame,
} from '@gatehouse/pages';
import { type RateLimit } from '../store/keys/rate-limit.types.js';
import { type KeyRecord, statusOf } from '../store/keys/key.record.js';
import {
  KEYS_PATH,
  lengthOf,
  link,
  NEW_PATH,
  type SessionFrame,
  sessionPage,
  timeOf,
  written,
} from './portal-frame.js';
import { canRotate } from './portal-keys.service.js';
import { portalTexts } from './texts/texts.js';
import { type DayOfUsage, usagePart } from './usage-plot.js';

export const GRACE_SECONDS = 86_400;

/** Opens the session. Previews and scanners follow links, but submit no forms. */
export function openPage(frame: SiteFrame, secret: string): string {
  const texts = portalTexts(frame.language);
  return layout(
    { ...frame, title: texts.title },
    markup`<h1>${texts.title}</h1>
<p class="lead">${texts.openText}</p>
<p>${texts.openOnce}</p>
<form method="post"${attributes({ action: `${frame.basePath}/${secret}` })}>
<div class="actions"><button class="primary" type="submit">${texts.openButton}</button></div>
</form>`,
  );
}

export function keysPage(
  frame: SessionFrame,
  keys: readonly KeyRecord[],
  nextPageToken: string,
): string {
  const { session, language } = frame;
  const texts = portalTexts(language);
  const items = keys.map(
    (key) => markup`<li><h2>${nameLink(frame, key)}</h2>
${factsOf(frame, key)}</li>`,
  );
  const older = `${KEYS_PATH}?page_token=${encodeURIComponent(nextPageToken)}`;
  return sessionPage(
    frame,
    texts.title,
    markup`<p class="lead">${texts.listText}</p>
${session.allow.includes('create') && markup`<p>${link(frame, NEW_PATH, texts.create, 'button')}</p>`}
${items.length > 0 ? markup`<ul class="keys">${items}</ul>` : markup`<p>${texts.empty}</p>`}
${nextPageToken !== '' && markup`<p>${link(frame, older, texts.more)}</p>`}
${
  session.returnUrl !== null &&
  markup`<p><a${attributes({ href: session.returnUrl })}>${texts.leave}</a></p>`
}
<p class="hint">${untilOf(frame)}</p>`,
  );
}

/** @param sent what a submission that was refused contained */
export function newPage(
  frame: SessionFrame,
  nonce: string,
  sent?: { name: string; scopes: readonly string[] },
): string {
  const { session, language } = frame;
  const texts = portalTexts(language);
  const choices = session.scopes.map((scope, index) => {
    const id = `scope-${index}`;
    const control = attributes({
      type: 'checkbox',
      id,
      name: 'scope',
      value: index,
      checked: sent?.scopes.includes(scope),
    });
    return markup`<div class="choice"><input${control}><label${attributes({ for: id })}>${written(scope)}</label></div>`;
  });
  const field = attributes({
    type: 'text',
    id: 'name',
    name: 'name',
    maxlength: 255,
    dir: 'auto',
    autocomplete: 'off',
    required: true,
    value: sent?.name,
    'aria-describedby': sent ? 'name-fault name-hint' : 'name-hint',
    'aria-invalid': sent && 'true',
    autofocus: sent !== undefined,
  });
  const fault = markup`<p class="fault" id="name-fault"><span class="hidden">${texts.faultPrefix} </span>${texts.nameFault}</p>`;
  return sessionPage(
    frame,
    texts.newTitle,
    sessionForm(
      frame,
      KEYS_PATH,
      markup`${nonceInput(nonce)}
<div${attributes({ class: sent ? 'field has-fault' : 'field' })}><label for="name">${texts.name}</label>
<p class="hint" id="name-hint">${texts.nameHint}</p>
${sent && fault}<input${field}></div>
${
  choices.length > 0 &&
  markup`<fieldset class="field choices"><legend>${texts.scopes}</legend>${choices}</fieldset>`
}
<div class="actions"><button class="primary" type="submit">${texts.create}</button></div>
<p>${link(frame, KEYS_PATH, texts.back)}</p>`,
    ),
  );
}

/** The only page with a secret; it is '' if the form was sent before. */
export function secretPage(frame: SessionFrame, key: KeyRecord, secret: string): string {
  const texts = portalTexts(frame.language);
  const shown = markup`<p><code class="copied" translate="no">${secret}</code></p>
<p>${texts.secretOnce}</p>`;
  return sessionPage(
    frame,
    texts.secretTitle,
    markup`<p class="lead">${secret === '' ? nameLink(frame, key) : written(key.name)}</p>
<div class="token" role="status">${secret === '' ? markup`<p>${texts.secretGone}</p>` : shown}</div>
<p>${link(frame, KEYS_PATH, texts.back, 'button')}</p>`,
  );
}

/** @param usage undefined: it is not shown */
export function keyPage(
  frame: SessionFrame,
  key: KeyRecord,
  nonce: string,
  usage: readonly DayOfUsage[] | undefined,
): string {
  const { session, language } = frame;
  const texts = portalTexts(language);
  const path = `${KEYS_PATH}/${key.keyId}`;
  const status = statusOf(key);
  const isLive = status === 'KEY_STATUS_ACTIVE' || status === 'KEY_STATUS_PAUSED';
  const canReplace = status === 'KEY_STATUS_ACTIVE' && key.replacedBy === '';
  return sessionPage(
    frame,
    written(key.name),
    markup`${factsOf(frame, key)}
${usage && usagePart(language, usage)}
${canReplace && session.allow.includes('rotate') && rotatePart(frame, key, `${path}/rotate`, nonce)}
${
  isLive &&
  session.allow.includes('revoke') &&
  markup`<h2>${texts.revokeTitle}</h2><p>${texts.revokeText}</p>
${sessionForm(frame, `${path}/revoke`, markup`<button class="secondary" type="submit">${texts.revoke}</button>`)}`
}
<p>${link(frame, KEYS_PATH, texts.back)}</p>`,
  );
}

/** Makes sending a form again the same request. */
function nonceInput(nonce: string): Html {
  return markup`<input type="hidden"${attributes({ name: 'nonce', value: nonce })}>`;
}

function rotatePart(frame: SessionFrame, key: KeyRecord, path: string, nonce: string): Html {
  const texts = portalTexts(frame.language);
  if (!canRotate(frame.session, key)) return markup`<p>${texts.rotateOther}</p>`;
  const button = (grace: string, text: string) =>
    markup`<div class="actions"><button class="secondary" type="submit" name="grace"${attributes({ value: grace })}>${text}</button></div>`;
  return markup`<h2>${texts.rotateTitle}</h2><p>${texts.rotateText}</p>
${sessionForm(
  frame,
  path,
  markup`${nonceInput(nonce)}
${button(String(GRACE_SECONDS), texts.rotateLater)}${button('0', texts.rotateNow)}`,
)}`;
}

function factsOf({ language }: SessionFrame, key: KeyRecord): Html {
  const texts = portalTexts(language);
  const scopes = key.scopes.map((scope, index) => markup`${index > 0 && ', '}${written(scope)}`);
  const facts: [string, Html | string][] = [
    [texts.status, texts.statuses[statusOf(key)]],
    [texts.preview, markup`<code translate="no">${key.keyPreview}</code>`],
    [texts.created, timeOf(language, key.createTime)],
    [texts.lastUsed, key.lastUsedTime ? timeOf(language, key.lastUsedTime) : texts.never],
    [texts.expires, key.expireTime ? timeOf(language, key.expireTime) : texts.noExpiry],
    [texts.scopes, scopes.length > 0 ? markup`${scopes}` : texts.noScopes],
  ];
  if (key.rateLimits.length > 0) facts.push([texts.limits, limitsOf(language, key.rateLimits)]);
  return markup`<dl class="facts">${facts.map(([term, fact]) => markup`<div><dt>${term}</dt> <dd>${fact}</dd></div>`)}</dl>`;
}

/** Renders limits, such as "exports: 10 / 1 day". */
function limitsOf(language: Language, limits: readonly RateLimit[]): Html {
  const texts = limits.map(({ name, quota, windowSeconds }, index) => {
    const count = new Intl.NumberFormat(language).format(BigInt(quota));
    return markup`${index > 0 && ', '}${written(name)}: ${count} / ${lengthOf(language, windowSeconds)}`;
  });
  return markup`${texts}`;
}

function untilOf({ language, session }: SessionFrame): Html {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  const time = new Intl.DateTimeFormat(language, format).format(session.expireTime);
  return markup`${portalTexts(language).until(`${time} UTC`)}`;
}

function nameLink({ basePath }: SiteFrame, { keyId, name }: KeyRecord): Html {
  const href = `${basePath}${KEYS_PATH}/${keyId}`;
  return markup`<a${attributes({ href })}>${written(name)}</a>`;
}
