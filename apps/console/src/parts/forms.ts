/** Forms of acts, and the pages that say what an act will do. */
import { randomUUID } from 'node:crypto';
import { attributes, type Html, type HtmlPart, markup, sessionForm } from '@gatehouse/pages';
import { type ConsoleFrame, type Page, type Section } from '../site/console-frame.js';
import { NONCE_FIELD } from '../site/pages.js';
import { siteTexts } from '../texts/site.texts.js';
import { refusal } from './refusal.js';

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  /** Why the value was refused. */
  readonly fault?: string;
  readonly isRequired?: boolean;
}

export interface TextFieldOptions extends FieldOptions {
  readonly type?: 'text' | 'number' | 'datetime-local' | 'url' | 'email';
  readonly maxLength?: number;
}

export function textField(options: TextFieldOptions): Html {
  const { type = 'text', maxLength = 255, value } = options;
  return field(
    options,
    markup`<input${attributes({ ...inputOf(options), type, value, maxlength: maxLength })} autocomplete="off">`,
  );
}

/** @param rows the height */
export function areaField(options: FieldOptions & { rows?: number; preview?: string }): Html {
  const { rows = 12, value = '', preview } = options;
  // The parser drops a line feed at the start.
  return field(
    options,
    markup`<textarea${attributes({ ...inputOf(options), rows, spellcheck: 'false', 'data-preview': preview })}>
${value}</textarea>`,
  );
}

export function selectField(
  options: FieldOptions & { choices: readonly (readonly [value: string, text: string])[] },
): Html {
  const { choices, value: chosen } = options;
  return field(
    options,
    markup`<select${attributes(inputOf(options))}>${choices.map(
      ([value, text]) =>
        markup`<option${attributes({ value, selected: value === chosen })}>${text}</option>`,
    )}</select>`,
  );
}

export function checkField({ name, label, value = 'yes' }: FieldOptions, isChecked = false): Html {
  const id = `${name}-${value}`;
  return markup`<div class="choice"><input type="checkbox"${attributes({ id, name, value, checked: isChecked })}>
<label${attributes({ for: id })}>${label}</label></div>`;
}

function field(options: FieldOptions, input: Html): Html {
  const { name, label, hint, fault } = options;
  return markup`<div${attributes({ class: fault === undefined ? 'field' : 'field has-fault' })}>
<label${attributes({ for: name })}>${label}</label>
${hint !== undefined && markup`<p class="hint"${attributes({ id: `${name}-hint` })}>${hint}</p>`}
${fault !== undefined && markup`<p class="fault"${attributes({ id: `${name}-fault` })}>${fault}</p>`}
${input}</div>`;
}

function inputOf({ name, hint, fault, isRequired = false }: FieldOptions) {
  const described = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-fault`];
  return {
    id: name,
    name,
    required: isRequired,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': fault !== undefined && 'true',
  };
}

export interface ActOptions {
  /** Below the console. */
  readonly path: string;
  readonly button: string;
  /** Fields of the form. */
  readonly content?: HtmlPart;
  /** Whether it takes something away. */
  readonly isDangerous?: boolean;
}

/** A form of one button: an act that needs no more questions. */
export function actButton(frame: ConsoleFrame, { path, button, content }: ActOptions): Html {
  const form = formOf(
    frame,
    path,
    markup`${content}<button class="secondary" type="submit">${button}</button>`,
  );
  return markup`<div class="act">${form}</div>`;
}

/** The form of a page. @param cancel where the person goes back to */
export function actForm(frame: ConsoleFrame, options: ActOptions & { cancel?: string }): Html {
  const { path, button, content, isDangerous = false, cancel } = options;
  return formOf(
    frame,
    path,
    markup`${content}
<div class="actions"><button type="submit"${attributes({ class: isDangerous ? 'primary warning' : 'primary' })}>${button}</button>
${cancel !== undefined && markup`<a${attributes({ href: frame.basePath + cancel })}>${siteTexts(frame.language).cancel}</a>`}</div>`,
  );
}

function formOf(frame: ConsoleFrame, path: string, content: Html): Html {
  const nonce = { name: NONCE_FIELD, value: randomUUID() };
  return sessionForm(frame, path, markup`<input type="hidden"${attributes(nonce)}>${content}`);
}

/** A form whose values are in the address: filters of a list. */
export function filterForm(frame: ConsoleFrame, path: string, fields: HtmlPart): Html {
  return markup`<form class="filter" method="get"${attributes({ action: frame.basePath + path })}>
${fields}<button class="secondary" type="submit">${siteTexts(frame.language).filter}</button></form>`;
}

export interface ActPageOptions extends ActOptions {
  readonly section: Section;
  /** The pages above; the person goes back to the last one. */
  readonly trail: NonNullable<Page['trail']>;
  /** What the button says by default. */
  readonly title?: string;
  readonly lead?: HtmlPart;
  /** Why a service refused the form, which is shown again. */
  readonly fault?: string;
}

/** The page of an act that asks for more, or says more, than its button. */
export function actPage(frame: ConsoleFrame, options: ActPageOptions): Page {
  const { title = options.button, section, trail, lead, fault, ...act } = options;
  return {
    title,
    section,
    trail,
    status: fault === undefined ? 200 : 400,
    content: markup`${refusal(fault)}
${lead !== undefined && markup`<div class="lead">${lead}</div>`}
${actForm(frame, { ...act, cancel: trail.at(-1)?.path })}`,
  };
}

/** The page before an act that takes something away. @param lead says what will happen, with numbers, and whether it can be undone */
export function confirmation(
  frame: ConsoleFrame,
  options: ActPageOptions & { lead: HtmlPart },
): Page {
  return actPage(frame, { ...options, isDangerous: true });
}
