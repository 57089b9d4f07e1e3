import { parseDuration } from '../input/duration.js';

/** Parses an environment variable; the message of a thrown Error says what the value must be. */
export type SettingParser<T> = (text: string) => T;

export const asText: SettingParser<string> = (text) => text;

export const asInteger: SettingParser<number> = (text) => {
  if (!/^-?\d{1,15}$/.test(text)) throw new Error('must be a whole number');
  return Number(text);
};

export const asBoolean: SettingParser<boolean> = (text) => {
  if (['true', '1', 'on'].includes(text)) return true;
  if (['false', '0', 'off'].includes(text)) return false;
  throw new Error('must be true or false');
};

/** A comma-separated list. Blanks around entries and empty entries are ignored. */
export const asList: SettingParser<string[]> = (text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** A duration text (`90s`, `1h30m`) or a bare number of seconds, as whole seconds; `0` is allowed. */
export const asDurationSeconds: SettingParser<number> = (text) =>
  /^\d{1,15}$/.test(text) ? Number(text) : parseDuration(text);

/** A comma-separated list of durations, as whole seconds. */
export const asDurationListSeconds: SettingParser<number[]> = (text) =>
  asList(text).map(asDurationSeconds);
