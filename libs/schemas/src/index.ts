export { DurationError, formatDuration, parseDuration } from './duration.js';
export { IdentityEvents, KeyEvents, MessagePatterns, Queues } from './message-patterns.js';
