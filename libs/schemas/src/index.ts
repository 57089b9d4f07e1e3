/** What crosses a process: message patterns, events and queues. */
export { IdentityEvents, KeyEvents, MessagePatterns, Queues } from './message-patterns.js';
