/** Times in the zone of the reader, with UTC beside. */
import { attributes, type Html, type Language, markup } from '@gatehouse/pages';
import { type ConsoleFrame } from '../site/console-frame.js';
import { siteTexts } from '../texts/site.texts.js';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de', fr: 'fr', es: 'es' };

/** @param at RFC 3339; null and undefined are shown as "never" */
export function time(frame: ConsoleFrame, time: string | Date | null | undefined): Html {
  if (time === null || time === undefined) return markup`${siteTexts(frame.language).never}`;
  const date = new Date(time);
  const utc = `${written(frame, date, 'UTC')} UTC`;
  const { timeZone = 'UTC' } = frame;
  const datetime = date.toISOString();
  if (timeZone === 'UTC') return markup`<time${attributes({ datetime })}>${utc}</time>`;
  return markup`<time${attributes({ datetime })}>${written(frame, date, timeZone)} <small>${utc}</small></time>`;
}

function written({ language }: ConsoleFrame, date: Date, timeZone: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'medium', timeZone } as const;
  return new Intl.DateTimeFormat(LOCALES[language], format).format(date);
}

/** The time in a field of type `datetime-local`, in UTC. Browsers leave out the zone, and seconds that are 0. */
export function utcOfField(text: string | null): string | undefined {
  if (!text) return undefined;
  return `${text.length === 16 ? `${text}:00` : text}Z`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A length of time in its largest unit, such as "3 hours". */
export function duration(frame: ConsoleFrame, seconds: number): string {
  return inUnit(frame, seconds, ([, size]) => seconds >= size);
}

/** An exact length of time, such as "90 minutes". @param interval in seconds, such as `5400s` */
export function lengthOf(frame: ConsoleFrame, interval: string): string {
  const seconds = Number.parseInt(interval, 10);
  return inUnit(frame, seconds, ([, size]) => seconds % size === 0);
}

function inUnit(
  { language }: ConsoleFrame,
  seconds: number,
  fits: (unit: (typeof UNITS)[number]) => boolean,
): string {
  const [unit, size] = UNITS.find(fits) ?? (['second', 1] as const);
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(LOCALES[language], format).format(Math.floor(seconds / size));
}
