import { isDotAtom } from '../validate/formats.js';

/**
 * How identifiers are compared. Texts that look alike or lead to the same mailbox get one key; a
 * key is never shown or written to.
 */

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const QUOTED_PAIR = /\\(.)/gsu;

/** In compatibility form (NFKC), without invisible characters and blanks around, in lower case. */
export function identifierKey(text: string): string {
  return text.normalize('NFKC').replace(IGNORABLE, '').trim().toLowerCase().normalize('NFKC');
}

/** As `identifierKey`, also without quotes that are not needed and without a final dot. */
export function emailKey(text: string): string {
  const key = identifierKey(text);
  const at = key.lastIndexOf('@');
  if (at === -1) return key;
  return `${withoutQuotes(key.slice(0, at))}@${key.slice(at + 1).replace(/\.$/, '')}`;
}

/** Every key that a text may have, whatever the format of the property that holds it. */
export function identifierKeys(text: string): string[] {
  return [...new Set([identifierKey(text), emailKey(text)])].filter((key) => key !== '');
}

function withoutQuotes(local: string): string {
  if (local.length < 2 || !local.startsWith('"') || !local.endsWith('"')) return local;
  const content = local.slice(1, -1).replace(QUOTED_PAIR, '$1');
  return isDotAtom(content) ? content : `"${content.replace(/["\\]/g, '\\$&')}"`;
}
