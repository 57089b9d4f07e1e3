/** The dashboards of Grafana: what they show, and the JSON that Grafana imports. */

interface Panel {
  title: string;
  /** Unit names of Grafana. */
  unit: 'reqps' | 's' | 'percentunit' | 'bytes' | 'short' | 'ops';
  /** PromQL by legend. */
  series: Readonly<Record<string, string>>;
}

export interface Dashboard {
  uid: string;
  title: string;
  panels: readonly Panel[];
}

const DURATIONS = 'http_request_duration_seconds';

/** Rate, errors and duration of requests, as far as a selector goes. */
function requests(selector: string, by: string): Panel[] {
  const rate = `sum by (${by}) (rate(${DURATIONS}_count{${selector}}[$__rate_interval]))`;
  const errors = `sum by (${by}) (rate(${DURATIONS}_count{${selector},status=~"5.."}[$__rate_interval]))`;
  const quantile = (share: number) =>
    `histogram_quantile(${share}, sum by (${by}, le) (rate(${DURATIONS}_bucket{${selector}}[$__rate_interval])))`;
  return [
    { title: 'Requests', unit: 'reqps', series: { [`{{${by}}}`]: rate } },
    {
      title: 'Failed with 5xx',
      unit: 'percentunit',
      series: { [`{{${by}}}`]: `${errors} / ${rate}` },
    },
    { title: 'Duration, median', unit: 's', series: { [`{{${by}}}`]: quantile(0.5) } },
    { title: 'Duration, 99th percentile', unit: 's', series: { [`{{${by}}}`]: quantile(0.99) } },
  ];
}

function processes(selector: string): Panel[] {
  return [
    {
      title: 'Processor time',
      unit: 'percentunit',
      series: {
        '{{job}} {{instance}}': `rate(process_cpu_seconds_total{${selector}}[$__rate_interval])`,
      },
    },
    {
      title: 'Memory',
      unit: 'bytes',
      series: { '{{job}} {{instance}}': `process_resident_memory_bytes{${selector}}` },
    },
    {
      title: 'Event loop, 99th percentile of the lag',
      unit: 's',
      series: { '{{job}} {{instance}}': `nodejs_eventloop_lag_p99_seconds{${selector}}` },
    },
    {
      title: 'File descriptors',
      unit: 'short',
      series: { '{{job}} {{instance}}': `process_open_fds{${selector}}` },
    },
  ];
}

/** Every worker reports the state of the whole system. */
const ofSystem = (metric: string) => ({ '{{system}}': `max by (system) (${metric})` });

const JOBS = 'job=~"key-service|dsync-api|dsync-worker|identity-forms|console"';
const BACKLOG: Panel[] = [
  { title: 'Lanes that are due', unit: 'short', series: ofSystem('dsync_lanes_due') },
  {
    title: 'Oldest event that is due',
    unit: 's',
    series: ofSystem('dsync_oldest_due_event_age_seconds'),
  },
];
const VERIFICATIONS: Panel = {
  title: 'Verifications by outcome',
  unit: 'ops',
  series: {
    '{{outcome}}': 'sum by (outcome) (rate(key_verifications_total[$__rate_interval]))',
  },
};

