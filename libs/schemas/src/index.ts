export { IdentityEvents, KeyEvents, MessagePatterns, Queues } from './message-patterns.js';
