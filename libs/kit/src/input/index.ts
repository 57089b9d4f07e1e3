export { DurationError, formatDuration, parseDuration } from './duration.js';
export { type InputOptions, InputReader } from './input-reader.js';
export { type ViolationMessage, invalidField, invalidInput } from './invalid-input.js';
export { jsonFaultOf } from './json-fault.js';
export {
  type JsonObject,
  hasControlCharacter,
  isObject,
  isWellFormed,
  lengthOf,
} from './json-text.js';
export { nearestName } from './nearest-name.js';
export { parseUrl } from './parse-url.js';
export { millisecondsOf } from './rfc-3339.js';
