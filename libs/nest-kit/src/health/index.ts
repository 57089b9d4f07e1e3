export { Shutdown } from './shutdown.js';
