/** The part of a step that leads the administrator to the provider, to consent there. */
import { attributes, type Html, markup, sessionForm } from '@gatehouse/pages';
import { CONSENT_PATH, guideFor, type SessionFrame, stepPath } from './setup-frame.js';
import { type ConsentProblem, setupTexts } from './texts/texts.js';

const COMPANIES = { google: 'Google', entra: 'Microsoft' } as const;

/** The path of the step. */
export function consentStep({ session }: SessionFrame): string {
  const steps = guideFor(session)?.steps ?? [];
  return stepPath(steps.findIndex(({ kind }) => kind === 'consent') + 1);
}

/** @param problem why the last consent connected nothing */
export function consentPart(frame: SessionFrame, problem?: ConsentProblem): Html | undefined {
  const { workspace } = frame.session;
  if (!workspace) return undefined;
  const { faultPrefix, workspace: texts } = setupTexts(frame.language);
  const { provider, consentedAt } = workspace;
  const hasConsented = consentedAt !== null;
  const fault =
    problem &&
    markup`<p class="fault" role="alert"><span class="hidden">${faultPrefix} </span>${texts.problems[problem]}</p>`;
  const button = attributes({ class: hasConsented ? 'secondary' : 'primary', type: 'submit' });
  const form = markup`${!problem && hasConsented && markup`<p>${texts.consentAgain}</p>`}
<div class="actions"><button${button}>${texts.continueTo(COMPANIES[provider])}</button></div>`;
  return markup`${fault}${sessionForm(frame, CONSENT_PATH, form)}`;
}
