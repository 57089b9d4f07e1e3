/** The format of gatehouse.yaml, which docs/command-line.md describes. What a file leaves out is not changed. */
import { dirname, resolve } from 'node:path';
import {
  anyObject,
  choice,
  claim,
  type Fault,
  flag,
  isObject,
  list,
  mapOf,
  nullable,
  object,
  pathText,
  secret,
  type Shaped,
  text,
  wholeNumber,
} from './shape.js';
import { invalid, readYaml } from './yaml-file.js';

/** A schema is in the file, or in another one whose path is relative to it. */
const SCHEMA = object({ schema: anyObject, file: text, public: flag });
const ENDPOINT = object(
  {
    url: text,
    types: nullable(list(text)),
    headers: nullable(mapOf(secret)),
    logs_attempts: flag,
    on_poison: choice('park', 'block'),
    secret,
  },
  ['url'],
);
const GROUP = object({ id: text, external_id: text, display_name: text });
const RULE = object({ group: GROUP, role: text, priority: wholeNumber }, ['group', 'role']);
const ROLES = object(
  { default_role: nullable(text), mode: choice('all', 'highest'), rules: list(RULE) },
  ['rules'],
);
const DIRECTORY = object(
  {
    tenant: text,
    product: text,
    name: text,
    type: choice(
      'okta-scim-v2',
      'azure-scim-v2',
      'onelogin-scim-v2',
      'jumpcloud-scim-v2',
      'generic-scim-v2',
      'workspace',
    ),
    webhook_url: text,
    webhook_secret: secret,
    log_webhook_events: flag,
    strict: flag,
    put_clears_members: flag,
    attribute_mapping: nullable(mapOf(text)),
    workspace_provider: choice('google', 'entra'),
    workspace_domain: text,
    workspace_administrator: text,
    endpoints: list(ENDPOINT),
    roles: ROLES,
  },
  ['tenant', 'product'],
);
const KEY_LINK = object(
  {
    tenant: text,
    product: text,
    attribute: text,
    actor_prefix: text,
    email_domains: list(text),
    all_actors: flag,
    on_deactivate: choice('off', 'pause', 'revoke'),
    on_delete: choice('off', 'pause', 'revoke'),
  },
  ['tenant', 'product', 'attribute'],
);
const TRUST_RULE = object(
  {
    name: text,
    actor_id: text,
    issuer: text,
    audience: text,
    subject_pattern: text,
    claims: mapOf(claim),
    scopes: list(text),
    tags: list(text),
    metadata: anyObject,
    token_ttl: text,
    single_use: flag,
    ttl: text,
  },
  ['name', 'actor_id', 'issuer', 'audience', 'subject_pattern'],
);
const ENDPOINTS = object({ endpoints: list(ENDPOINT) });
const FILE = object({
  schemas: mapOf(SCHEMA),
  directories: list(DIRECTORY),
  keys: ENDPOINTS,
  identities: ENDPOINTS,
  key_links: list(KEY_LINK),
  trust_rules: list(TRUST_RULE),
});

export type GatehouseFile = Shaped<typeof FILE>;
export type DirectoryEntry = Shaped<typeof DIRECTORY>;
export type EndpointEntry = Shaped<typeof ENDPOINT>;
export type KeyLinkEntry = Shaped<typeof KEY_LINK>;
export type RolesEntry = Shaped<typeof ROLES>;
export type SchemaEntry = Shaped<typeof SCHEMA>;
export type TrustRuleEntry = Shaped<typeof TRUST_RULE>;

/** @throws Failure that names the line and the path of everything that is wrong */
export function readGatehouseFile(path: string): GatehouseFile {
  const { value, lineOf } = readYaml(path);
  const faults: Fault[] = [];
  FILE(value ?? {}, [], faults);
  if (faults.length > 0) {
    const lines = faults.map((fault) => {
      const place = pathText(fault.path);
      return `${path}:${lineOf(fault.path)}: ${place && `${place}: `}${fault.message}`;
    });
    throw invalid(lines.join('\n'));
  }
  const file = (value ?? {}) as GatehouseFile;
  for (const [id, entry] of Object.entries(file.schemas ?? {})) {
    entry.schema ??= schemaIn(path, id, entry);
  }
  return file;
}

function schemaIn(path: string, id: string, { file }: SchemaEntry): Record<string, unknown> {
  if (file === undefined) throw invalid(`${path}: schemas.${id} has neither schema nor file`);
  const { value } = readYaml(resolve(dirname(path), file));
  if (isObject(value)) return value;
  throw invalid(`${file} contains no schema`);
}
