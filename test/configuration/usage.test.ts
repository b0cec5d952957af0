// Whether configuration is in use must not cost more the more entities there are.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countEntitiesInStates, countEntitiesOfCategory } from '../../src/configuration/usage.sql.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeDefaultWorkspace(server);
  await workspace.addEntities(30_000);
});
afterAll(() => server.close());

const questions: [string, string, unknown[]][] = [
  ['a state nobody is in', countEntitiesInStates, [['part', 'assembly'], ['Obsolete', 'Released'], 101]],
  ['a state everybody is in', countEntitiesInStates, [['part', 'assembly'], ['In Work'], 101]],
  ['an empty category', countEntitiesOfCategory, ['material', 101]],
  ['a full category', countEntitiesOfCategory, ['part', 101]],
];

test.each(['never analysed', 'analysed'])(
  '%s, the answer is an index range that ends at its limit',
  async (when) => {
    if (when === 'analysed') {
      const owner = new Client({ connectionString: server.ctx.config.DATABASE_URL });
      await owner.connect();
      await owner.query('analyze entity').finally(() => owner.end());
    }
    for (const [name, sql, params] of questions) {
      const plan = await workspace.transact((tx) =>
        tx.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off) ${sql}`, [
          workspace.id,
          ...params,
        ]),
      );
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(text, name).not.toMatch(/Seq Scan|Bitmap|Rows Removed/);
      const rows = [...text.matchAll(/Scan using entity_\w+ on entity.*? rows=(\d+)/g)].map((match) =>
        Number(match[1]),
      );
      expect(rows.length, text).toBeGreaterThan(0);
      expect(Math.max(...rows), text).toBeLessThanOrEqual(101);
    }
  },
);
