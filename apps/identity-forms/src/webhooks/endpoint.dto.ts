/** Reads the bodies of the webhook endpoints. */
import {
  ENDPOINT_FIELDS,
  type EndpointInput,
  type EndpointInputOptions,
  type NewEndpoint,
  POISON_POLICIES,
  readEndpoint,
  readEndpointFields,
  readWebhookSecret,
  type SecretRotation,
} from '@gatehouse/delivery';
import { LOGGED_IDENTITY_EVENTS } from '@gatehouse/schemas';
import { InputReader } from '@gatehouse/kit/input';
import { type IdentityFormsConfig } from '../config.js';
import { bodyReader, STRICT } from '../http/json-body.js';

const OVERLAP_SECONDS_MAX = 30 * 86_400;

export function optionsOf(config: IdentityFormsConfig): EndpointInputOptions {
  const { webhookAllowPrivate: allowPrivate, webhookPorts: ports } = config;
  return {
    policy: { allowPrivate, ports },
    types: LOGGED_IDENTITY_EVENTS,
    readOnPoison: (body) => body.enumeration('on_poison', POISON_POLICIES),
  };
}

export function readNewEndpoint(json: unknown, options: EndpointInputOptions): NewEndpoint {
  const body = bodyReader(json, STRICT);
  const endpoint = { ...readEndpoint(body, options), secret: readWebhookSecret(body) };
  body.throwIfInvalid();
  return endpoint;
}

/** The members that are sent; null resets one. */
export function readEndpointPatch(
  json: unknown,
  options: EndpointInputOptions,
): Partial<EndpointInput> {
  const body = bodyReader(json, STRICT);
  const sent = ENDPOINT_FIELDS.filter((field) => body.isPresent(field));
  const changes = readEndpointFields(body, sent, options);
  body.throwIfInvalid();
  return changes;
}

/** The body is optional. */
export function readSecretRotation(json: unknown): SecretRotation {
  const body = InputReader.of(json, STRICT);
  const secret = readWebhookSecret(body);
  const overlapSeconds = body.duration('overlap', { max: OVERLAP_SECONDS_MAX }) ?? 0;
  body.throwIfInvalid();
  return { secret, overlapSeconds };
}
