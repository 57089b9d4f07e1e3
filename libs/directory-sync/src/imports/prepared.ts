/** Resources of a source in the form in which SCIM requests would have stored them. */
import { createHash } from 'node:crypto';
import {
  deriveUser,
  groupResourceType,
  normalizeResource,
  ScimError,
  type ScimResource,
  takeMembers,
  userResourceType,
} from '@gatehouse/scim';
import { isUuid } from '@gatehouse/kit/ids';
import { storedText } from '../database/stored-text.js';
import { groupColumns } from '../groups/group.repository.js';
import { checkIndexedTexts } from '../scim/protocol/indexed-texts.js';
import { userColumns } from '../users/user.repository.js';
import { columnNames } from './import.sql.js';
import { type ConflictReason, type ResourceKind, type SourceUser } from './import.types.js';

/** A row to write, with the hash by which a later import sees whether the source has changed it. */
export interface Prepared {
  id: string;
  hash: string;
  bytes: number;
  /** The name that must be unique in the directory, for messages. */
  name: string;
  columns: Record<string, unknown>;
}

export interface Refusal {
  reason: ConflictReason;
  detail: string;
}

/** @returns a refusal if the directory cannot hold the resource */
export function prepare(
  kind: ResourceKind,
  { id, resource }: SourceUser,
  directoryType: string,
): Prepared | Refusal {
  if (!isUuid(id)) return { reason: 'id_invalid', detail: `"${String(id).slice(0, 64)}"` };
  try {
    const raw = canonical(kind, resource);
    const text = storedText(raw);
    const values = kind === 'user' ? [raw, ...userValues(raw)] : groupValues(raw, directoryType);
    const names = columnNames(kind);
    return {
      id: id.toLowerCase(),
      hash: createHash('sha256').update(text).digest('hex'),
      bytes: Buffer.byteLength(text),
      name: nameOf(kind, raw),
      columns: Object.fromEntries(names.map((name, index) => [name, values[index]])),
    };
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    return { reason: 'resource_invalid', detail: error.detail };
  }
}

export function isRefusal(prepared: Prepared | Refusal): prepared is Refusal {
  return 'reason' in prepared;
}

function canonical(kind: ResourceKind, resource: unknown): ScimResource {
  const type = kind === 'user' ? userResourceType : groupResourceType;
  const raw = normalizeResource(resource, type);
  checkIndexedTexts(raw);
  return kind === 'user' ? raw : takeMembers(raw).resource;
}

function userValues(raw: ScimResource): unknown[] {
  return userColumns(deriveUser(raw), raw);
}

function groupValues(raw: ScimResource, directoryType: string): unknown[] {
  const hasUniqueNames = directoryType === 'azure-scim-v2';
  return [raw, ...groupColumns(raw, { hasUniqueNames }).slice(1)];
}

function nameOf(kind: ResourceKind, raw: ScimResource): string {
  const name = kind === 'user' ? raw.userName : raw.displayName;
  return typeof name === 'string' ? name : '';
}
