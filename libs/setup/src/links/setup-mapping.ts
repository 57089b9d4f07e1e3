/** The attribute mapping of a directory, as the administrator who has a setup link may change it. */
import { sha256 } from '@gatehouse/crypto';
import { adminEventOf } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import {
  type Directory,
  type DirectoryRepository,
  SyncErrors,
  pathFault,
} from '@gatehouse/directory-sync/parts';
import { type SetupLink } from './setup.types.js';
import { type SetupRepository } from './setup.repository.js';

type Mapping = Readonly<Record<string, string>>;

export interface SetupMapping {
  /** The attributes of the link, with the SCIM path of each; empty: not mapped. */
  attributes: readonly { name: string; path: string }[];
  /** ETag of the mapping that contains these. */
  etag: string;
}

export interface SetupMappingContext {
  directories: DirectoryRepository;
  setups: SetupRepository;
}

export function setupMapping(link: SetupLink, mapping: Mapping | null): SetupMapping {
  const attributes = link.attributes.map((name) => ({ name, path: pathOf(mapping, name) }));
  return { attributes, etag: etagOf(mapping) };
}

/**
 * Maps the attributes of a link; those that are not sent stay as they are, and an empty path ends a mapping.
 * Other attributes are ignored.
 *
 * @returns the attributes whose path cannot be read; nothing is stored unless there are none
 * @throws DomainError 409 if the mapping was changed since `etag`, 410 if the session has ended
 */
export async function changeSetupMapping(
  link: SetupLink,
  sent: Mapping,
  etag: string,
  { directories, setups }: SetupMappingContext,
  call: CallContext,
): Promise<{ refused: string[] }> {
  const names = link.attributes.filter((name) => typeof sent[name] === 'string');
  const paths = Object.fromEntries(names.map((name) => [name, (sent[name] as string).trim()]));
  const refused = names.filter((name) => paths[name] !== '' && pathFault(paths[name] as string));
  if (refused.length > 0) return { refused };
  const details = { fields: ['attribute_mapping'], link_id: link.id };
  const change = { type: 'directory.updated', targetId: link.directoryId, details };
  const event = adminEventOf(change, call);
  const changes = async (sql: SqlExecutor, directory: Directory) => {
    if (!(await setups.lockSession(link.id, sql))) {
      throw new DomainError(SyncErrors.SETUP_SESSION_GONE);
    }
    if (etagOf(directory.attributeMapping) !== etag) {
      throw new DomainError(SyncErrors.SETUP_MAPPING_CHANGED);
    }
    const merged = Object.entries({ ...directory.attributeMapping, ...paths });
    const mapped = merged.filter(([, path]) => path !== '');
    return { attributeMapping: mapped.length > 0 ? Object.fromEntries(mapped) : null };
  };
  const isKnown = await directories.update(link.directoryId, changes, event);
  if (!isKnown) throw new DomainError(SyncErrors.SETUP_SESSION_GONE);
  return { refused };
}

const pathOf = (mapping: Mapping | null, name: string): string =>
  mapping !== null && Object.hasOwn(mapping, name) ? (mapping[name] as string) : '';

/** The same for the same mapping, in whatever order it is stored. */
function etagOf(mapping: Mapping | null): string {
  const sorted = Object.entries(mapping ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(sorted)).toString('base64url').slice(0, 22);
}
