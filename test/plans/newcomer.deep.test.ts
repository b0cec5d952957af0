/**
 * A new workspace beside analysed ones, and one whose tables were counted at another time or never: no statement of the service reads a whole workspace, or a whole table, to
 * find what it has the key of. Looked at is every plan as it ran, with its parameters and with what it read.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { findTies, type Planned } from './find-ties.ts';
import {
  countAsEmpty,
  doubtfulTables,
  emptyTables,
  emptyTenantTables,
  forgetCounts,
  multiplyWorkspaces,
} from './multiply-workspaces.ts';
import { type Excess, excessOf, REMOVED_ALWAYS, REMOVED_FOR_EACH } from './plan-excess.ts';
import { type RecordingPostgres, startRecordingPostgres } from './recording-postgres.ts';
import { walkService } from './walk-service.ts';

let postgres: RecordingPostgres;
let server: TestServer;
/** In a database that was just made. */
let first: Walk;
const TIMEOUT_MS = 900_000;

interface Walk {
  workspaceId: string;
  plans: number;
  /** Of every statement as it was planned, one. */
  planned: Planned[];
  /** The worst of each kind. */
  excesses: Excess[];
}

beforeAll(async () => {
  postgres = await startRecordingPostgres();
  server = await startTestServer({
    worker: true,
    databaseUrl: () => postgres.url,
    environment: { SYNC_CHUNK_ELEMENTS: '1000', WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  first = await lookAtWalk(500);
  const { workspaceId } = first;
  await postgres.asSuperuser((client) => multiplyWorkspaces(client, workspaceId));
}, TIMEOUT_MS);
afterAll(async () => {
  await server?.close();
  await postgres?.stop();
});

/** What is empty when the walk is over, whatever happened on the way. */
const EMPTY = new Set([
  // The job of the worker empties it within a second.
  'value_pending',
  // A worker takes the looks within a second.
  'reorder_look',
  // Waiting links have found their parents; no run of the walk has caused another.
  'pending_link',
  'event_chain',
  // Sessions of the web app are looked up by one key alone.
  'web_session',
  // The walk is no operator; it has a row for each workspace that is paused.
  'operator_pause',
]);

/**
 * Statements that read more than they give, with the reason. A plan that goes wrong with a workspace's size is none: where
 * `inBlocks` is said, no row is read and thrown away, but what lies dead or unsorted until the next VACUUM, which this
 * database has none of, is passed.
 */
const KNOWN: readonly { statement: RegExp; inBlocks: boolean; reason: string }[] = [
  {
    statement:
      /^with wanted as materialized \(select search_patterns\(q\) as patterns\)(, named as \()? select found\.id/,
    inBlocks: true,
    reason: 'What is new lies in the unsorted list of the trigram index until it is vacuumed.',
  },
  {
    statement: /exists \(select from pending_link where workspace_id = (\$1\) as any|wanted\))/,
    inBlocks: true,
    reason: 'Links that have just been made lie dead in the index until they are vacuumed.',
  },
  {
    statement:
      /^(update webhook_delivery (d )?set next_attempt_at .* for update skip locked\)|select count\(\*\)::int as refused)/,
    inBlocks: true,
    reason:
      'Deliveries that were sent lie dead under the time at which they were due until they are vacuumed.',
  },
  {
    statement: /row_number\(\) over \(order by starts_on, change, ordinal\)/,
    inBlocks: true,
    reason: 'Two planning runs are compared: all actions of both are read, each with one probe of an index.',
  },
  {
    statement: /\bfrom outbox\b/,
    inBlocks: true,
    reason: 'Events that have been handed on lie dead in the indexes of what waits until they are vacuumed.',
  },
  {
    statement: /^with busy as \( select w\.workspace_id/,
    inBlocks: false,
    reason: 'Looks for what is due in all workspaces, or all webhooks of one.',
  },
  {
    statement: /from stock_ledger where recorded_at > now\(\)/,
    inBlocks: false,
    reason:
      'Of all ledgers, once a minute: what was written since the index of times was last summed up is read.',
  },
  {
    statement: /insert into property_(number|text|line) /,
    inBlocks: false,
    reason:
      'Indexes values: each entity of a bounded portion is asked for each filterable property, and most have few of them.',
  },
  {
    statement: /^with parameters as \(select .*, hits as materialized \( select e\.category, e\.state/,
    inBlocks: false,
    reason: 'Counts of values: each of a bounded number of hits is asked for each property.',
  },
  {
    statement: /^select item_id, location_id, lot, \(count\(\*\) over \(\)\)::int as count/,
    inBlocks: false,
    reason:
      'Verification: until the statistics know of lots, the ledger of a range of items is read for its entries with lots, as the check of the sums reads it, too.',
  },
];

function isKnown({ statement, removed, rows, loops }: Excess): boolean {
  const throwsAway = removed > REMOVED_ALWAYS + REMOVED_FOR_EACH * (rows + loops);
  return KNOWN.some((known) => known.statement.test(statement) && !(known.inBlocks && throwsAway));
}

test('every table of a workspace holds something, or nothing could go wrong with it', async () => {
  const empty = await postgres.asSuperuser(emptyTenantTables);
  expect(empty.filter((table) => !EMPTY.has(table))).toEqual([]);
});

async function lookAtWalk(parts: number): Promise<Walk> {
  await postgres.startRecording();
  const workspaceId = await walkService(server, parts);
  const excesses = new Map<string, Excess>();
  const planned = new Map<string, Planned>();
  let plans = 0;
  for await (const plan of postgres.recorded()) {
    plans += 1;
    const { 'Query Text': text, Settings: settings = {} } = plan;
    planned.set(JSON.stringify([text, settings]), { text, settings });
    for (const excess of excessOf(plan)) {
      if (isKnown(excess)) continue;
      const name = `${excess.node} in ${excess.statement}`;
      const worst = excesses.get(name);
      if (worst === undefined || worst.blocks < excess.blocks) excesses.set(name, excess);
    }
  }
  return { workspaceId, plans, planned: [...planned.values()], excesses: [...excesses.values()] };
}

test('no statement reads more than it has the keys of in a database that was just made', () => {
  expect(first.plans).toBeGreaterThan(2000);
  expect(first.excesses).toEqual([]);
});

test('no statement is given an index while another holds more of what it asks for, where nothing is known of large tables', async () => {
  const { ties, explained } = await postgres.asSuperuser(async (client) => {
    await client.query('begin');
    await forgetCounts(client);
    return findTies(client, first.planned);
  });
  expect(explained).toBeGreaterThan(350);
  expect(ties).toEqual([]);
});

/** What was known of the tables when the workspace came; each goes on from the one before it. */
const KNOWLEDGE: readonly [what: string, parts: number, prepare: () => Promise<unknown>][] = [
  ['that of old workspaces beside it', 5000, async () => {}],
  [
    'that of many workspaces which are gone',
    2000,
    async () => {
      await postgres.asSuperuser(emptyTables);
      await postgres.asSuperuser(countAsEmpty);
      // The worker looks every few seconds; for that long a plan may be one for tables without rows.
      await expect.poll(() => postgres.asSuperuser(doubtfulTables)).toEqual([]);
    },
  ],
  ['nothing', 2000, () => postgres.asSuperuser(forgetCounts)],
  [
    'that of a moment when they were nearly empty',
    2000,
    async () => {
      await postgres.asSuperuser(emptyTables);
      await postgres.asSuperuser(forgetCounts);
      await walkService(server, 20);
      await postgres.asSuperuser((client) => client.query('analyze'));
    },
  ],
];

test.each(KNOWLEDGE)(
  'no statement reads more than it has the keys of, where what is known of the tables is %s',
  async (_, parts, prepare) => {
    await prepare();
    const { plans, excesses } = await lookAtWalk(parts);
    expect(plans).toBeGreaterThan(2000);
    expect(excesses).toEqual([]);
  },
  TIMEOUT_MS,
);
