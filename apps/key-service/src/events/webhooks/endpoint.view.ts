/** The JSON of a webhook endpoint. Neither its secret nor the values of its headers are in it. */
import {
  type Endpoint,
  type EndpointState,
  type PoisonPolicy,
  type Sent,
} from '@gatehouse/delivery';
import { type PoisonPolicyName, type WebhookEndpointStateName } from '../../api/enums.js';

export interface WebhookEndpointView {
  endpoint_id: string;
  url: string;
  /** Empty: all. */
  types: readonly string[];
  header_names: readonly string[];
  logs_attempts: boolean;
  on_poison: PoisonPolicyName;
  state: WebhookEndpointStateName;
  reason: string;
  failures: number;
  failing_since: string | null;
  last_success_time: string | null;
  next_attempt_time: string | null;
  create_time: string;
  update_time: string;
}

/** What became of a test. */
export interface WebhookTestView {
  is_delivered: boolean;
  status_code: number | null;
  duration_ms: number;
  error: string;
}

const STATES: Readonly<Record<EndpointState, WebhookEndpointStateName>> = {
  healthy: 'WEBHOOK_ENDPOINT_STATE_HEALTHY',
  failing: 'WEBHOOK_ENDPOINT_STATE_FAILING',
  paused: 'WEBHOOK_ENDPOINT_STATE_PAUSED',
  stopped: 'WEBHOOK_ENDPOINT_STATE_STOPPED',
};
const POLICIES: Readonly<Record<PoisonPolicy, PoisonPolicyName>> = {
  park: 'POISON_POLICY_PARK',
  block: 'POISON_POLICY_BLOCK',
};

export function webhookEndpointView(
  endpoint: Endpoint,
  headerNames: readonly string[],
): WebhookEndpointView {
  return {
    endpoint_id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types ?? [],
    header_names: headerNames,
    logs_attempts: endpoint.logsAttempts,
    on_poison: POLICIES[endpoint.onPoison],
    state: STATES[endpoint.state],
    reason: endpoint.reason ?? '',
    failures: endpoint.failures,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    last_success_time: endpoint.lastSuccessAt?.toISOString() ?? null,
    next_attempt_time: endpoint.nextAttemptAt?.toISOString() ?? null,
    create_time: endpoint.createdAt.toISOString(),
    update_time: endpoint.updatedAt.toISOString(),
  };
}

export function webhookTestView({ verdict, attempt }: Sent): WebhookTestView {
  const { statusCode, durationMs, error } = attempt;
  return {
    is_delivered: verdict === 'delivered',
    status_code: statusCode,
    duration_ms: durationMs,
    error: error ?? '',
  };
}
