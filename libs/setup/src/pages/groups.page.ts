/** The page that chooses the groups of a workspace that the application reads. */
import { type SetupGroupChoice } from '../links/setup-groups.js';
import { attributes, type Html, markup, sessionForm } from '@gatehouse/pages';
import { formActions, GROUPS_PATH, type SessionFrame, sessionPage } from './setup-frame.js';
import { setupTexts } from './texts/texts.js';

export const GROUP_FIELDS = { etag: 'etag', choice: 'choice', names: 'names' };
export const ALL = 'all';
const SOME = 'some';
const NAMES_ID = 'group-names';
const ROWS = 8;

export interface GroupsOptions {
  /** The choice was changed by someone else since the page was shown. */
  isStale?: boolean;
  /** The entered text, if it was not stored. */
  refused?: string;
  /** Whether it was not stored because all groups were chosen as well; otherwise, it names no group. */
  isBoth?: boolean;
}

export function groupsPage(
  frame: SessionFrame,
  { groups, etag }: SetupGroupChoice,
  { isStale, refused, isBoth = false }: GroupsOptions = {},
): string {
  const texts = setupTexts(frame.language);
  const isSome = refused === undefined ? groups.length > 0 : !isBoth;
  const fault = isBoth ? texts.groupsBoth : texts.groupsRefused;
  const save = markup`<button class="primary" type="submit">${texts.groupsSave}</button>`;
  const form = markup`<input${attributes({ type: 'hidden', name: GROUP_FIELDS.etag, value: etag })}>
<fieldset class="field choices" role="radiogroup"${attributes({ 'aria-label': texts.groupsQuestion })}>
${option(ALL, texts.groupsAll, !isSome)}
${option(SOME, texts.groupsSome, isSome)}
</fieldset>
${namesField(frame, refused ?? groups.join('\n'), refused === undefined ? undefined : fault)}
${formActions(frame, GROUPS_PATH, save)}`;
  return sessionPage(
    frame,
    GROUPS_PATH,
    markup`<p class="lead">${texts.groupsText}</p>
${isStale && markup`<p class="fault" role="alert">${texts.groupsChanged}</p>`}
${frame.session.isConnected && markup`<p>${texts.groupsLater}</p>`}
${sessionForm(frame, GROUPS_PATH, form)}`,
  );
}

function option(value: string, text: string, checked: boolean): Html {
  const id = `groups-${value}`;
  const control = attributes({ type: 'radio', id, name: GROUP_FIELDS.choice, value, checked });
  return markup`<div class="choice"><input${control}><label${attributes({ for: id })}>${text}</label></div>`;
}

function namesField({ language }: SessionFrame, names: string, refusal?: string): Html {
  const texts = setupTexts(language);
  const isRefused = refusal !== undefined;
  const fault = markup`<p class="fault"${attributes({ id: `${NAMES_ID}-fault` })}><span class="hidden">${texts.faultPrefix} </span>${refusal}</p>`;
  const control = attributes({
    id: NAMES_ID,
    name: GROUP_FIELDS.names,
    rows: String(ROWS),
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'none',
    'aria-invalid': isRefused ? 'true' : undefined,
    'aria-describedby': isRefused ? `${NAMES_ID}-fault` : undefined,
    autofocus: isRefused,
  });
  return markup`<div${attributes({ class: isRefused ? 'field has-fault' : 'field' })}>
<label${attributes({ for: NAMES_ID })}>${texts.groupsNames}</label>
${isRefused && fault}<textarea${control}>
${names}</textarea></div>`;
}
