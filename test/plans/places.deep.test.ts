/**
 * How many rows pass through a statement that is given many ids, whatever is believed of the tables: as threads plan it, anew each
 * time, and as the intake does, which keeps plans. A hundred of thousands never go through all of them.
 */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropQueued, finishQueued } from '../../src/automation/runs/run.sql.ts';
import { newId } from '../../src/db/ids.ts';
import { type ScopeStatement, scopeStatement } from '../../src/db/scope-statement.ts';
import { resolvePortion } from '../../src/entities/links/entity-links.sql.ts';
import { dropStaleLines, forgetNewer } from '../../src/entities/lists/drop-stale-lines.sql.ts';
import { keepIndexOrder } from '../../src/entities/lists/search-entities.sql.ts';
import { selectBest } from '../../src/entities/lists/sort-entities.sql.ts';
import { archiveEntities, archiveLinks, openRevisions } from '../../src/entities/revise-entities.sql.ts';
import { selectAssemblies, selectParents } from '../../src/entities/structure/tree.sql.ts';
import { selectLines } from '../../src/procurement/records/lines.sql.ts';
import {
  lockEntities,
  lockNamedPositions,
  lockOrders,
  lockOrdersOfLines,
  moveEntities,
  selectEndedOrders,
  selectRoles,
} from '../../src/procurement/records/procured-entities.sql.ts';
import { selectRequirements } from '../../src/procurement/records/requirements.sql.ts';
import { selectStockEntities } from '../../src/stock/movements/find-stock-entities.sql.ts';
import { lockPositions } from '../../src/stock/movements/record-requests.sql.ts';
import { THREAD_SETTINGS } from '../../src/sync/chunk/thread-context.ts';
import { onlyProbes } from '../../src/sync/intake/open-intake.ts';
import {
  linkPlanned,
  linkWriters,
  lockParents,
  touchParents,
  upsertPendingLinks,
  waitedFor,
} from '../../src/sync/link/link-chunk.sql.ts';
import {
  compareAndLock,
  lockAsCompared,
  measureProperties,
  selectProperties,
} from '../../src/sync/plan/compare-elements.sql.ts';
import { compareWithStoredLinks } from '../../src/sync/plan/compare-links.sql.ts';
import { selectSentNear } from '../../src/sync/plan/find-unchanged.sql.ts';
import { deleteLinks, deletePendingLinks } from '../../src/sync/structure/exact-structure.sql.ts';
import { updateEntitiesInPlace } from '../../src/sync/write/write-entities.sql.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import type { PlanNode } from './recording-postgres.ts';
import { nodesOf, rowsThrough } from './rows-through.ts';

const [ENTITIES, GIVEN] = [4000, 100];
/** Rows for each that is given, through all nodes of a plan together: a line of an order looks up nine things. */
const ROWS_FOR_EACH = 35;
const workspaceId = newId();
const all = Array.from({ length: ENTITIES }, newId);
const guids = all.map(newId);
const [hub = '', hubGuid = ''] = [newId(), newId()];
const at = (list: readonly string[], offset = 0) =>
  Array.from({ length: GIVEN }, (_, n) => list[n * (ENTITIES / GIVEN) + offset] as string);
const [ids, given] = [at(all), at(guids)];
/** For which links wait: of each GUID three, and of one that nobody has a thousand. */
const awaited = Array.from({ length: GIVEN }, newId);
const each = (value: string | null) => ids.map(() => value);
const names = ids.map((_, n) => `N${n}`);
/** The members of some thirds, null for the others. */
const third = (which: readonly number[], list: readonly (string | null)[]) =>
  list.map((one, n) => (which.includes(Math.floor(n / 34)) ? one : null));
const FIRST = '00000000-0000-0000-0000-000000000000';

