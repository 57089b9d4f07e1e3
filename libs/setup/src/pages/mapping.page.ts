/** The page that maps user attributes to the paths at which the identity provider sends them. */
import { type SetupMapping } from '../links/setup-mapping.js';
import { attributes, type Html, markup, sessionForm } from '@gatehouse/pages';
import { formActions, MAPPING_PATH, type SessionFrame, sessionPage } from './setup-frame.js';
import { setupTexts } from './texts/texts.js';

/** Fields of the form begin with it. */
export const ATTRIBUTE_FIELD = 'path.';
export const ETAG_FIELD = 'etag';

/** SCIM attributes that directories often send; any other can be entered. */
const USUAL_PATHS = [
  'title',
  'userType',
  'displayName',
  'nickName',
  'preferredLanguage',
  'locale',
  'timezone',
  'emails[type eq "work"].value',
  'phoneNumbers[type eq "work"].value',
  ...[
    'employeeNumber',
    'costCenter',
    'organization',
    'division',
    'department',
    'manager.value',
  ].map((name) => `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:${name}`),
];
const PATHS_ID = 'usual-paths';

export interface MappingOptions {
  /** The mapping was changed by someone else since the page was shown. */
  isStale?: boolean;
  /** The entered paths, by attribute, if they were not stored. */
  entered?: ReadonlyMap<string, string>;
  /** Attributes whose path is none. */
  refused?: readonly string[];
}

export function mappingPage(
  frame: SessionFrame,
  mapping: SetupMapping,
  { isStale, entered, refused = [] }: MappingOptions = {},
): string {
  const texts = setupTexts(frame.language);
  const fields = mapping.attributes.map(({ name, path }) =>
    field(frame, name, entered?.get(name) ?? path, {
      isRefused: refused.includes(name),
      autofocus: name === refused[0],
    }),
  );
  const save = markup`<button class="primary" type="submit">${texts.mappingSave}</button>`;
  const usual = USUAL_PATHS.map((path) => markup`<option${attributes({ value: path })}></option>`);
  return sessionPage(
    frame,
    MAPPING_PATH,
    markup`<p class="lead">${texts.mappingText}</p>
${isStale && markup`<p class="fault" role="alert">${texts.mappingChanged}</p>`}
${sessionForm(
  frame,
  MAPPING_PATH,
  markup`<input${attributes({ type: 'hidden', name: ETAG_FIELD, value: mapping.etag })}>
${fields}
<datalist id="${PATHS_ID}">${usual}</datalist>
${formActions(frame, MAPPING_PATH, save, true)}`,
)}`,
  );
}

function field(
  { language }: SessionFrame,
  name: string,
  path: string,
  { isRefused, autofocus }: { isRefused: boolean; autofocus: boolean },
): Html {
  const texts = setupTexts(language);
  const id = `attribute-${name}`;
  const fault = markup`<p class="fault"${attributes({ id: `${id}-fault` })}><span class="hidden">${texts.faultPrefix} </span>${texts.mappingRefused}</p>`;
  const control = attributes({
    type: 'text',
    id,
    name: ATTRIBUTE_FIELD + name,
    value: path,
    list: PATHS_ID,
    maxlength: '512',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-invalid': isRefused ? 'true' : undefined,
    'aria-describedby': isRefused ? `${id}-fault` : undefined,
    autofocus,
  });
  return markup`<div${attributes({ class: isRefused ? 'field has-fault' : 'field' })}>
<label${attributes({ for: id })}><span translate="no">${name}</span></label>
${isRefused && fault}<input${control}></div>`;
}
