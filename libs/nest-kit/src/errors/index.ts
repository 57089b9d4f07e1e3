export { type ErrorProtocol } from './error-protocol.js';
export { ErrorFilter } from './error.filter.js';
