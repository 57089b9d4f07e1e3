/** The last step of a workspace directory: the consent, and what is read with it. */
import { type SetupReading, type SetupRun } from '../links/setup-consents.js';
import { attributes, type Html, type Language, markup, utcTime } from '@gatehouse/pages';
import { guideOf } from '../guides/index.js';
import { check, type CheckOptions, refreshLine } from './check.page.js';
import { consentStep } from './consent.part.js';
import {
  CHECK_PATH,
  finishForm,
  guideFor,
  type SessionFrame,
  sessionPage,
  stepLinks,
} from './setup-frame.js';
import { setupTexts } from './texts/texts.js';

/** Whether everything has been read that will be. */
export function isRead({ run }: SetupReading): boolean {
  return run?.state === 'succeeded';
}

export function readingPage(
  frame: SessionFrame,
  reading: SetupReading,
  { refreshes }: CheckOptions,
): string {
  const { language, session } = frame;
  const { notSeen, workspace: texts } = setupTexts(language);
  const { hasConsented, isConnected, run } = reading;
  const guide = guideFor(session) ?? guideOf('google');
  const item = (name: string, count = 0) => {
    const isSeen = count > 0 || isRead(reading);
    if (isSeen && run?.isUnchanged) return check(name, isSeen, texts.same);
    return check(name, isSeen, isSeen ? texts.read(numberOf(count, language)) : notSeen);
  };
  return sessionPage(
    frame,
    CHECK_PATH,
    markup`<p class="lead">${texts.checkText(guide.name)}</p>
${refreshLine(frame, refreshes, isRead(reading))}
<ul class="checks">
${check(texts.checks.consent, hasConsented, hasConsented ? texts.given : notSeen)}
${item(texts.checks.users, run?.users)}
${item(texts.checks.groups, run?.groups)}
</ul>
${run && runPart(frame, run)}
${reading.hasNoGroup && markup`<p class="fault" role="status">${texts.noneFound}</p>`}
${!isConnected && markup`<p>${texts.finishLater(utcTime(language, session.expiresAt))}</p>`}
${isConnected && !session.allow.includes('roles') ? finishForm(frame, CHECK_PATH) : stepLinks(frame, CHECK_PATH)}`,
  );
}

/** The progress of the run, and what to do if it fails. */
function runPart(frame: SessionFrame, run: SetupRun): Html {
  const { workspace: texts } = setupTexts(frame.language);
  const { state, error, needsConsent, isUnchanged } = run;
  if (state === 'failed') {
    const href = frame.basePath + consentStep(frame);
    return markup`<section class="refused" role="status"><p>${texts.run.failed}</p>${reasonOf(error)}
<p>${needsConsent ? texts.whatToDo.consent : texts.whatToDo.account}</p>
<p><a${attributes({ href })}>${texts.toConsent}</a></p></section>`;
  }
  const isPaused =
    error !== null && (state === 'queued' || state === 'listing' || state === 'applying');
  if (isPaused) return markup`<p>${texts.run.paused}</p>${reasonOf(error)}`;
  const isSame = state === 'succeeded' && isUnchanged;
  return markup`<p role="status">${isSame ? texts.run.unchanged : texts.run[state]}</p>${
    state === 'succeeded' && reasonOf(error)
  }`;
}

/** As the run has it, which is for administrators. */
function reasonOf(error: string | null): Html | undefined {
  return error === null ? undefined : markup`<p class="detail" lang="en">${error}</p>`;
}

function numberOf(count: number, language: Language): string {
  return new Intl.NumberFormat(language).format(count);
}
