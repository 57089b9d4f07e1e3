export { type FinishedForm, type Gatehouse, createGatehouse } from './client.js';
export { type CallOptions } from './operation.js';
export type * from './types.gen.js';
