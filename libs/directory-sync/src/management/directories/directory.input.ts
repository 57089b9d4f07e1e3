/** Reads what callers send about a directory. One error of status 400 names every invalid field. */
import { InputReader } from '@gatehouse/kit/input';
import { type OutboundPolicy, outboundUrlFault } from '@gatehouse/kit/outbound';
import { type Directory } from '../../directories/directory.entity.js';
import { DEFAULT_TYPE, type DirectoryType, PROVIDERS } from '../../directories/directory.types.js';
import { readOverlap, readWebhookSecret } from '@gatehouse/delivery';
import { NO_COLON, STRICT } from '../body.input.js';
import { attributeMapping } from './attribute-mapping.input.js';
import { readWorkspace, readWorkspaceChanges } from '../workspace/workspace.input.js';

const TEXT = { max: 512 };
const URL_TEXT = { max: 2_048 };
const CHANGE_FIELDS = [
  'tenant',
  'product',
  'type',
  'name',
  'attribute_mapping',
  'webhook_url',
  'webhook_secret',
  'webhook_secret_overlap',
];
const NULLABLE = ['attribute_mapping', 'workspace_domain', 'workspace_administrator'];
/** Names of the type of directories that are read from the API of their provider. */
const WORKSPACE_TYPES: readonly unknown[] = ['workspace', 'google'];

export { readOverlap as overlapSeconds } from '@gatehouse/delivery';

/** Changes of a directory; undefined leaves a value unchanged, null removes it. */
export type DirectoryChangesInput = ReturnType<typeof readDirectoryChanges>;

/**
 * Reads a new directory and fills in defaults.
 *
 * @throws DomainError 400
 */
export function readNewDirectory(json: unknown, policy: OutboundPolicy) {
  const input = InputReader.of(json, STRICT);
  const tenant = scopeText(input, 'tenant');
  const product = scopeText(input, 'product');
  const type = newType(input);
  const directory = {
    tenant,
    product,
    type,
    name: input.text('name', TEXT) || `scim-${tenant}-${product}`,
    strict: input.boolean('strict') ?? false,
    putClearsMembers: input.boolean('put_clears_members') ?? false,
    attributeMapping: attributeMapping(input),
  };
  const webhook = {
    url: webhookUrl(input, 'webhook_url', policy),
    secret: readWebhookSecret(input, 'webhook_secret'),
    logsAttempts: input.boolean('log_webhook_events') ?? false,
  };
  const workspace = readWorkspace(input, type === 'workspace');
  input.throwIfInvalid();
  return { directory, webhook, workspace };
}

/** @throws DomainError 400 */
export function readDirectoryChanges(json: unknown, directory: Directory, policy: OutboundPolicy) {
  const input = InputReader.of(json, STRICT);
  input.allow(CHANGE_FIELDS);
  input.nullable(NULLABLE);
  // A program may pass undefined for a value that it does not change.
  const isSent = (name: string) => input.isPresent(name);
  for (const field of ['tenant', 'product', 'type'] as const) {
    const sent = input.raw(field);
    const isAlias = directory[field] === 'workspace' && WORKSPACE_TYPES.includes(sent);
    if (isSent(field) && sent !== directory[field] && !isAlias) {
      input.addViolation(field, 'cannot be changed', undefined);
    }
  }
  const changes = {
    name: isSent('name') ? input.requiredText('name', TEXT) : undefined,
    deactivated: input.boolean('deactivated'),
    strict: input.boolean('strict'),
    putClearsMembers: input.boolean('put_clears_members'),
    attributeMapping: isSent('attribute_mapping') ? attributeMapping(input) : undefined,
  };
  const webhook = readWebhookChanges(input, policy);
  const workspace = readWorkspaceChanges(input, directory.connection, isSent);
  input.throwIfInvalid();
  return { changes, webhook, workspace };
}

/** The names of the values that were sent and accepted, for audit events. */
export function fieldsOf(json: object | null | undefined): string[] {
  const sent = Object.entries(json ?? {}).filter(([, value]) => value !== undefined);
  return sent.map(([name]) => name);
}

/** A tenant or product. Keys elsewhere join the two with a colon, so neither may contain one. */
export function scopeText(input: InputReader, field: 'tenant' | 'product'): string {
  const text = input.requiredText(field, TEXT);
  return text.includes(':') ? input.addViolation(field, NO_COLON, '') : text;
}

/** A provider type to search for; `google` is an alias of `workspace`. */
export function providerType(input: InputReader, field: string): DirectoryType {
  const value = input.raw(field);
  if (WORKSPACE_TYPES.includes(value)) return 'workspace';
  const isKnown = typeof value === 'string' && Object.hasOwn(PROVIDERS, value);
  return isKnown
    ? (value as DirectoryType)
    : input.addViolation(field, ONE_OF_PROVIDERS, DEFAULT_TYPE);
}

const ONE_OF_PROVIDERS = `must be one of ${Object.keys(PROVIDERS).join(', ')}`;

/** The type of a new directory. */
export function newType(input: InputReader): DirectoryType {
  return input.isPresent('type') ? providerType(input, 'type') : DEFAULT_TYPE;
}

/** '' if unset. */
function webhookUrl(input: InputReader, field: string, policy: OutboundPolicy): string {
  const text = input.text(field, URL_TEXT);
  const fault = text === '' ? undefined : outboundUrlFault(text, policy);
  return fault === undefined ? text : input.addViolation(field, fault, '');
}

/** Changes in the names of the input, or as `webhook: {endpoint, secret}`, the names of a view. */
function readWebhookChanges(input: InputReader, policy: OutboundPolicy) {
  const view = input.child('webhook');
  for (const field of ['webhook_url', 'webhook_secret']) {
    if (view && input.isPresent(field)) {
      input.addViolation(field, 'cannot be combined with webhook', undefined);
    }
  }
  const [reader, urlField, secretField] = view
    ? ([view, 'endpoint', 'secret'] as const)
    : ([input, 'webhook_url', 'webhook_secret'] as const);
  reader.allow([urlField, secretField]);
  // A view without a webhook has two empty texts.
  const isNone = view?.raw('endpoint') === '' && view.raw('secret') === '';
  const hasSecret = reader.isPresent(secretField) && !isNone;
  return {
    url: reader.isPresent(urlField) ? webhookUrl(reader, urlField, policy) : undefined,
    secret: hasSecret ? newWebhookSecret(reader, secretField, input) : undefined,
    logsAttempts: input.boolean('log_webhook_events'),
  };
}

/** A new webhook secret, and how long the old one signs too. */
function newWebhookSecret(reader: InputReader, field: string, input: InputReader) {
  return {
    text: readWebhookSecret(reader, field) ?? '',
    overlapSeconds: readOverlap(input, 'webhook_secret_overlap'),
  };
}