type Value = string | number | null | readonly (string | null)[];
const [A, B] = [at(all, 1), at(guids, 1)];
/** Their parameters behind the workspace. */
const STATEMENTS: Record<string, readonly [statement: string, ...Value[]]> = {
  touchParents: [touchParents, ids],
  updateEntitiesInPlace: [updateEntitiesInPlace, ids, names, names, each('{}'), each(null), each(null)],
  openRevisions: [openRevisions, ids, ids.map(newId), names, workspaceId],
  archiveEntities: [archiveEntities, ids],
  archiveLinks: [archiveLinks, ids],
  selectParents: [selectParents, ids, 10_000],
  selectAssemblies: [selectAssemblies, ids],
  moveEntities: [moveEntities, ids, names],
  lockEntities: [lockEntities.group, ids],
  lockOrders: [lockOrders.group, ids],
  lockOrdersOfLines: [lockOrdersOfLines.group, ids],
  selectEndedOrders: [selectEndedOrders, ids, ['Received']],
  selectRoles: [selectRoles, ids],
  selectStockEntities: [selectStockEntities, ids],
  lockPositions: [lockPositions, ids, each(hub)],
  // A third of them by item and location, by line, and by requirement and location.
  lockNamedPositions: [
    lockNamedPositions,
    third([0], ids),
    third([0, 2], each(hub)),
    third([1], A),
    third([2], ids),
  ],
  selectLines: [selectLines, ids],
  selectRequirements: [selectRequirements, ids],
  compareAndLock: [compareAndLock, given, each(null)],
  lockAsCompared: [lockAsCompared, given, each('1')],
  selectSentNear: [selectSentNear, ids[0] as string, ids.at(-1) as string, given, '200', each('Released')],
  measureProperties: [measureProperties, ids],
  selectProperties: [selectProperties, ids],
  'compareWithStoredLinks by GUID': [compareWithStoredLinks.guid.plain, given, B, each('1')],
  'compareWithStoredLinks by id': [
    compareWithStoredLinks.id.withLines,
    ids,
    B,
    each('1'),
    ids.map((_, n) => String(n + 1)),
    each('{}'),
  ],
  lockParents: [lockParents, given],
  'linkPlanned by GUID': [linkPlanned.guid, given, B, each('7')],
  'linkPlanned by id': [linkPlanned.id, ids, A, each('7')],
  'linkWriters by GUID': [linkWriters.known.plain.guid, given, A, each('7')],
  'linkWriters by id': [linkWriters.known.plain.id, ids, A, each('7')],
  'linkWriters of new ones by GUID': [linkWriters.new.plain.guid, given, ids.map(newId), each('7')],
  upsertPendingLinks: [upsertPendingLinks, given, ids.map(newId), each('7')],
  waitedFor: [waitedFor, B],
  resolvePortion: [resolvePortion, B, FIRST, FIRST, 1000],
  deleteLinks: [deleteLinks, each(hub), ids],
  deletePendingLinks: [deletePendingLinks, awaited, ids],
  // A block is of sixteen.
  dropStaleLines: [dropStaleLines, FIRST, Math.round(GIVEN / 16)],
  forgetNewer: [forgetNewer, ids],
  dropQueued: [dropQueued, ids, '{}'],
  finishQueued: [finishQueued, JSON.stringify(ids.map((id) => ({ id, status: 'failed' })))],
};

/** Those that the transactions of calls keep a plan of. */
const OF_CALLS = [
  'lockEntities',
  'lockOrders',
  'lockOrdersOfLines',
  'lockNamedPositions',
  'lockPositions',
  'moveEntities',
  'selectEndedOrders',
  'selectLines',
  'selectRequirements',
  'selectRoles',
  'selectStockEntities',
];

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`insert into workspace (id, slug, name) values ($1, 'places', 'W')`, [workspaceId]);
  const insert = `insert into entity (workspace_id, id, version_id, guid, name, category, state, revised_by)
    select $1, id, id, guid, 'N', 'part', 'In Work', $1 from unnest($2::uuid[], $3::uuid[]) as given (id, guid)`;
  await client.query(insert, [workspaceId, [hub, ...all], [hubGuid, ...guids]]);
  await client.query(
    `insert into entity_link (workspace_id, parent_id, child_id, quantity) select $1, $2, id, 1 from unnest($3::uuid[]) as id`,
    [workspaceId, hub, all],
  );
  await client.query(
    `insert into pending_link (workspace_id, parent_guid, child_id, quantity)
     select $1::uuid, guid, id, 1 from unnest($2::uuid[]) as guid cross join unnest($3::uuid[]) as id
     union all select $1, gen_random_uuid(), id, 1 from unnest($4::uuid[]) as id
     union all select $1, guid, id, 1 from unnest($5::uuid[], $3::uuid[]) as given (guid, id)
     on conflict do nothing`,
    [workspaceId, awaited.slice(0, 3), ids, all, [...awaited.slice(0, 50), ...B.slice(50)]],
  );
  await client.query(
    `insert into stock_position (workspace_id, item_id, location_id, on_hand, reserved, on_order, sequence, hash, updated_at)
     select $1, id, $2, 1, 0, 0, 1, decode(repeat('00', 32), 'hex'), now() from unnest($3::uuid[]) as id`,
    [workspaceId, hub, all],
  );
  await client.query(
    `insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, quantity)
     select $1, id, 'purchaseOrder', $2, id, $2, 1 from unnest($3::uuid[]) as id`,
    [workspaceId, hub, all],
  );
  await client.query(
    `insert into stock_line_total (workspace_id, line_id, item_id, location_id, received, shipped, reserved, on_order)
     select $1, id, id, $2, 0, 0, 0, 1 from unnest($3::uuid[]) as id`,
    [workspaceId, hub, all],
  );
  await client.query(
    `insert into material_requirement (workspace_id, id, project_id, item_id, quantity)
     select $1, id, $2, id, 1 from unnest($3::uuid[]) as id`,
    [workspaceId, hub, all],
  );
  await client.query(
    `insert into stock_requirement_total (workspace_id, requirement_id, item_id, location_id, reserved, issued, ordered, received)
     select $1, id, id, $2, 0, 0, 1, 0 from unnest($3::uuid[]) as id`,
    [workspaceId, hub, all],
  );
  await client.query(
    `insert into automation_run (workspace_id, id, automation_id, script_version, event_id, event_index, context_type,
                                 context, event_at, status, depth)
     select $1::uuid, id, $1, 1, id, 0, 1, '{}', now(), 'queued', 0 from unnest($2::uuid[]) as id`,
    [workspaceId, all],
  );
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Tables as VACUUM or ANALYZE could have counted them at the worst moment, and as nobody has. */
const count = (pages: number, rows: number) =>
  `select pg_restore_relation_stats('schemaname', 'public', 'relname', c.relname::text, 'relpages', ${pages}, 'reltuples', (${rows})::real)
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`;
const KNOWN = {
  nothing: [count(0, -1)],
  // For moments such tables are believed to be empty; then a worker has seen it.
  'pages without rows, which a worker has seen': [count(100, 0), 'select settle_statistics()'],
  'a row on each page': [count(100, 100)],
  'a table of three rows': [count(1, 3)],
};

