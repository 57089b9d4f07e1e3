/**
 * Parses the path below the base address of a directory. Trailing and repeated slashes are
 * ignored, endpoint names are case-insensitive, and a few historical spellings are aliases.
 */
import {
  type DiscoveryDocument,
  type ResourceName,
  type ScimTarget,
} from '../protocol/scim.types.js';

const RESOURCES: Readonly<Record<string, ResourceName>> = { users: 'User', groups: 'Group' };

const DOCUMENTS: Readonly<Record<string, DiscoveryDocument>> = {
  serviceproviderconfig: 'ServiceProviderConfig',
  serviceproviderconfigs: 'ServiceProviderConfig',
  serviceconfiguration: 'ServiceProviderConfig',
  resourcetypes: 'ResourceTypes',
  resourcetype: 'ResourceTypes',
  schemas: 'Schemas',
};

const UNKNOWN: ScimTarget = { kind: 'unknown' };

/** The target of a raw, still percent-encoded path such as `/Users/2819c223` or `/.search`. */
export function scimTarget(path: string): ScimTarget {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length === 0) return { kind: 'root' };
  const [first = '', second, third] = segments.map(decoded);
  if (third !== undefined) return UNKNOWN;
  const name = first.toLowerCase();
  if (Object.hasOwn(RESOURCES, name)) {
    return resourceTarget(RESOURCES[name] as ResourceName, second);
  }
  if (Object.hasOwn(DOCUMENTS, name)) {
    const document = DOCUMENTS[name] as DiscoveryDocument;
    if (second === undefined) return { kind: 'discovery', document };
    if (document === 'ServiceProviderConfig') return UNKNOWN;
    return { kind: 'discovery', document, id: second };
  }
  if (name === 'me') return { kind: 'me' };
  if (second !== undefined) return UNKNOWN;
  if (name === 'bulk') return { kind: 'bulk' };
  return name === '.search' ? { kind: 'search' } : UNKNOWN;
}

function resourceTarget(resource: ResourceName, id: string | undefined): ScimTarget {
  if (id === undefined) return { kind: 'collection', resource };
  return id === '.search' ? { kind: 'search', resource } : { kind: 'resource', resource, id };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
