/** The last step: what has arrived, and what to change for requests that were refused. */
import { type RefusedRequest, type SetupProof } from '../links/setup-proof.js';
import { attributes, type Html, type Language, markup, utcTime } from '@gatehouse/pages';
import { adviceFor, GUIDE_IDS, guideOf, type ScimGuide } from '../guides/index.js';
import {
  CHECK_PATH,
  finishForm,
  guideFor,
  type SessionFrame,
  sessionPage,
  stepLinks,
} from './setup-frame.js';
import { rich } from './setup.pages.js';
import { setupTexts } from './texts/texts.js';

/** Not below five seconds; each page reads the database. */
export const REFRESH_SECONDS = 10;

export interface CheckOptions {
  /** Whether the page loads itself again. */
  refreshes: boolean;
}

/** Whether everything has arrived that can. */
export function isProven({ isConnected, hasUsers, hasGroups }: SetupProof): boolean {
  return isConnected && hasUsers && hasGroups;
}

export function checkPage(
  frame: SessionFrame,
  proof: SetupProof,
  { refreshes }: CheckOptions,
): string {
  const { language, session } = frame;
  const texts = setupTexts(language);
  const chosen = guideFor(session);
  const guide = chosen?.kind === 'scim' ? chosen : guideOf('other');
  const stateOf = (isSeen: boolean) => (isSeen ? texts.seen : texts.notSeen);
  const requestState =
    proof.hasRequest && !proof.isConnected ? texts.seenRefused : stateOf(proof.hasRequest);
  return sessionPage(
    frame,
    CHECK_PATH,
    markup`<p class="lead">${texts.checkText}</p>
${refreshLine(frame, refreshes, isProven(proof))}
<ul class="checks">
${check(texts.checks.request, proof.isConnected, requestState)}
${check(texts.checks.user, proof.hasUsers, stateOf(proof.hasUsers))}
${check(texts.checks.group, proof.hasGroups, stateOf(proof.hasGroups), texts.groupOptional)}
</ul>
${strangerLine(language, proof, guide)}
${refusals(language, guide, proof.refused)}
${!proof.isConnected && markup`<p>${texts.finishLater(utcTime(language, session.expiresAt))}</p>`}
${proof.isConnected && !session.allow.includes('roles') ? finishForm(frame, CHECK_PATH) : stepLinks(frame, CHECK_PATH)}`,
  );
}

/** One thing that must be seen. @param hint while it is not */
export function check(name: string, isSeen: boolean, state: string, hint?: string): Html {
  return markup`<li${attributes({ class: isSeen ? 'is-seen' : undefined })}><span class="sign" aria-hidden="true">${
    isSeen ? '✓' : '…'
  }</span><span><b>${name}</b>: ${state}${!isSeen && hint !== undefined && markup`<br><span class="optional">${hint}</span>`}</span></li>`;
}

export function refreshLine(
  { language, basePath }: SessionFrame,
  refreshes: boolean,
  isDone: boolean,
): Html | undefined {
  if (isDone) return undefined;
  const texts = setupTexts(language);
  const href = basePath + CHECK_PATH;
  return refreshes
    ? markup`<p class="refresh">${texts.refreshing(REFRESH_SECONDS)} <a${attributes({ href: `${href}?refresh=off` })}>${texts.stopRefreshing}</a></p>`
    : markup`<p class="refresh"><a${attributes({ href: `${href}?refresh=off` })}>${texts.checkAgain}</a> <a${attributes({ href })}>${texts.startRefreshing}</a></p>`;
}

/** Requests of another provider than the one chosen: its steps would not fit. */
function strangerLine(
  language: Language,
  { recognizedProvider }: SetupProof,
  guide: ScimGuide,
): Html | undefined {
  const recognized = GUIDE_IDS.find((id) => id === recognizedProvider);
  if (!recognized || recognized === guide.id || guide.id === 'other') return undefined;
  const text = setupTexts(language).otherRecognized(guideOf(recognized).name, guide.name);
  return markup`<p class="fault">${text}</p>`;
}

function refusals(
  language: Language,
  guide: ScimGuide,
  refused: readonly RefusedRequest[],
): Html | undefined {
  if (refused.length === 0) return undefined;
  const texts = setupTexts(language);
  const items = refused.map((request) => {
    const { method, path, status, scimType, detail, count, lastAt } = request;
    const answer = [status, scimType].filter((part) => part !== null).join(' ');
    return markup`<li><p><code>${method} ${path}</code> → <b>${answer}</b>, ${utcTime(language, lastAt)}${count > 1 && ` (${texts.times(count)})`}</p>
${detail !== null && markup`<p class="detail" lang="en">${detail}</p>`}
<p>${rich(adviceFor(guide, request, language))}</p></li>`;
  });
  return markup`<section class="refused"><h2>${texts.refusedTitle}</h2><p>${texts.refusedText}</p><ul>${items}</ul></section>`;
}
