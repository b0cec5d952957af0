/** How many rows pass through a statement that changes many entities, in a small database of which nothing is known yet. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byteaArray, textArray, uuidArray } from '../../src/db/array-parameter.ts';
import { connectDb, type Db } from '../../src/db/connect.ts';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openRevisions } from '../../src/entities/revise-entities.sql.ts';
import { touchParents } from '../../src/sync/chunk/link-chunk.sql.ts';
import { THREAD_SETTINGS } from '../../src/sync/chunk/thread-context.ts';
import { updateEntitiesInPlace } from '../../src/sync/chunk/write-entities.sql.ts';
import { createTestContext } from '../setup/server.ts';
import type { PlanNode } from './recording-postgres.ts';

const [ENTITIES, CHANGED] = [4000, 400];
/** Of each entity that is changed, through all nodes of a plan together. */
const ROWS_FOR_EACH = 20;
const workspaceId = newId();
const changed = Array.from({ length: CHANGED }, newId);
const names = textArray(changed.map((_, i) => `N${i}`));
const [ids, further] = [uuidArray(changed), uuidArray(changed.map(newId))];
let db: Db;
let close: () => Promise<void>;

beforeAll(async () => {
  const made = await createTestContext();
  db = await connectDb({
    url: made.ctx.databaseUrl,
    poolMax: 1,
    applicationName: 'test',
    settings: THREAD_SETTINGS,
    log: { warn: () => {} },
  });
  close = async () => {
    await db.close();
    await made.close();
  };
  await inTransaction(db, 'instance', (tx) =>
    tx.query(`insert into workspace (id, slug, name) values ($1, 'places', 'W')`, [workspaceId]),
  );
  const others = Array.from({ length: ENTITIES - CHANGED }, newId);
  await inTransaction(db, { workspaceId }, (tx) =>
    tx.query(
      `insert into entity (workspace_id, id, version_id, name, category, state, revised_by)
       select $1, id, id, 'N', 'part', 'In Work', $1 from unnest($2::uuid[]) as id`,
      [workspaceId, [...changed, ...others]],
    ),
  );
});
afterAll(() => close());

test.each([
  ['raised by a version', touchParents, [ids]],
  [
    'given other values',
    updateEntitiesInPlace,
    [ids, names, names, textArray(changed.map(() => '{}')), byteaArray(changed.map(() => null))],
  ],
  ['revised', openRevisions, [ids, further, names, workspaceId]],
])('entities that are %s are found by what they are named by', async (_, statement, parameters) => {
  const [plan, after] = await inTransaction(db, { workspaceId }, async (tx) => {
    const asked = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${statement}`,
      [workspaceId, ...parameters],
    );
    const written = await tx.query<{ n: number }>(
      'select count(*)::int as n from entity where workspace_id = $1 and xmin = pg_current_xact_id()::xid',
      [workspaceId],
    );
    return [asked[0]?.['QUERY PLAN'][0].Plan as PlanNode, written[0]?.n];
  });
  expect(after).toBe(CHANGED);
  expect(rowsThrough(plan)).toBeLessThan(ROWS_FOR_EACH * CHANGED);
});

/** Those that a node gave or took for nothing, each time that it ran. */
function rowsThrough(node: PlanNode): number {
  const { 'Rows Removed by Filter': removed = 0, 'Rows Removed by Join Filter': unjoined = 0 } = node;
  const own = (node['Actual Rows'] + removed + unjoined) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsThrough(inner), own);
}
