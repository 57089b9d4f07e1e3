/** For tests of the packages that are built on directory sync: `@gatehouse/directory-sync/testing`. */
export { NEWEST_ENTRIES } from '../src/request-log/request-log.sql.js';
export { silentLogger } from '../src/sync-logger.js';
export * from './fixture.js';
export * from './harness.js';
export * from './workspace/google-fixture.js';
