import { nameOfPointer, splitPointer } from '../model/field-names.js';
import { type FieldError, type JsonValue, type Language } from '../model/form-decoder.types.js';
import { MESSAGE_IDS, type Catalog, type MessageCode, type MessageParams } from './catalog.js';
import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { SPANISH } from './spanish.js';

const CATALOGS: Readonly<Record<Language, Catalog>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

/** In the order of the catalogs. */
export const LANGUAGES = Object.keys(CATALOGS) as readonly Language[];

/**
 * Creates an English error, for instance
 * `fieldError('/traits/email', 'identifier.taken')` (id 4000007). An unknown code reads "is not valid".
 */
export function fieldError(
  pointer: string,
  code: string,
  params: Record<string, JsonValue> = {},
  label: string = lastSegment(pointer),
): FieldError {
  const key = messageKey(code, params);
  return {
    pointer,
    name: nameOfPointer(pointer),
    code,
    id: MESSAGE_IDS[key],
    message: ENGLISH[key](label, params),
    params,
  };
}

/** The same error in another language; `label` is the field's label in that language. */
export function localizeError(
  error: FieldError,
  language: Language,
  label: string = lastSegment(error.pointer),
): FieldError {
  return {
    ...error,
    message: CATALOGS[language][messageKey(error.code, error.params)](label, error.params),
  };
}

function messageKey(code: string, params: MessageParams): MessageCode {
  const format = params['format'];
  const special = code === 'format' && typeof format === 'string' ? `format.${format}` : code;
  if (Object.hasOwn(MESSAGE_IDS, special)) return special as MessageCode;
  return Object.hasOwn(MESSAGE_IDS, code) ? (code as MessageCode) : 'invalid';
}

function lastSegment(pointer: string): string {
  return splitPointer(pointer).at(-1) ?? 'the form';
}