describe.each(Object.entries(KNOWN))('where what is known of the tables is %s', (_, counting) => {
  test.each([
    ['a thread', scopeStatement({ enable_seqscan: 'off', ...THREAD_SETTINGS }), Object.keys(STATEMENTS)],
    ['the intake', scopeStatement({ enable_seqscan: 'off', ...onlyProbes }), Object.keys(STATEMENTS)],
    ['a call', scopeStatement({ enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' }), OF_CALLS],
  ])('ids that %s gives are looked for, each by itself', async (_, scope, asked) => {
    await client.query('begin');
    for (const one of counting) await client.query(one);
    const excesses: unknown[] = [];
    for (const name of asked) {
      const [statement, ...values] = STATEMENTS[name] as (typeof STATEMENTS)[string];
      const plan = await explain(scope, statement, [workspaceId, ...values]);
      const rows = rowsThrough(plan);
      if (rows >= ROWS_FOR_EACH * GIVEN) excesses.push([name, rows, nodesOf(plan)]);
    }
    await client.query('rollback');
    expect(excesses).toEqual([]);
  });

  test.each([
    // What all have: of the first blocks some hundred lines, and a hundred entities.
    [{ source: 'all', byIndex: true }, 'n', 20_000],
    [{ source: 'all', byIndex: true }, 'bolt', 2000],
    [{ source: 'all', byIndex: false }, '--', 2000],
    // With a filter these are all looked at, and the range of the filter where few fit.
    [{ source: 'categories', byIndex: true }, 'n', 40_000],
    [{ source: 'categories', byIndex: true }, 'bolt', 40_000],
    [{ source: 'states', byIndex: false }, '--', 40_000],
  ] as const)('while somebody types, the best of %o %o are probed for', async (best, q, rowsMax) => {
    await client.query('begin');
    for (const one of counting) await client.query(one);
    await client.query(keepIndexOrder);
    const [categories, states] = best.source === 'all' ? [null, null] : [['part'], ['In Work']];
    const ofStates = best.source === 'states' ? states : null;
    const values = [workspaceId, 2000, 20, categories, ofStates, q, null, [q], 'false'];
    const plan = await explain(scopeStatement({ enable_seqscan: 'off' }), selectBest(best), values);
    await client.query('rollback');
    expect(rowsThrough(plan), nodesOf(plan).join('\n')).toBeLessThan(rowsMax);
  });
});

/** As it ran; nothing of it is left. */
async function explain(
  scope: ScopeStatement,
  statement: string,
  values: readonly Value[],
): Promise<PlanNode> {
  await client.query('savepoint asked');
  const set = scope({ role: 'partbook_app', workspaceId, lockTimeoutMs: 10_000 });
  await client.query(set.text, [...set.values]);
  await client.query(`prepare asked as ${statement}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) execute asked (${values.map(literal).join(', ')})`,
  );
  await client.query('deallocate asked');
  await client.query('rollback to savepoint asked');
  return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
}

function literal(value: Value): string {
  if (value === null || typeof value === 'number') return String(value);
  if (typeof value === 'string') return client.escapeLiteral(value);
  return client.escapeLiteral(
    `{${value.map((one) => (one === null ? 'null' : JSON.stringify(one))).join()}}`,
  );
}
