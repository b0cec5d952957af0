/** A receiver that is away lets messages wait by the thousand: whoever looks for what is due does not go through what is not, nor the other way. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { scopeStatement } from '../../src/db/scope-statement.ts';
import { selectOldestDue } from '../../src/operations/metrics/state.sql.ts';
import { bringForward, claimWebhooks, leaseDeliveries } from '../../src/webhooks/webhook.sql.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import type { PlanNode } from './recording-postgres.ts';
import { nodesOf, rowsThrough } from './rows-through.ts';

const WAITING = 5000;
/** Far less than wait, and more than one message costs in all nodes of a plan. */
const ROWS_MAX = 100;
const [workspaceId, away, behind] = [newId(), newId(), newId()];

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`insert into workspace (id, slug, name) values ($1, 'due', 'W')`, [workspaceId]);
  for (const [webhook, wait] of [
    [away, "interval '1 hour'"],
    // All of them are due, and have been for an hour.
    [behind, "interval '-1 hour'"],
  ] as const) {
    await client.query(
      `insert into webhook (workspace_id, id, url, events, enabled, secret)
       values ($1, $2, 'https://receiver.test/', '[]', true, $3)`,
      [workspaceId, webhook, randomBytes(32)],
    );
    await client.query(
      `insert into webhook_delivery (workspace_id, webhook_id, id, type, payload, status, next_attempt_at)
       select $1, $2, gen_random_uuid(), 'entity.created', '{}', 'pending', now() + ${wait} + n * interval '1 ms'
       from generate_series(1, $3::integer) as n`,
      [workspaceId, webhook, WAITING],
    );
  }
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** As the service asks it. */
async function explain(statement: string, values: readonly unknown[]): Promise<PlanNode> {
  const isOfWorkspace = values.includes(workspaceId);
  const role = isOfWorkspace ? 'partbook_app' : 'partbook_system';
  const scope = { role, workspaceId: isOfWorkspace ? workspaceId : null, lockTimeoutMs: 10_000 };
  const set = scopeStatement({ enable_seqscan: 'off' })(scope);
  await client.query('begin');
  try {
    await client.query(set.text, [...set.values]);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${statement}`,
      [...values],
    );
    return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
  } finally {
    await client.query('rollback');
  }
}

const asked: readonly [what: string, statement: string, values: readonly unknown[]][] = [
  ['takes what is due where nothing is', leaseDeliveries, [workspaceId, away, 10, 60]],
  ['takes the first few of what is due', leaseDeliveries, [workspaceId, behind, 10, 60]],
  ['brings forward where nothing waits for long', bringForward, [workspaceId, behind, 90, 10]],
  ['claims turns', claimWebhooks('instance'), [60, 4]],
  ['claims turns of a workspace', claimWebhooks('workspace'), [60, 4, workspaceId]],
  ['says since when the oldest is due', selectOldestDue, []],
];

describe.each([false, true])('where the tables were counted: %s', (counted) => {
  beforeAll(async () => {
    if (!counted) return;
    await client.query('reset role');
    await client.query('analyze webhook, webhook_delivery');
  });

  test.each(asked)('whoever %s reads no others', async (_, statement, values) => {
    const plan = await explain(statement, values);
    expect(rowsThrough(plan), nodesOf(plan).join('\n')).toBeLessThan(ROWS_MAX);
  });
});
