import { asResults } from '@gatehouse/directory-sync';
import { silentLogger, type TestSync } from '@gatehouse/directory-sync/testing';
import { createSetup } from '../src/links/create-setup.js';

/** Setup operations of a controller object, as results. */
export function setupOf({ sync }: TestSync) {
  const { links, sessions, consents, groups, roles } = createSetup(sync.parts);
  return {
    links: asResults(links, silentLogger),
    sessions: asResults(sessions, silentLogger),
    consents: asResults(consents, silentLogger),
    groups: asResults(groups, silentLogger),
    roles: asResults(roles, silentLogger),
  };
}
