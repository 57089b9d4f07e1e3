/** The page that chooses the application roles of each group. */
import { type ChosenRoles, type SetupRoleChoices } from '../links/setup-roles.js';
import { type RolePreview } from '@gatehouse/directory-sync';
import { attributes, type Html, markup, sessionForm } from '@gatehouse/pages';
import { formActions, ROLES_PATH, type SessionFrame, sessionPage } from './setup-frame.js';
import { setupTexts } from './texts/texts.js';

/** Fields of the form: those of groups begin with the first. */
export const ROLE_FIELDS = { group: 'group.', etag: 'etag', previewed: 'previewed', act: 'act' };
/** What a button does with the choice. A choice is stored only after its effect was shown. */
export const ACTS = {
  preview: 'preview',
  save: 'save',
  /** Ends the setup, unless the choice differs from what is stored. */
  finish: 'finish',
  saveAndFinish: 'save-and-finish',
  finishWithoutSaving: 'finish-without-saving',
};

export interface RolesOptions {
  /** The mapping was changed by someone else since the page was shown. */
  isStale?: boolean;
  isSaved?: boolean;
  /** Whether the choice needs more rules than a mapping can have. */
  isTooMuch?: boolean;
  /** The chosen roles, if they were not stored. */
  chosen?: ChosenRoles;
  /** The preview of `chosen`. */
  preview?: RolePreview;
  /** Digest of the choice that was previewed. */
  previewed?: string;
}

export function rolesPage(
  frame: SessionFrame,
  choices: SetupRoleChoices,
  { isStale, isSaved, isTooMuch, chosen, preview, previewed = '' }: RolesOptions = {},
): string {
  const texts = setupTexts(frame.language);
  const { groups, roles, hasMore, etag } = choices;
  const fields = groups.map((group) =>
    field(frame, roles, { ...group, role: chosen?.[group.id] ?? group.role }),
  );
  const hidden = { [ROLE_FIELDS.etag]: etag, [ROLE_FIELDS.previewed]: previewed };
  const form = markup`${Object.entries(hidden).map(
    ([name, value]) => markup`<input${attributes({ type: 'hidden', name, value })}>`,
  )}
${fields}
${preview && effects(frame, preview)}
${formActions(frame, ROLES_PATH, buttons(frame, preview !== undefined, groups.length > 0))}`;
  return sessionPage(
    frame,
    ROLES_PATH,
    markup`<p class="lead">${texts.rolesText}</p>
${isSaved && markup`<p role="status">${texts.rolesSaved}</p>`}
${isStale && markup`<p class="fault" role="alert">${texts.rolesChanged}</p>`}
${isTooMuch && markup`<p class="fault" role="alert">${texts.rolesTooMany}</p>`}
${hasMore && markup`<p>${texts.rolesMore(groups.length)}</p>`}
${groups.length === 0 && markup`<p>${texts.rolesNoGroups}</p>`}
${sessionForm(frame, ROLES_PATH, form)}`,
  );
}

/** The first one is the primary one, and takes the choice with it. */
function buttons({ language, session }: SessionFrame, isShown: boolean, hasGroups: boolean): Html {
  const texts = setupTexts(language);
  if (isShown && session.isConnected) {
    return markup`${button(ACTS.saveAndFinish, 'primary', texts.rolesSaveAndFinish)}
${button(ACTS.finishWithoutSaving, 'secondary', texts.rolesFinishOnly)}`;
  }
  return markup`${session.isConnected && button(ACTS.finish, 'primary', texts.finish)}
${!session.isConnected && hasGroups && button(ACTS.save, 'primary', texts.rolesSave)}
${!isShown && hasGroups && button(ACTS.preview, 'secondary', texts.rolesPreview)}`;
}

function button(act: string, kind: string, text: string): Html {
  const control = { class: kind, type: 'submit', name: ROLE_FIELDS.act, value: act };
  return markup`<button${attributes(control)}>${text}</button>`;
}

/** Roles are sent by their position. */
function field(
  { language }: SessionFrame,
  roles: readonly string[],
  { id, name, role }: SetupRoleChoices['groups'][number],
): Html {
  const control = `group-${id}`;
  const options = ['', ...roles].map((each, index) => {
    const option = { value: index === 0 ? '' : String(index - 1), selected: each === role };
    const text = index === 0 ? setupTexts(language).rolesNone : each;
    return markup`<option${attributes(option)}>${text}</option>`;
  });
  return markup`<div class="field"><label${attributes({ for: control })}><span translate="no">${name || id}</span></label>
<select${attributes({ id: control, name: ROLE_FIELDS.group + id })}>${options}</select></div>`;
}

function effects({ language }: SessionFrame, preview: RolePreview): Html {
  const texts = setupTexts(language);
  const item = (users: string, role: string) =>
    markup`<li>${users} <b translate="no">${role}</b></li>`;
  const items = preview.roles.flatMap(({ role, gained, lost }) => [
    ...(gained > 0 ? [item(texts.rolesGained(gained), role)] : []),
    ...(lost > 0 ? [item(texts.rolesLost(lost), role)] : []),
  ]);
  return markup`<section class="preview" role="status"><h2>${texts.rolesEffectTitle}</h2>
${items.length > 0 ? markup`<ul>${items}</ul>` : markup`<p>${texts.rolesNoEffect}</p>`}
${!preview.is_complete && markup`<p>${texts.rolesPartial(preview.users)}</p>`}</section>`;
}
