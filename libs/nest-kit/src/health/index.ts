export { type Readiness } from './health.controller.js';
export { Shutdown } from './shutdown.js';
