/** The setup pages up to the check: opening the link, choosing the provider, the steps of its guide. */
import { SETUP_PROVIDERS } from '../links/setup.types.js';
import { attributes, Html, layout, markup, sessionForm, type SiteFrame } from '@gatehouse/pages';
import {
  type FieldValue,
  type Guide,
  type GuideStep,
  guideTexts,
  type Instruction,
  type Permission,
  pictureOf,
  SCIM_GUIDES,
  sentenceOf,
  spansOf,
} from '../guides/index.js';
import {
  guideFor,
  PROVIDER_PATH,
  type SessionFrame,
  sessionPage,
  stepLinks,
  stepPath,
} from './setup-frame.js';
import { consentPart } from './consent.part.js';
import { type ConsentProblem, setupTexts } from './texts/texts.js';

export const TOKEN_PATH = '/token';

/** Opens the link. Mail scanners follow links, but submit no forms. */
export function openPage(frame: SiteFrame, secret: string, directoryName: string): string {
  const texts = setupTexts(frame.language);
  const action = `${frame.basePath}/${secret}`;
  return layout(
    { ...frame, title: texts.openTitle, kind: 'setup' },
    markup`<h1>${texts.openTitle}</h1>
<p class="lead">${texts.openText(frame.theme.name)}</p>
<p>${texts.providerText(directoryName)} ${texts.openTime}</p>
<p>${texts.openOnce}</p>
<form method="post"${attributes({ action })}>
<div class="actions"><button class="primary" type="submit">${texts.openButton}</button></div>
</form>`,
  );
}

/** @param isMissing a submission chose none */
export function providerPage(frame: SessionFrame, isMissing = false): string {
  const { session, language } = frame;
  const texts = setupTexts(language);
  const choices = SETUP_PROVIDERS.map((id, index) => {
    const guide = SCIM_GUIDES.find((each) => each.id === id);
    const label = id === 'other' ? texts.otherProvider : (guide?.name ?? id);
    const control = attributes({
      type: 'radio',
      id: `provider-${id}`,
      name: 'provider',
      value: id,
      checked: session.provider === id,
      autofocus: isMissing && index === 0,
    });
    return markup`<div class="choice"><input${control}><label${attributes({ for: `provider-${id}` })}>${label}</label></div>`;
  });
  const fault = markup`<p class="fault" id="provider-fault"><span class="hidden">${texts.faultPrefix} </span>${texts.providerMissing}</p>`;
  return sessionPage(
    frame,
    PROVIDER_PATH,
    markup`<p class="lead">${texts.providerText(session.directoryName)}</p>
${sessionForm(
  frame,
  PROVIDER_PATH,
  markup`<fieldset role="radiogroup"${attributes({
    class: isMissing ? 'field choices has-fault' : 'field choices',
    'aria-label': texts.providerTitle,
    'aria-describedby': isMissing ? 'provider-fault' : undefined,
  })}>
${isMissing && fault}${choices}</fieldset>
<div class="actions"><button class="primary" type="submit">${texts.next}</button></div>`,
)}`,
  );
}

export interface StepOptions {
  /** A token that was just created; it is shown only in this answer. */
  token?: string;
  /** Why no token was created, in English. */
  refusal?: string;
  /** Why a consent connected nothing. */
  problem?: ConsentProblem;
}

/**
 * A step of the guide.
 *
 * @returns undefined for a step that the guide does not have
 */
export function stepPage(
  frame: SessionFrame,
  number: number,
  { token, refusal, problem }: StepOptions = {},
): string | undefined {
  const { session, language } = frame;
  const guide = guideFor(session);
  const step = guide?.steps[number - 1];
  if (!guide || !step) return undefined;
  const sentences = step.instructions.map((instruction) => {
    if (isToken(instruction) && token === undefined) {
      return markup`<li>${tokenForm(frame, instruction.field, refusal)}</li>`;
    }
    const { text, value, permissions } = sentenceOf(instruction, language);
    return markup`<li>${rich(text)}${value && markup` ${valueOf(frame, value)}`}${
      permissions && permissionList(permissions)
    }</li>`;
  });
  const words = guideTexts(language);
  const picture = pictureOf(step, words);
  const isConsent = session.workspace !== null && step.kind === 'consent';
  return sessionPage(
    frame,
    stepPath(number),
    markup`${leadOf(frame, step, guide)}
<ol class="instructions">${sentences}</ol>
${token !== undefined && tokenPart(frame, token)}
${isConsent && consentPart(frame, problem)}
${picture !== undefined && new Html(picture)}
${number === guide.steps.length && notesOf(frame, guide)}
${stepLinks(frame, stepPath(number), !isConsent || session.workspace?.consentedAt !== null)}`,
  );
}

