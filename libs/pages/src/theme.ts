/** The look and the links of pages: from the settings, or from an object that others wrote. */
import { isObject, nearestName, parseUrl } from '@gatehouse/kit/input';
import { accentFault } from './palette.js';

export interface Theme {
  name?: string;
  logo?: string;
  /** `#rrggbb`, with enough contrast. */
  accent?: string;
  terms?: string;
  privacy?: string;
  signIn?: string;
  /** The link of thank-you and error pages. */
  home?: string;
}

export const NAME_CHARACTERS_MAX = 80;
const URL_CHARACTERS_MAX = 2048;

const RULES: Readonly<Record<string, { member: keyof Theme; fault: typeof urlFault }>> = {
  name: { member: 'name', fault: nameFault },
  logo: { member: 'logo', fault: urlFault },
  accent: { member: 'accent', fault: accentFault },
  terms: { member: 'terms', fault: urlFault },
  privacy: { member: 'privacy', fault: urlFault },
  sign_in: { member: 'signIn', fault: urlFault },
  home: { member: 'home', fault: urlFault },
};

/** Why a text is not the address of a page or picture; undefined if it is. */
export function urlFault(text: string): string | undefined {
  const url = text.length <= URL_CHARACTERS_MAX ? parseUrl(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url?.username === '' && url.password === ''
    ? undefined
    : 'must be an http or https address without credentials';
}

export interface ThemeFault {
  /** The JSON pointer of the member; empty for the whole theme. */
  pointer: string;
  message: string;
}

/** Faults of a theme that others wrote, with members such as `sign_in`. */
export function themeFaults(theme: unknown): ThemeFault[] {
  if (!isObject(theme)) return [{ pointer: '', message: 'must be an object' }];
  return Object.entries(theme).flatMap(([name, value]) => {
    const pointer = `/${name}`;
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    if (!rule) return [{ pointer, message: unknownMember(name) }];
    const message = typeof value === 'string' ? rule.fault(value) : 'must be a text';
    return message === undefined ? [] : [{ pointer, message }];
  });
}

/** Reads a theme that others wrote. Members that have a fault are left out. */
export function readTheme(source: unknown): Theme {
  const theme: Theme = {};
  for (const [name, { member, fault }] of Object.entries(RULES)) {
    const value = isObject(source) ? source[name] : undefined;
    if (typeof value === 'string' && fault(value) === undefined) theme[member] = value;
  }
  return theme;
}

function nameFault(text: string): string | undefined {
  return text !== '' && text.length <= NAME_CHARACTERS_MAX
    ? undefined
    : `must have 1 to ${NAME_CHARACTERS_MAX} characters`;
}

function unknownMember(name: string): string {
  const nearest = nearestName(name, Object.keys(RULES));
  return `is not a member of a theme${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
}
