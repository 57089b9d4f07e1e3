/** Reads what callers send about a directory. One error of status 400 names every invalid field. */
import { type FieldViolation } from '@gatehouse/kit/errors';
import { InputReader } from '@gatehouse/kit/input';
import { type OutboundPolicy, outboundUrlFault } from '@gatehouse/kit/outbound';
import { type Directory } from '../../directories/directory.entity.js';
import { DEFAULT_TYPE, type DirectoryType, PROVIDERS } from '../../directories/directory.types.js';
import { readOverlap, readWebhookSecret } from '@gatehouse/delivery';
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
const NO_COLON = 'cannot contain the character :';
/** Names of the type of directories that are read from the API of their provider. */
const WORKSPACE_TYPES: readonly unknown[] = ['workspace', 'google'];

export { readOverlap as overlapSeconds } from '@gatehouse/delivery';

/** Options of readers: unknown members are refused. */
export const STRICT = { message: violationMessage, unknown: 'refuse' } as const;

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
    url: webhookUrl(input, policy),
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
  // A program may pass undefined for a value that it does not change; null removes the value.
  const isSent = (name: string) => (json as Record<string, unknown> | null)?.[name] !== undefined;
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
  const webhook = {
    url: isSent('webhook_url') ? webhookUrl(input, policy) : undefined,
    secret: isSent('webhook_secret') ? newWebhookSecret(input) : undefined,
    logsAttempts: input.boolean('log_webhook_events'),
  };
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

/** The message of an error: `field: description`, except where the phrase is a sentence. */
export function violationMessage(violations: readonly FieldViolation[]): string {
  return violations
    .map(({ field, description }) => field + (description === NO_COLON ? ' ' : ': ') + description)
    .join('; ');
}

const ONE_OF_PROVIDERS = `must be one of ${Object.keys(PROVIDERS).join(', ')}`;

/** The type of a new directory. */
export function newType(input: InputReader): DirectoryType {
  return (input.raw('type') ?? '') === '' ? DEFAULT_TYPE : providerType(input, 'type');
}

/** '' if unset. */
function webhookUrl(input: InputReader, policy: OutboundPolicy): string {
  const text = input.text('webhook_url', URL_TEXT);
  const fault = text === '' ? undefined : outboundUrlFault(text, policy);
  return fault === undefined ? text : input.addViolation('webhook_url', fault, '');
}

/** A new webhook secret, and how long the old one signs too. */
function newWebhookSecret(input: InputReader) {
  const isUnset = (input.raw('webhook_secret') ?? '') === '';
  if (isUnset) input.addViolation('webhook_secret', 'is required', undefined);
  return {
    text: readWebhookSecret(input, 'webhook_secret') ?? '',
    overlapSeconds: readOverlap(input, 'webhook_secret_overlap'),
  };
}
