import { type JsonValue } from './form-decoder.types.js';
import { pointerSegment } from './field-names.js';

/** False for a text with half a surrogate pair, which UTF-8 cannot hold. */
export function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** Whether a text can be stored: PostgreSQL takes neither U+0000 nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && isWellFormed(text);
}

/** Pointers of the texts (and of the members by name) in a value that cannot be stored. */
export function unstorableTexts(value: JsonValue, pointer = '', found: string[] = []): string[] {
  if (typeof value === 'string') {
    if (!isStorable(value)) found.push(pointer);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      unstorableTexts(value[index] as JsonValue, `${pointer}/${index}`, found);
    }
  } else if (value !== null && typeof value === 'object') {
    for (const name of Object.keys(value)) {
      const place = `${pointer}/${pointerSegment(name)}`;
      if (!isStorable(name)) found.push(pointer);
      else unstorableTexts(value[name] as JsonValue, place, found);
    }
  }
  return found;
}

/** Deeper values are not inspected. */
const DEPTH_MAX = 100;

/** Why a value cannot be inspected or stored; null if it can. */
export function obstacleIn(value: JsonValue, depth = 0): 'text' | 'depth' | null {
  if (typeof value === 'string') return isStorable(value) ? null : 'text';
  if (value === null || typeof value !== 'object') return null;
  if (depth > DEPTH_MAX) return 'depth';
  if (Array.isArray(value)) {
    for (const entry of value) {
      const found = obstacleIn(entry, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  for (const name in value) {
    if (!isStorable(name)) return 'text';
    const found = obstacleIn(value[name] as JsonValue, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
