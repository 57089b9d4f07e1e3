import { DirectoryFollower, type DirectoryOptions } from './directory-follower.js';

export { type DirectoryScope } from './directory-api.js';
export {
  type DirectoryEvent,
  type DirectoryEventType,
  type DirectoryGroup,
  type DirectoryMembership,
  type DirectoryRoles,
  type DirectoryUser,
  type EventOf,
  type EventPattern,
} from './directory-event.js';
export {
  type DirectoryFollower,
  type DirectoryOptions,
  type StartOptions,
} from './directory-follower.js';
export { type Handler, HandlerError, type SnapshotHandler } from './handlers.js';
export { type Store } from './store.js';

/**
 * Follows the users and groups of directories: handles each event of their log once and in order.
 *
 * @throws TypeError without an address or a key of Gatehouse, or for a tenant without a product
 */
export function directory<Context>(options: DirectoryOptions<Context>): DirectoryFollower<Context> {
  return new DirectoryFollower(options);
}
