import { type Language } from './languages.js';

/** Where English is read, the month stands between day and year, or before them: its name is clear to all. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de', fr: 'fr', es: 'es' };

const FORMATS = {
  day: { dateStyle: 'medium', timeZone: 'UTC' },
  minute: { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
} as const;

/** A time as the language writes it, with the zone. */
export function utcTime(language: Language, time: Date): string {
  return `${new Intl.DateTimeFormat(LOCALES[language], FORMATS.minute).format(time)} UTC`;
}

/** A day in UTC. */
export function utcDay(language: Language, time: Date): string {
  return new Intl.DateTimeFormat(LOCALES[language], FORMATS.day).format(time);
}
