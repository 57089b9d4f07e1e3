/** The pages of the portal. */
import {
  attributes,
  frameTexts,
  type Html,
  type Language,
  layout,
  markup,
  sessionForm,
  type SiteFrame,
  utcTime,
} from '@gatehouse/pages';
import { type DomainError } from '@gatehouse/kit/errors';
import { type RateLimit } from '../store/keys/rate-limit.types.js';
import { KeyErrors } from '../errors.js';
import { type KeyRecord, statusOf } from '../store/keys/key.record.js';
import {
  KEYS_PATH,
  lengthOf,
  limitText,
  link,
  nameOf,
  NEW_PATH,
  previewOf,
  type SessionFrame,
  sessionPage,
  timeOf,
  written,
} from './portal-frame.js';
import { canRotate } from './portal-keys.service.js';
import { portalTexts } from './texts/texts.js';
import { type DayOfUsage, usagePart } from './usage-plot.js';

export const GRACE_SECONDS = 86_400;
/** A form that has it asks for the page that confirms it. */
export const ASK_FIELD = 'ask';
/** How long administrators can take a revocation back. */
const UNDO_MS = 3_600_000;

/** Opens the session. Previews and scanners follow links, but submit no forms. */
export function openPage(frame: SiteFrame, secret: string): string {
  const texts = portalTexts(frame.language);
  return layout(
    { ...frame, title: texts.title, kind: 'portal' },
    markup`<h1>${texts.title}</h1>
<p class="lead">${texts.openText}</p>
<p>${texts.openOnce}</p>
<form method="post"${attributes({ action: `${frame.basePath}/${secret}` })}>
<div class="actions"><button class="primary" type="submit">${texts.openButton}</button></div>
</form>`,
  );
}

export interface KeysOptions {
  keys: readonly KeyRecord[];
  nextPageToken: string;
  /** Why no key can be created now. */
  limit?: DomainError;
}

