/** The pages that ask before a key stops working. */
import { type Html, markup, sessionForm } from '@gatehouse/pages';
import { type KeyRecord } from '../store/keys/key.record.js';
import {
  KEYS_PATH,
  link,
  previewOf,
  type SessionFrame,
  sessionPage,
  written,
} from './portal-frame.js';
import { nonceInput } from './portal.pages.js';
import { portalTexts } from './texts/texts.js';

export function revokePage(frame: SessionFrame, key: KeyRecord): string {
  const { revokeQuestion, revokeText, revokeUndo, revoke } = portalTexts(frame.language);
  // An administrator cannot take back the end of a key that was replaced.
  const text = key.replacedBy === '' ? `${revokeText} ${revokeUndo}` : revokeText;
  return questionPage(frame, key, { title: revokeQuestion, text, path: 'revoke', button: revoke });
}

/** @param nonce of the form that asked, so that sending either again is the same request */
export function replacePage(frame: SessionFrame, key: KeyRecord, nonce: string): string {
  const { replaceQuestion, replaceText, replace } = portalTexts(frame.language);
  const grace = markup`<input type="hidden" name="grace" value="0">`;
  return questionPage(frame, key, {
    title: replaceQuestion,
    text: replaceText,
    path: 'rotate',
    button: replace,
    fields: markup`${nonceInput(nonce)}${grace}`,
  });
}

interface Question {
  title: string;
  text: string;
  path: string;
  button: string;
  fields?: Html;
}

function questionPage(
  frame: SessionFrame,
  { keyId, name, keyPreview }: KeyRecord,
  { title, text, path, button, fields }: Question,
): string {
  const ofKey = `${KEYS_PATH}/${keyId}`;
  const form = markup`${fields}
<div class="actions"><button class="primary warning" type="submit">${button}</button>
${link(frame, ofKey, portalTexts(frame.language).cancel)}</div>`;
  return sessionPage(
    frame,
    title,
    markup`<p class="lead">${written(name)} ${previewOf(keyPreview)}</p>
<p>${text}</p>
${sessionForm(frame, `${ofKey}/${path}`, form)}`,
  );
}