export const DASHBOARDS: readonly Dashboard[] = [
  {
    uid: 'gatehouse',
    title: 'Gatehouse',
    panels: [
      { title: 'Processes', unit: 'short', series: { '{{job}}': `sum by (job) (up{${JOBS}})` } },
      {
        title: 'What runs',
        unit: 'short',
        series: {
          '{{service}} {{version}} {{revision}}':
            'sum by (service, version, revision) (gatehouse_build_info)',
        },
      },
      ...requests(JOBS, 'job'),
      VERIFICATIONS,
      ...BACKLOG,
      ...processes(JOBS),
    ],
  },
  {
    uid: 'gatehouse-key-service',
    title: 'Gatehouse: key service',
    panels: [
      VERIFICATIONS,
      {
        title: 'Keys found in the cache',
        unit: 'percentunit',
        series: {
          '{{instance}}':
            'sum by (instance) (rate(key_cache_reads_total{result="hit"}[$__rate_interval])) / ' +
            'sum by (instance) (rate(key_cache_reads_total[$__rate_interval]))',
        },
      },
      {
        title: 'Keys in the cache',
        unit: 'short',
        series: { '{{instance}}': 'key_cache_entries' },
      },
      {
        title: 'Requests that Redis did not count',
        unit: 'ops',
        series: {
          '{{instance}}': 'rate(key_rate_limit_failures_total[$__rate_interval])',
        },
      },
      {
        title: 'Rows of usage that wait',
        unit: 'short',
        series: { '{{instance}}': 'key_usage_pending_rows' },
      },
      {
        title: 'Verifications whose count was lost or merged',
        unit: 'ops',
        series: {
          lost: 'sum(rate(key_usage_lost_total[$__rate_interval]))',
          '{{bound}}': 'sum by (bound) (rate(key_usage_overflows_total[$__rate_interval]))',
        },
      },
      ...requests('job="key-service"', 'route'),
      ...processes('job="key-service"'),
    ],
  },
  {
    uid: 'gatehouse-directory-sync',
    title: 'Gatehouse: directory sync',
    panels: [
      ...BACKLOG,
      { title: 'Lanes that wait', unit: 'short', series: ofSystem('dsync_lanes_waiting') },
      {
        title: 'Oldest undelivered event',
        unit: 's',
        series: ofSystem('dsync_oldest_pending_event_age_seconds'),
      },
      { title: 'Paused endpoints', unit: 'short', series: ofSystem('dsync_endpoints_paused') },
      { title: 'Parked events', unit: 'short', series: ofSystem('dsync_events_parked') },
      {
        title: 'Delivered events',
        unit: 'ops',
        series: { events: 'sum(rate(dsync_delivered_events_total[$__rate_interval]))' },
      },
      {
        title: 'Attempts by outcome',
        unit: 'ops',
        series: {
          '{{outcome}}': 'sum by (outcome) (rate(dsync_delivery_attempts_total[$__rate_interval]))',
        },
      },
      {
        title: 'Response time of endpoints',
        unit: 's',
        series: {
          median:
            'histogram_quantile(0.5, sum by (le) (rate(dsync_delivery_duration_seconds_bucket[$__rate_interval])))',
          '99th percentile':
            'histogram_quantile(0.99, sum by (le) (rate(dsync_delivery_duration_seconds_bucket[$__rate_interval])))',
        },
      },
      {
        title: 'Turns of workspace runs by end',
        unit: 'ops',
        series: {
          '{{end}}':
            'sum by (end) (rate(dsync_workspace_turn_duration_seconds_count[$__rate_interval]))',
        },
      },
      {
        title: 'Notifications of workspace providers',
        unit: 'ops',
        series: {
          '{{outcome}}':
            'sum by (outcome) (rate(dsync_workspace_notifications_total[$__rate_interval]))',
        },
      },
      ...requests('job="dsync-api"', 'route'),
      ...processes('job=~"dsync-.*"'),
    ],
  },
  {
    uid: 'gatehouse-identity-forms',
    title: 'Gatehouse: identity forms',
    panels: [...requests('job="identity-forms"', 'route'), ...processes('job="identity-forms"')],
  },
];

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const COLUMNS = 2;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;

/** A dashboard in the format that Grafana imports and provisions (schema 39, Grafana 10 and newer). */
export function grafanaJson({ uid, title, panels }: Dashboard): object {
  return {
    uid,
    title,
    tags: ['gatehouse'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map((panel, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: panel.title,
      datasource: DATASOURCE,
      gridPos: {
        x: (index % COLUMNS) * WIDTH,
        y: Math.floor(index / COLUMNS) * HEIGHT,
        w: WIDTH,
        h: HEIGHT,
      },
      fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
      options: { legend: { displayMode: 'table', placement: 'right', calcs: ['lastNotNull'] } },
      targets: Object.entries(panel.series).map(([legendFormat, expr], n) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + n),
        datasource: DATASOURCE,
        expr,
        legendFormat,
      })),
    })),
  };
}
