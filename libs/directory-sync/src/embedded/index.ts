/** The package `@gatehouse/directory-sync`: directory sync inside of an application. */
export { createEmbeddedSync as createDirectorySync } from './embedded-sync.js';
export type {
  EmbeddedSync as DirectorySync,
  EmbeddedSyncOptions as DirectorySyncOptions,
} from './embedded-sync.js';
export type { EventHandler, EventTransaction } from './event-follower.js';
export type { DirectoryEvent } from '../events/event.types.js';
