/** The frame of all setup pages: the steps, and the session that they belong to. */
import { type SetupSession } from '../links/setup-sessions.js';
import {
  attributes,
  type Html,
  layout,
  markup,
  sessionForm,
  type VisitFrame,
} from '@gatehouse/pages';
import { type Guide, guideOf, stepTitle } from '../guides/index.js';
import { setupTexts } from './texts/texts.js';

export type SessionFrame = VisitFrame<SetupSession>;

interface Step {
  title: string;
  path: string;
}

/** The guide of the provider; undefined until it is chosen. */
export function guideFor({ provider, workspace }: SetupSession): Guide | undefined {
  if (workspace) return guideOf(workspace.provider === 'google' ? 'google' : 'entra-graph');
  return provider === null ? undefined : guideOf(provider);
}

/** Path of the last step, which shows what arrives. */
export const CHECK_PATH = '/check';
export const COMPLETE_PATH = '/complete';
export const DONE_PATH = '/done';
export const PROVIDER_PATH = '/provider';
export const MAPPING_PATH = '/mapping';
export const GROUPS_PATH = '/groups';
export const ROLES_PATH = '/roles';
export const CONSENT_PATH = '/consent';
export const stepPath = (number: number): string => `/steps/${number}`;

/** @param path of this page, as one of the steps has it */
export function sessionPage(frame: SessionFrame, path: string, content: Html): string {
  const texts = setupTexts(frame.language);
  const steps = stepsOf(frame);
  const index = steps.findIndex((step) => step.path === path);
  const title = steps[index]?.title ?? texts.openTitle;
  return layout(
    { ...frame, title: `${title} – ${texts.openTitle}`, kind: 'setup' },
    markup`${guideFor(frame.session) && stepList(frame, steps, index)}
<h1>${title}</h1>
${content}`,
  );
}

/** The links to the page before, and to the one after it unless something must be done first. */
export function stepLinks(frame: SessionFrame, path: string, hasNext = true): Html {
  const texts = setupTexts(frame.language);
  const { before, after } = neighborsOf(frame, path);
  return markup`<p class="next">${
    hasNext && linkTo(frame, after, texts.next, 'button')
  } ${linkTo(frame, before, texts.back)}</p>`;
}

export function hasStep(frame: SessionFrame, path: string): boolean {
  return stepsOf(frame).some((step) => step.path === path);
}

/** The path of the step after one. */
export function pathAfter(frame: SessionFrame, path: string): string {
  return neighborsOf(frame, path).after?.path ?? CHECK_PATH;
}

function neighborsOf(frame: SessionFrame, path: string): { before?: Step; after?: Step } {
  const steps = stepsOf(frame);
  const index = steps.findIndex((step) => step.path === path);
  return { before: steps[index - 1], after: steps[index + 1] };
}

function linkTo(
  { basePath }: SessionFrame,
  step: Step | undefined,
  text: string,
  kind?: string,
): Html | undefined {
  return step && markup`<a${attributes({ class: kind, href: basePath + step.path })}>${text}</a>`;
}

/** The form of a last step without choices, which ends the setup. */
export function finishForm(frame: SessionFrame, path: string): Html {
  const { finish } = setupTexts(frame.language);
  const button = markup`<button class="primary" type="submit">${finish}</button>`;
  return sessionForm(frame, COMPLETE_PATH, formActions(frame, path, button));
}

/**
 * The buttons of the form that a page consists of, the links beside them included.
 * @param canSkip whether the form may be left out
 */
export function formActions(
  frame: SessionFrame,
  path: string,
  buttons: Html,
  canSkip = false,
): Html {
  const texts = setupTexts(frame.language);
  const { before, after } = neighborsOf(frame, path);
  return markup`<div class="actions">${buttons}${
    canSkip && linkTo(frame, after, texts.skip)
  }${linkTo(frame, before, texts.back)}</div>`;
}

function stepsOf({ language, session }: SessionFrame): Step[] {
  const texts = setupTexts(language);
  const guide = guideFor(session);
  const groups = { title: texts.groupsTitle, path: GROUPS_PATH };
  const ofGuide = (guide?.steps ?? []).flatMap((step, index) => {
    const own = { title: stepTitle(step, language), path: stepPath(index + 1) };
    // Before the consent, so that nothing else is read.
    return step.kind === 'consent' && session.allow.includes('groups') ? [groups, own] : [own];
  });
  const mapping = { title: texts.mappingTitle, path: MAPPING_PATH };
  const roles = { title: texts.rolesTitle, path: ROLES_PATH };
  const provider = { title: texts.providerTitle, path: PROVIDER_PATH };
  return [
    // The provider of a workspace directory is certain.
    ...(session.workspace ? [] : [provider]),
    ...ofGuide,
    ...(session.allow.includes('mapping') ? [mapping] : []),
    { title: texts.checkTitle, path: CHECK_PATH },
    // After the check, because groups must have arrived.
    ...(session.allow.includes('roles') ? [roles] : []),
  ];
}

/** Their number, which opens to their titles. The provider decides which they are. */
function stepList(
  { language, basePath }: SessionFrame,
  steps: readonly Step[],
  current: number,
): Html {
  const texts = setupTexts(language);
  const items = steps.map(({ title, path }, index) => {
    if (index === current) return markup`<li><span aria-current="step">${title}</span></li>`;
    return markup`<li><a${attributes({ href: basePath + path })}>${title}</a></li>`;
  });
  return markup`<nav class="steps"${attributes({ 'aria-label': texts.stepsLabel })}><details>
<summary>${texts.progress(current + 1, steps.length)}</summary><ol>${items}</ol></details></nav>`;
}