export function keysPage(frame: SessionFrame, { keys, nextPageToken, limit }: KeysOptions): string {
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
${session.allow.includes('create') && createPart(frame, limit)}
${items.length > 0 ? markup`<ul class="keys">${items}</ul>` : markup`<p>${texts.empty}</p>`}
${nextPageToken !== '' && markup`<p>${link(frame, older, texts.more)}</p>`}
${
  session.returnUrl !== null &&
  markup`<p><a${attributes({ href: session.returnUrl })}>${frameTexts(language).toApplication}</a></p>`
}
<p class="hint">${untilOf(frame)}</p>`,
  );
}

function createPart(frame: SessionFrame, limit: DomainError | undefined): Html {
  if (limit) return markup`<p>${limitAdvice(frame, limit)}</p>`;
  return markup`<p>${link(frame, NEW_PATH, portalTexts(frame.language).create, 'button')}</p>`;
}

/** Which limit is reached, and what the session allows to do about it. */
function limitAdvice({ language, session }: SessionFrame, limit: DomainError): string {
  const text = limitText(language, limit);
  const isRevokable =
    limit.code === KeyErrors.PORTAL_KEYS_LIMIT_REACHED.code && session.allow.includes('revoke');
  return isRevokable ? `${text} ${portalTexts(language).keysLimitRevoke}` : text;
}

export interface NewKeyOptions {
  /** The fields of a submission that was refused. */
  sent?: { name: string; scopes: readonly string[] };
  /** Why no key can be created now. */
  limit?: DomainError;
}

export function newPage(
  frame: SessionFrame,
  nonce: string,
  { sent, limit }: NewKeyOptions = {},
): string {
  const { session, language } = frame;
  const texts = portalTexts(language);
  // Waiting does not help, unlike with the other limit.
  if (!sent && limit?.code === KeyErrors.PORTAL_KEYS_LIMIT_REACHED.code) {
    const content = markup`<p class="lead">${limitAdvice(frame, limit)}</p>
<p>${link(frame, KEYS_PATH, texts.back, 'button')}</p>`;
    return sessionPage(frame, texts.newTitle, content);
  }
  const isFaulty = sent !== undefined && !limit;
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
    'aria-describedby': isFaulty ? 'name-fault name-hint' : 'name-hint',
    'aria-invalid': isFaulty && 'true',
    autofocus: isFaulty,
  });
  const fault = markup`<p class="fault" id="name-fault"><span class="hidden">${texts.faultPrefix} </span>${texts.nameFault}</p>`;
  return sessionPage(
    frame,
    texts.newTitle,
    markup`${limit && markup`<p class="fault" role="alert">${limitAdvice(frame, limit)}</p>`}
${sessionForm(
  frame,
  KEYS_PATH,
  markup`${nonceInput(nonce)}
<div${attributes({ class: isFaulty ? 'field has-fault' : 'field' })}><label for="name">${texts.name}</label>
<p class="hint" id="name-hint">${texts.nameHint}</p>
${isFaulty && fault}<input${field}></div>
${
  choices.length > 0 &&
  markup`<fieldset class="field choices"><legend>${texts.scopes}</legend>
<p class="hint">${texts.scopesHint}</p>${choices}</fieldset>`
}
<div class="actions"><button class="primary" type="submit">${texts.create}</button>
${link(frame, KEYS_PATH, texts.back)}</div>`,
)}`,
  );
}

/**
 * The only page with a secret; it is '' if the form was sent before.
 * @param isReplaced whether the key before it has ended with this
 */
export function secretPage(
  frame: SessionFrame,
  key: KeyRecord,
  secret: string,
  isReplaced = false,
): string {
  const texts = portalTexts(frame.language);
  const advice = lostAdvice(frame, key);
  const shown = markup`<p><code class="copied" translate="no">${secret}</code></p>
<p>${texts.secretOnce} ${advice}</p>`;
  return sessionPage(
    frame,
    texts.secretTitle,
    markup`<p class="lead">${secret === '' ? nameLink(frame, key) : nameOf(key)}</p>
${isReplaced && markup`<p>${texts.replaced}</p>`}
<div class="token" role="status">${secret === '' ? markup`<p>${texts.secretGone} ${advice}</p>` : shown}</div>
<p>${link(frame, KEYS_PATH, texts.back, 'button')}</p>`,
  );
}

/** What the session allows to do about a lost secret. */
function lostAdvice({ language, session }: SessionFrame, key: KeyRecord): string {
  const { lostReplace, lostCreate } = portalTexts(language);
  if (isReplaceable(key) && canRotate(session, key)) return lostReplace;
  return session.allow.includes('create') ? lostCreate : '';
}

function isReplaceable(key: KeyRecord): boolean {
  return statusOf(key) === 'KEY_STATUS_ACTIVE' && key.replacedBy === '';
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
  return sessionPage(
    frame,
    nameOf(key),
    markup`${canBeUndone(key) && markup`<p class="token" role="status">${texts.revoked}</p>`}
${factsOf(frame, key)}
${usage && usagePart(language, usage)}
${isReplaceable(key) && session.allow.includes('rotate') && rotatePart(frame, key, `${path}/rotate`, nonce)}
${
  isLive &&
  session.allow.includes('revoke') &&
  markup`<h2>${texts.revokeTitle}</h2><p>${texts.revokeText}</p>
${sessionForm(frame, `${path}/revoke`, markup`<button class="secondary" type="submit" name="${ASK_FIELD}" value="1">${texts.revoke}</button>`)}`
}
<p>${link(frame, KEYS_PATH, texts.back)}</p>`,
  );
}

/** Whether an administrator can take back the revocation of a key. */
function canBeUndone({ revokeTime, replacedBy }: KeyRecord): boolean {
  return revokeTime !== null && replacedBy === '' && Date.now() - revokeTime.getTime() < UNDO_MS;
}

/** Makes sending a form again the same request. */
export function nonceInput(nonce: string): Html {
  return markup`<input type="hidden"${attributes({ name: 'nonce', value: nonce })}>`;
}

function rotatePart(frame: SessionFrame, key: KeyRecord, path: string, nonce: string): Html {
  const texts = portalTexts(frame.language);
  if (!canRotate(frame.session, key)) return markup`<p>${texts.rotateOther}</p>`;
  const later = { class: 'secondary', type: 'submit', name: 'grace', value: String(GRACE_SECONDS) };
  return markup`<h2>${texts.rotateTitle}</h2><p>${texts.rotateText}</p>
${sessionForm(
  frame,
  path,
  markup`${nonceInput(nonce)}
<div class="actions"><button${attributes(later)}>${texts.rotateLater}</button></div>`,
)}
${sessionForm(
  frame,
  path,
  markup`${nonceInput(nonce)}<input type="hidden" name="grace" value="0">
<div class="actions"><button class="secondary" type="submit" name="${ASK_FIELD}" value="1">${texts.rotateNow}</button></div>`,
)}`;
}

function factsOf({ language }: SessionFrame, key: KeyRecord): Html {
  const texts = portalTexts(language);
  const scopes = key.scopes.map((scope, index) => markup`${index > 0 && ', '}${written(scope)}`);
  const facts: [string, Html | string][] = [
    [texts.status, texts.statuses[statusOf(key)]],
    [texts.preview, previewOf(key.keyPreview)],
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
  return markup`${portalTexts(language).until(utcTime(language, session.expireTime))}`;
}

function nameLink({ basePath }: SiteFrame, key: KeyRecord): Html {
  const href = `${basePath}${KEYS_PATH}/${key.keyId}`;
  return markup`<a${attributes({ href })}>${nameOf(key)}</a>`;
}