/** Where the step is done; on the first step of a consent, for which directory and organization. */
function leadOf({ language, session }: SessionFrame, { kind }: GuideStep, guide: Guide) {
  const texts = setupTexts(language);
  if (kind === 'consent') return undefined;
  if (kind !== 'account') {
    const name = guide.id === 'other' ? texts.yourProvider : guide.name;
    return markup`<p class="lead">${texts.inProvider(name)}</p>`;
  }
  const domain = session.workspace?.domain ?? null;
  return markup`<p class="lead">${texts.providerText(session.directoryName)}${
    domain !== null && ` ${texts.workspace.accountOf(domain)}`
  }</p>`;
}

function permissionList(permissions: readonly Permission[]): Html {
  const items = permissions.map(
    ({ name, scope }) => markup`<li><b translate="no" lang="en">${name}</b> ${copied(scope)}</li>`,
  );
  return markup`<ul>${items}</ul>`;
}

/** The number of the step in which the token is entered. */
export function tokenStep(guide: Guide): number {
  return guide.steps.findIndex(({ instructions }) => instructions.some(isToken)) + 1;
}

const isToken = (instruction: Instruction): instruction is Instruction & { do: 'enter' } =>
  instruction.do === 'enter' && 'is' in instruction.value && instruction.value.is === 'token';

function valueOf({ session, language }: SessionFrame, value: FieldValue): Html {
  if ('text' in value) return copied(value.text);
  if (value.is === 'address') return copied(session.endpoint + (value.suffix ?? ''));
  return markup`<a href="#token">${setupTexts(language).yourToken}</a>`;
}

/** A value to be copied: one click selects all of it. */
const copied = (text: string): Html => markup`<code class="copied">${text}</code>`;

function tokenPart({ language }: SessionFrame, token: string): Html {
  const texts = setupTexts(language);
  return markup`<div class="token" id="token" role="status"><h2>${texts.yourToken}</h2>
<p>${copied(token)}</p>
<p>${texts.tokenOnce}</p></div>`;
}

/** The instruction to enter a token that is not there yet, with the form that creates it. */
function tokenForm(frame: SessionFrame, field: string, refusal: string | undefined): Html {
  const { session, language } = frame;
  const texts = setupTexts(language);
  const name = `**${field}**`;
  if (!session.allow.includes('token')) return rich(texts.tokenElsewhere(name));
  const form = markup`${refusal !== undefined && markup`<p class="fault" role="alert" lang="en">${refusal}</p>`}
<button class="secondary" type="submit">${texts.createToken}</button>
${session.hasToken && markup`<p class="hint">${texts.replaceToken}</p>`}`;
  return markup`${rich(texts.tokenBelow(name))}
<div class="token">${sessionForm(frame, TOKEN_PATH, form)}</div>`;
}

function notesOf({ language }: SessionFrame, { notes }: Guide): Html | undefined {
  if (notes.length === 0) return undefined;
  const items = notes.map((note) => markup`<li>${rich(note[language])}</li>`);
  return markup`<h2>${setupTexts(language).notesTitle}</h2><ul>${items}</ul>`;
}

/** A sentence with names in bold, and values. */
export function rich(sentence: string): Html {
  return markup`${spansOf(sentence).map(({ kind, text }) => {
    if (kind === 'name') return markup`<b translate="no">${text}</b>`;
    return kind === 'code' ? markup`<code>${text}</code>` : markup`${text}`;
  })}`;
}
