import { type DirectorySyncParts } from '@gatehouse/directory-sync/parts';
import { SetupConsents } from './setup-consents.js';
import { SetupGroups } from './setup-groups.js';
import { SetupLinks } from './setup-links.js';
import { SetupRoles } from './setup-roles.js';
import { SetupSessions } from './setup-sessions.js';
import { SetupRepository } from './setup.repository.js';

export interface SetupOptions {
  /** Where pages may lead back to; empty: any https address. */
  allowedReturnUrls?: readonly string[];
}

/**
 * The services of setup links and their pages, on the parts of a controller object. They throw a
 * DomainError; `asResults` makes results of them.
 */
export function createSetup(
  parts: DirectorySyncParts,
  { allowedReturnUrls = [] }: SetupOptions = {},
) {
  const setups = new SetupRepository(parts.sql);
  const context = { ...parts, setups, allowedReturnUrls };
  const sessions = new SetupSessions(context);
  return {
    links: new SetupLinks(context),
    sessions,
    consents: new SetupConsents({
      ...context,
      markConnected: (linkId) => sessions.markConnected(linkId),
    }),
    groups: new SetupGroups(context),
    roles: new SetupRoles(context),
    /** Deletes links that expired 90 days ago. */
    deleteOld: () => setups.deleteOld(),
  };
}

export type Setup = ReturnType<typeof createSetup>;
