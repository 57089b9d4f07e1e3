import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isPattern } from '../schema/pattern.js';

/**
 * The formats that are checked; others are ignored. Where Kratos differs from ajv-formats, the rule
 * of Kratos applies, so that identities it accepted stay valid.
 */

export type FormatCheck = (text: string) => boolean;

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const LOCAL_TIME =
  /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
// eslint-disable-next-line no-control-regex -- RFC 5322 atoms, with the non-ASCII of RFC 6531
const ATOM = /^[^\u0000-\u0020"(),.:;<>@[\\\]\u007f]+$/;
// eslint-disable-next-line no-control-regex -- RFC 5322 quoted strings
const QUOTED = /^"(?:[^"\\\u0000-\u001f\u007f]|\\[^\u0000-\u001f\u007f])*"$/;
const PHONE = /^\+[0-9][0-9 ()./-]{5,30}$/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

const uri = library('uri');
const uriReference = library('uri-reference');
const hostname: FormatCheck = (text) => text.length <= 254 && isHostname(text);

export const FORMATS: Readonly<Record<string, FormatCheck>> = {
  date: library('date'),
  time: (text) => TIME.test(text),
  'date-time': isDateTime,
  'iso-time': (text) => LOCAL_TIME.test(text),
  'iso-date-time': library('iso-date-time'),
  duration: library('duration'),
  email: isEmail,
  'idn-email': isEmail,
  tel: isPhone,
  hostname,
  ipv4: isIpv4,
  'ip-address': isIpv4,
  ipv6: library('ipv6'),
  uri,
  url: uri,
  iri: isIri,
  'uri-reference': uriReference,
  uriref: uriReference,
  'uri-template': library('uri-template'),
  uuid: library('uuid'),
  regex: isPattern,
  'json-pointer': library('json-pointer'),
  'relative-json-pointer': library('relative-json-pointer'),
};

function library(name: keyof typeof fullFormats): FormatCheck {
  const format = fullFormats[name] as RegExp | FormatCheck | { validate: RegExp | FormatCheck };
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  return check instanceof RegExp ? (text) => check.test(text) : check;
}

/** RFC 3339 with seconds, a zone, a capital T and Z, and no leap second. */
function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  return (FORMATS['date'] as FormatCheck)(parts[1] as string) && TIME.test(parts[2] as string);
}

/**
 * A bare address: a dotted atom or a quoted string, `@`, a host name of ASCII labels, which need not
 * have a dot. Blanks before it are allowed, as by Go's mail.ParseAddress.
 */
function isEmail(text: string): boolean {
  if (text.length > 254) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0)).trimStart();
  if (local === '' || local.length > 64 || !isHostname(text.slice(at + 1))) return false;
  return local.startsWith('"') ? QUOTED.test(local) : isDotAtom(local);
}

/** Whether a text may stand before the `@` without quotes. */
export function isDotAtom(text: string): boolean {
  return text.split('.').every((atom) => ATOM.test(atom));
}

function isHostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  return name.length <= 253 && name.split('.').every((label) => LABEL.test(label));
}

/** An international number: `+`, then 7 to 15 digits with the usual separators (ITU-T E.123, E.164). */
function isPhone(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '').length;
  return text.length <= 32 && PHONE.test(text) && digits >= 7 && digits <= 15;
}

function isIpv4(text: string): boolean {
  return IPV4.test(text) && text.split('.').every((part) => Number(part) <= 255);
}

/** Any absolute IRI; characters beyond ASCII count as those of a path. */
function isIri(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- everything that is not ASCII
  return uri(text.replace(/[^\u0000-\u007f]/g, 'a'));
}
