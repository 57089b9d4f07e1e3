export * from './api/index.js';
export { type ConnectionOptions, GatehouseError } from './connection/index.js';
