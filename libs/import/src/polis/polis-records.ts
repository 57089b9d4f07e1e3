/**
 * Polis records, the same in its database and in its API, and their conversion for directory sync.
 */
import {
  type DirectoryContent,
  type SourceDirectory,
  type SourceGroup,
  type SourceUser,
} from '@gatehouse/directory-sync/imports';

/** A source of directories, whose users and groups are read one directory at a time. */
export interface PolisSource {
  directories(): AsyncIterable<SourceDirectory>;
  contentOf(directory: SourceDirectory): DirectoryContent;
  close(): Promise<void>;
}

export type Json = Record<string, unknown>;

export interface PolisDirectory {
  id: string;
  name?: string;
  tenant: string;
  product: string;
  type: string;
  deactivated?: unknown;
  log_webhook_events?: unknown;
  webhook?: { endpoint?: string; secret?: string };
  scim?: { secret?: string };
  google_domain?: string;
  google_access_token?: string;
  google_refresh_token?: string;
}

export interface PolisUser {
  id: string;
  email?: string;
  active?: unknown;
  raw?: Json;
}

export interface PolisGroup {
  id: string;
  name?: string;
  raw?: Json;
}

export interface PolisMember {
  group_id: string;
  user_id: string;
}

export function directoryOf(directory: PolisDirectory): SourceDirectory {
  const { id, tenant, product, type, webhook = {} } = directory;
  return {
    id,
    tenant,
    product,
    type,
    name: directory.name ?? '',
    deactivated: isTrue(directory.deactivated),
    scimSecret: directory.scim?.secret ?? '',
    webhookUrl: webhook.endpoint ?? '',
    webhookSecret: webhook.secret ?? '',
    logsWebhookEvents: isTrue(directory.log_webhook_events),
    workspace:
      type === 'google'
        ? {
            domain: directory.google_domain ?? '',
            accessToken: directory.google_access_token ?? '',
            refreshToken: directory.google_refresh_token ?? '',
          }
        : null,
  };
}

/** The resource as its provider made it. Where that says nothing, what Polis has derived counts. */
export function userOf({ id, email, active, raw = {} }: PolisUser): SourceUser {
  const resource = withWholeUrns(raw);
  if (resource.userName === undefined && email) resource.userName = email;
  const isOff = active === false || active === 'False' || active === 'false';
  if (resource.active === undefined && isOff) resource.active = false;
  return { id, resource: resource as SourceUser['resource'] };
}

export function groupOf({ id, name, raw = {} }: PolisGroup, memberIds: string[]): SourceGroup {
  const resource: Json = { ...raw, displayName: raw.displayName ?? name };
  // Members are records of their own; the resource contains those of the last PUT.
  delete resource.members;
  return { id, resource: resource as SourceGroup['resource'], memberIds };
}

/** Polis takes dots in the path of a PATCH for levels, even the one in the URN of a schema. */
const BROKEN_URN = /^urn:.+:\d+$/;
const REST_OF_URN = /^(\d+:\w+):(.+)$/;

function withWholeUrns(raw: Json): Json {
  const resource: Json = {};
  for (const [name, value] of Object.entries(raw)) {
    if (!BROKEN_URN.test(name) || typeof value !== 'object' || value === null) {
      const there = resource[name];
      const isMerged = isJson(there) && isJson(value);
      resource[name] = isMerged ? { ...value, ...there } : value;
      continue;
    }
    for (const [rest, attribute] of Object.entries(value)) {
      const [, version, path] = REST_OF_URN.exec(rest) ?? [];
      const urn = version === undefined ? name : `${name}.${version}`;
      const there = resource[urn];
      resource[urn] = { ...(isJson(there) ? there : {}), [path ?? rest]: attribute as unknown };
    }
  }
  return resource;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
