import type { EventRow } from '../../events/event.types.js';
import type { GroupScope } from '../../groups/group.repository.js';
import type { UserScope } from '../../users/user.repository.js';
import type { ScimContext } from './scim.types.js';

/** Where a write of this call belongs. */
export function scopeOf({ directory, revision, wantsEvents }: ScimContext): UserScope {
  return { directoryId: directory.id, revision, wantsEvents };
}

/** As `scopeOf`, for groups: Entra ID counts on two groups never having the same name. */
export function groupScopeOf(context: ScimContext): GroupScope {
  return {
    ...scopeOf(context),
    hasUniqueNames: context.directory.type === 'azure-scim-v2',
  };
}

/** Notes that a write was committed, and the events of it that somebody wants to see. */
export function noteEvents(context: ScimContext, events: readonly EventRow[]): void {
  context.hasWritten = true;
  for (const event of events) context.events.push(event);
}
