/** Reads the bodies of the webhook endpoints. */
import {
  ENDPOINT_FIELDS,
  type EndpointInput,
  type EndpointInputOptions,
  type NewEndpoint,
  type PoisonPolicy,
  readEndpoint,
  readEndpointFields,
  readWebhookSecret,
  type SecretRotation,
} from '@gatehouse/delivery';
import { LOGGED_KEY_EVENTS } from '@gatehouse/schemas';
import { type InputReader } from '@gatehouse/kit/input';
import { type KeyServiceConfig } from '../../config.js';
import { POISON_POLICIES } from '../../api/enums.js';
import { readDuration } from '../../api/fields/key-fields.js';
import { parseUpdateMask } from '../../api/update-mask.js';
import { type WebhookEndpointView } from './endpoint.view.js';

const GRACE_SECONDS_MAX = 30 * 86_400;

/** The other fields of a record, which is accepted as it was read. */
const IMMUTABLE_FIELDS: readonly (keyof WebhookEndpointView)[] = [
  ...(['endpoint_id', 'header_names', 'state', 'reason', 'failures', 'failing_since'] as const),
  ...(['last_success_time', 'next_attempt_time', 'create_time', 'update_time'] as const),
];

export function optionsOf(config: KeyServiceConfig): EndpointInputOptions {
  const { webhookAllowPrivate: allowPrivate, webhookPorts: ports } = config;
  return { policy: { allowPrivate, ports }, types: LOGGED_KEY_EVENTS, readOnPoison };
}

export function readNewEndpoint(body: InputReader, options: EndpointInputOptions): NewEndpoint {
  const endpoint = { ...readEndpoint(body, options), secret: readWebhookSecret(body) };
  body.throwIfInvalid();
  return endpoint;
}

/** As the PATCH of a key: a field in the mask that the body leaves out is reset. */
export function readEndpointUpdate(
  body: InputReader,
  mask: unknown,
  options: EndpointInputOptions,
): Partial<EndpointInput> {
  body.allow(IMMUTABLE_FIELDS);
  const populated = ENDPOINT_FIELDS.filter((field) => !isEmpty(body.raw(field)));
  const fields = parseUpdateMask(mask, ENDPOINT_FIELDS) ?? populated;
  const changes = readEndpointFields(body, fields, options);
  body.throwIfInvalid();
  return changes;
}

export function readSecretRotation(body: InputReader): SecretRotation {
  const secret = readWebhookSecret(body);
  const overlapSeconds = readDuration(body, 'grace_period', GRACE_SECONDS_MAX) ?? 0;
  body.throwIfInvalid();
  return { secret, overlapSeconds };
}

function readOnPoison(body: InputReader): PoisonPolicy {
  const policy = body.enumeration('on_poison', POISON_POLICIES);
  return policy === 'POISON_POLICY_BLOCK' ? 'block' : 'park';
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
