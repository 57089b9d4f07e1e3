export { LOGGER, createLogger } from './logger.js';
