import {
  attributes,
  type Html,
  layout,
  markup,
  sessionForm,
  type SiteFrame,
} from '@gatehouse/pages';
import { consoleHead, type ConsoleFrame, type Page } from '../site/console-frame.js';
import { signInTexts } from '../texts/sign-in.texts.js';
import { siteTexts } from '../texts/site.texts.js';

export const KEY_FIELD = 'key';
export const RETURN_FIELD = 'return_to';

export interface SignInOptions {
  hasProvider: boolean;
  /** Where the person wanted to go, below the console. */
  returnTo: string;
  isRefused?: boolean;
  isSignedOut?: boolean;
  hasLostAccess?: boolean;
}

export function signInPage(frame: SiteFrame, options: SignInOptions): string {
  const { hasProvider, returnTo, isRefused = false, isSignedOut, hasLostAccess } = options;
  const texts = signInTexts(frame.language);
  const start = `${frame.basePath}/sign-in/start?${RETURN_FIELD}=${encodeURIComponent(returnTo)}`;
  return layout(
    { ...frame, title: texts.title, kind: 'console-sign-in', head: consoleHead(frame.basePath) },
    markup`<h1>${texts.title}</h1>
${isSignedOut && markup`<p class="done" role="status">${texts.signedOut}</p>`}
${hasLostAccess && markup`<p class="done" role="status">${texts.lostAccess}</p>`}
<p class="lead">${texts.lead}</p>
${
  hasProvider
    ? markup`<p class="next"><a class="button"${attributes({ href: start })}>${texts.withProvider}</a></p>
<details${attributes({ open: isRefused })}><summary>${texts.withKey}</summary>${keyForm(frame, returnTo, isRefused)}</details>`
    : keyForm(frame, returnTo, isRefused)
}`,
  );
}

function keyForm({ basePath, language }: SiteFrame, returnTo: string, isRefused: boolean): Html {
  const texts = signInTexts(language);
  return markup`<form method="post"${attributes({ action: `${basePath}/sign-in` })}>
<input type="hidden"${attributes({ name: RETURN_FIELD, value: returnTo })}>
<div${attributes({ class: isRefused ? 'field has-fault' : 'field' })}>
<label for="key">${texts.key}</label>
<p class="hint" id="key-hint">${texts.keyHint}</p>
${isRefused && markup`<p class="fault" id="key-fault">${texts.keyRefused}</p>`}
<input type="password" id="key" required maxlength="4096" autocomplete="current-password" spellcheck="false"${attributes(
    {
      name: KEY_FIELD,
      'aria-describedby': isRefused ? 'key-hint key-fault' : 'key-hint',
      'aria-invalid': isRefused && 'true',
      autofocus: isRefused,
    },
  )}>
</div>
<div class="actions"><button class="primary" type="submit">${texts.title}</button></div>
</form>`;
}

export function signOutPage(frame: ConsoleFrame): Page {
  const texts = signInTexts(frame.language);
  return {
    title: texts.signOutTitle,
    content: markup`<p class="lead">${texts.signOutText}</p>
${sessionForm(
  frame,
  '/sign-out',
  markup`<div class="actions"><button class="primary" type="submit">${siteTexts(frame.language).signOut}</button>
<a${attributes({ href: `${frame.basePath}/` })}>${siteTexts(frame.language).cancel}</a></div>`,
)}`,
  };
}
