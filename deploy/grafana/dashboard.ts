/** The Grafana dashboard as data: rows from what callers see down to the process, each panel a question. */

interface Panel {
  title: string;
  unit: 'reqps' | 's' | 'short' | 'percentunit' | 'bytes' | 'ops' | 'dateTimeFromNow';
  /** Legend to expression. */
  lines: Record<string, string>;
}

const calls = 'http_server_request_duration_seconds';
const notHealth = 'http_route!~"/health/.*"';

const rows: Record<string, Panel[]> = {
  'What callers see': [
    {
      title: 'Calls by status',
      unit: 'reqps',
      lines: {
        '{{http_response_status_code}}': `sum by (http_response_status_code) (rate(${calls}_count{${notHealth}}[$__rate_interval]))`,
      },
    },
    {
      title: 'Share of calls that got 5xx',
      unit: 'percentunit',
      lines: {
        '5 min': 'partbook:http_error_ratio:rate5m',
        '6 h': 'partbook:http_error_ratio:rate6h',
      },
    },
    {
      title: 'Time of calls',
      unit: 's',
      lines: {
        p50: `histogram_quantile(0.5, sum by (le) (rate(${calls}_bucket{${notHealth}}[$__rate_interval])))`,
        p95: `histogram_quantile(0.95, sum by (le) (rate(${calls}_bucket{${notHealth}}[$__rate_interval])))`,
        p99: `histogram_quantile(0.99, sum by (le) (rate(${calls}_bucket{${notHealth}}[$__rate_interval])))`,
      },
    },
    {
      title: 'The ten slowest routes, p95',
      unit: 's',
      lines: {
        '{{http_request_method}} {{http_route}}': `topk(10, histogram_quantile(0.95, sum by (le, http_request_method, http_route) (rate(${calls}_bucket{${notHealth}}[$__rate_interval]))))`,
      },
    },
  ],
  Imports: [
    {
      title: 'Batches by what they ended as',
      unit: 'ops',
      lines: { '{{status}}': 'sum by (status) (rate(partbook_sync_batches_total[$__rate_interval]))' },
    },
    {
      title: 'Batches that are not done, and the longest standstill',
      unit: 'short',
      lines: {
        unfinished: 'max(partbook_sync_batches_unfinished)',
        'seconds without a move': 'max(partbook_sync_oldest_idle_seconds)',
      },
    },
    {
      title: 'Steps by pass, p95',
      unit: 's',
      lines: {
        '{{pass}}':
          'histogram_quantile(0.95, sum by (le, pass) (rate(partbook_sync_chunk_duration_seconds_bucket[$__rate_interval])))',
        '{{pass}} failed a second':
          'sum by (pass) (rate(partbook_sync_chunk_failures_total[$__rate_interval])) > 0',
      },
    },
  ],
  'Queues and events': [
    {
      title: 'Jobs',
      unit: 'short',
      lines: { '{{queue}} {{state}}': 'max by (queue, state) (partbook_queue_jobs{state!="failed"})' },
    },
    {
      title: 'Age of the next job',
      unit: 's',
      lines: { '{{queue}}': 'max by (queue) (partbook_queue_oldest_waiting_seconds)' },
    },
    {
      title: 'Oldest unread event, oldest due delivery, latest schedule',
      unit: 's',
      lines: {
        '{{reader}}': 'max by (reader) (partbook_outbox_oldest_unread_seconds)',
        deliveries: 'max(partbook_webhook_oldest_due_seconds)',
        schedules: 'max(partbook_schedule_oldest_due_seconds)',
      },
    },
    {
      title: 'Failed announcements',
      unit: 'ops',
      lines: {
        '{{queue}}': 'sum by (queue) (rate(partbook_queue_announce_failures_total[$__rate_interval]))',
      },
    },
    {
      title: 'Scripts and deliveries by outcome',
      unit: 'ops',
      lines: {
        'scripts {{outcome}}': 'sum by (outcome) (rate(partbook_script_runs_total[$__rate_interval]))',
        'deliveries {{outcome}}':
          'sum by (outcome) (rate(partbook_webhook_attempts_total[$__rate_interval]))',
      },
    },
    {
      title: 'Time of scripts and deliveries, p95',
      unit: 's',
      lines: {
        scripts:
          'histogram_quantile(0.95, sum by (le) (rate(partbook_script_duration_seconds_bucket[$__rate_interval])))',
        deliveries:
          'histogram_quantile(0.95, sum by (le) (rate(partbook_webhook_attempt_duration_seconds_bucket[$__rate_interval])))',
      },
    },
  ],
  'PostgreSQL and the ledger': [
    {
      title: 'Connections',
      unit: 'short',
      lines: {
        '{{state}}': 'sum by (state) (partbook_db_pool_connections)',
        waiting: 'sum(partbook_db_pool_waiting)',
      },
    },
    {
      title: 'Failed bursts by class, silent connections',
      unit: 'ops',
      lines: {
        '{{sqlstate_class}}':
          'sum by (sqlstate_class) (rate(partbook_db_burst_failures_total[$__rate_interval]))',
        silent: 'sum(rate(partbook_db_burst_timeouts_total[$__rate_interval]))',
      },
    },
    {
      title: 'Entries of the ledger',
      unit: 'ops',
      lines: { entries: 'sum(rate(partbook_ledger_entries_total[$__rate_interval]))' },
    },
    {
      title: 'Ledgers last found sound',
      unit: 's',
      lines: {
        'seconds ago': 'time() - max(partbook_ledger_verified_timestamp_seconds)',
        contradictions: 'sum(increase(partbook_ledger_contradictions_total[1h]))',
      },
    },
    {
      title: 'Clocks',
      unit: 's',
      lines: {
        'PostgreSQL ahead of {{instance}}': 'partbook_db_clock_skew_seconds',
        'ledger ahead of PostgreSQL': 'max(partbook_ledger_ahead_seconds)',
      },
    },
  ],
  Processes: [
    {
      title: 'Processes by role',
      unit: 'short',
      lines: { '{{role}} {{version}}': 'count by (role, version) (partbook_process_info)' },
    },
    {
      title: 'Event loop, p99',
      unit: 's',
      lines: { '{{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
    },
    {
      title: 'Memory',
      unit: 'bytes',
      lines: { '{{instance}}': 'process_resident_memory_bytes' },
    },
    {
      title: 'Age of what is looked up',
      unit: 's',
      lines: { '{{source}}': 'time() - max by (source) (partbook_sampled_timestamp_seconds)' },
    },
  ],
};

const WIDTH = 24;
const PANEL = { w: 8, h: 8 };

export function dashboard(): object {
  const panels: object[] = [];
  let y = 0;
  let id = 1;
  for (const [title, all] of Object.entries(rows)) {
    panels.push({
      type: 'row',
      title,
      id: id++,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: WIDTH, h: 1 },
    });
    all.forEach((panel, place) => {
      const perRow = WIDTH / PANEL.w;
      const gridPos = {
        x: (place % perRow) * PANEL.w,
        y: y + Math.floor(place / perRow) * PANEL.h,
        ...PANEL,
      };
      panels.push(panelOf(panel, id++, gridPos));
    });
    y += Math.ceil(all.length / (WIDTH / PANEL.w)) * PANEL.h;
  }
  return {
    uid: 'partbook',
    title: 'Partbook',
    schemaVersion: 39,
    tags: ['partbook'],
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels,
  };
}

function panelOf({ title, unit, lines }: Panel, id: number, gridPos: object): object {
  return {
    type: 'timeseries',
    id,
    title,
    gridPos,
    datasource: { type: 'prometheus', uid: '$source' },
    fieldConfig: { defaults: { unit, min: title === 'Clocks' ? undefined : 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(lines).map(([legendFormat, expr], at) => ({
      refId: String.fromCharCode(65 + at),
      expr,
      legendFormat,
    })),
  };
}
