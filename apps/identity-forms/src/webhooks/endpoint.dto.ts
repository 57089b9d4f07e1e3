/** The JSON of webhook endpoints. Neither a secret nor the value of a header is in an answer. */
import {
  type Endpoint,
  ENDPOINT_FIELDS,
  type EndpointInput,
  type EndpointInputOptions,
  type EndpointState,
  type NewEndpoint,
  POISON_POLICIES,
  type PoisonPolicy,
  readEndpoint,
  readEndpointFields,
  readWebhookSecret,
  type SecretRotation,
  type Sent,
} from '@gatehouse/delivery';
import { LOGGED_IDENTITY_EVENTS } from '@gatehouse/schemas';
import { InputReader } from '@gatehouse/service-kit';
import { type IdentityFormsConfig } from '../config.js';
import { bodyReader, STRICT } from '../http/json-body.js';

const OVERLAP_SECONDS_MAX = 30 * 86_400;

export interface WebhookEndpointResponse {
  id: string;
  url: string;
  /** Null: all. */
  types: readonly string[] | null;
  header_names: readonly string[];
  logs_attempts: boolean;
  on_poison: PoisonPolicy;
  state: EndpointState;
  reason: string | null;
  failures: number;
  failing_since: string | null;
  last_success_at: string | null;
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookTestResponse {
  delivered: boolean;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
}

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

export function endpointResponse(
  endpoint: Endpoint,
  headerNames: readonly string[],
): WebhookEndpointResponse {
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types,
    header_names: headerNames,
    logs_attempts: endpoint.logsAttempts,
    on_poison: endpoint.onPoison,
    state: endpoint.state,
    reason: endpoint.reason,
    failures: endpoint.failures,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
    next_attempt_at: endpoint.nextAttemptAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

export function testResponse({ verdict, attempt }: Sent): WebhookTestResponse {
  const { statusCode, durationMs, error } = attempt;
  const delivered = verdict === 'delivered';
  return { delivered, status_code: statusCode, duration_ms: durationMs, error };
}
