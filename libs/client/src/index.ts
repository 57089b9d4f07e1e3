export { type ConnectionOptions, GatehouseError } from './connection/index.js';
