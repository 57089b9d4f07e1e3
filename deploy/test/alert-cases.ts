/** For each alert: what Prometheus has recorded when it fires, and when it must not yet fire. */

/** Series by their names and labels, with values in the notation of promtool. */
export type Series = Readonly<Record<string, string>>;

export interface AlertCase {
  fires: Series;
  isSilent: Series;
  /** Minutes after which both are looked at. */
  after: number;
  /** Between the values, 1 by default. Prometheus forgets a value after five minutes. */
  intervalMinutes?: number;
  /** Alerts that fire in both. */
  others?: readonly string[];
}

const requests = (errors: number, all = 10_000) => ({
  'http_request_duration_seconds_count{job="key-service",status="500"}': `0+${errors}x5000`,
  'http_request_duration_seconds_count{job="key-service",status="200"}': `0+${all - errors}x5000`,
});

/** 100 requests a minute, of which `count` take longer than two seconds. */
const slow = (count: number) => ({
  'http_request_duration_seconds_bucket{job="dsync-api",le="2"}': `0+${100 - count}x60`,
  'http_request_duration_seconds_bucket{job="dsync-api",le="5"}': '0+100x60',
  'http_request_duration_seconds_bucket{job="dsync-api",le="+Inf"}': '0+100x60',
});

const DAY = 1_440;

export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  GatehouseDown: {
    fires: { 'up{job="dsync-api",instance="b"}': '1x5 0x10' },
    isSilent: { 'up{job="dsync-api",instance="b"}': '1x5 0x1 1x10', 'up{job="other"}': '0x10' },
    after: 10,
  },
  GatehouseMissing: {
    // `_` has no value: the process is no longer known.
    fires: { 'up{job="dsync-worker",instance="a"}': '1x2 _x20' },
    isSilent: { 'up{job="dsync-worker",instance="a"}': '1x30' },
    after: 15,
  },
  ErrorBudgetBurnsFast: {
    fires: requests(160),
    isSilent: requests(130),
    after: 70,
    others: ['ErrorBudgetBurns', 'ErrorBudgetBurnsSlowly'],
  },
  ErrorBudgetBurns: {
    fires: requests(70),
    isSilent: requests(50),
    after: 400,
    others: ['ErrorBudgetBurnsSlowly'],
  },
  ErrorBudgetBurnsSlowly: {
    fires: requests(15),
    isSilent: requests(8),
    after: 3 * DAY + 88,
    intervalMinutes: 4,
  },
  RequestsAreSlow: { fires: slow(3), isSilent: slow(0), after: 30 },
  EventLoopIsBlocked: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{job="key-service"}': '0.7x30' },
    isSilent: { 'nodejs_eventloop_lag_p99_seconds{job="key-service"}': '0.7x5 0.1x30' },
    after: 15,
  },
  FileDescriptorsRunOut: {
    fires: {
      'process_open_fds{job="key-service"}': '900x30',
      'process_max_fds{job="key-service"}': '1024x30',
    },
    isSilent: {
      'process_open_fds{job="key-service"}': '700x30',
      'process_max_fds{job="key-service"}': '1024x30',
    },
    after: 10,
  },
  VerificationFails: {
    fires: { 'key_verifications_total{outcome="internal"}': '0+1x30' },
    isSilent: {
      'key_verifications_total{outcome="internal"}': '5x30',
      'key_verifications_total{outcome="expired"}': '0+9x30',
    },
    after: 15,
  },
  RateLimitsAreNotCounted: {
    fires: { 'key_rate_limit_failures_total{job="key-service"}': '0+1x30' },
    isSilent: { 'key_rate_limit_failures_total{job="key-service"}': '7x30' },
    after: 15,
  },
  UsageIsNotWritten: {
    fires: {
      'key_usage_written_rows_total{instance="a"}': '50x60',
      'key_usage_pending_rows{instance="a"}': '0+20x60',
    },
    isSilent: {
      'key_usage_written_rows_total{instance="a"}': '0+40x60',
      'key_usage_pending_rows{instance="a"}': '20x60',
      'key_usage_lost_total{instance="a"}': '3x60',
    },
    after: 25,
  },
  DeliveryIsLate: {
    fires: { 'dsync_oldest_due_event_age_seconds{system="dsync"}': '0+60x30' },
    isSilent: {
      'dsync_oldest_due_event_age_seconds{system="dsync"}': '200x30',
      'dsync_oldest_pending_event_age_seconds{system="dsync"}': '900x30',
    },
    after: 20,
  },
  EndpointIsDown: {
    fires: { 'dsync_oldest_pending_event_age_seconds{system="keys"}': '3000+60x60' },
    isSilent: { 'dsync_oldest_pending_event_age_seconds{system="keys"}': '3000x60' },
    after: 40,
  },
  EndpointIsPaused: {
    fires: { 'dsync_endpoints_paused{system="dsync"}': '1x30' },
    isSilent: { 'dsync_endpoints_paused{system="dsync"}': '0x30' },
    after: 20,
  },
  EventsAreParked: {
    fires: { 'dsync_events_parked{system="dsync"}': '2x60 3x60' },
    isSilent: { 'dsync_events_parked{system="dsync"}': '3x120' },
    after: 90,
  },
};
