export { type Call, type Connection, type ConnectionOptions, connect } from './connection.js';
export { type ErrorDetails, GatehouseError, errorOf } from './gatehouse-error.js';
