// A page is bounded by bytes as well as by rows: whatever its rows hold, it is shorter then, and goes on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/api.ts';
import type { ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type LargeList, makeLargeWorkspace } from './large-workspace.ts';

/** What the service holds a page to, what JSON adds to it, and the part of it that is not in the rows' long columns. */
const PAGE_BYTES_MAX = 1024 * 1024 * 1.3;
const TIMEOUT_MS = 300_000;

let server: TestServer;
let workspace: ProcuringWorkspace;
let lists: ReadonlyMap<string, LargeList>;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspace, lists } = await makeLargeWorkspace(server));
}, TIMEOUT_MS);
afterAll(() => server.close());

/** Lists of what is in memory and small, of exchange rates, cost layers, standard costs and variances, count tasks and forecasts (short rows), what stock is worth and the reorder list (at most 200 items a page), of actions (the large workspace has few), the operator's, and those whose pages a thread makes (merge-results and resend). */
const others = [
  'listExchangeRates',
  'listFeatureAutomations',
  'listActions',
  'listEntityActions',
  'listSystemAutomations',
  'listLedgerActors',
  'listReorder',
  'listStockValues',
  'listCountTasks',
  'listForecasts',
  'listCostLayers',
  'listStandardCosts',
  'listCostVariances',
  'listWorkspaces',
  'listSyncResults',
  'listSentElements',
];

test('no list is left out', () => {
  const paged = routes.filter(({ query }) => query !== undefined && 'cursor' in query.shape);
  const named = paged.map(({ operationId }) => operationId);
  expect(named.filter((one) => !lists.has(one) && !others.includes(one))).toEqual([]);
});

test('every list ends its pages at the bound, and shows everything once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const shorter = new Set<string>();
  for (const [operationId, { path, count, by }] of lists) {
    const seen = new Set<unknown>();
    let items = 0;
    let cursor: string | null = null;
    do {
      const query: string = `${path.includes('?') ? '&' : '?'}limit=1000${cursor === null ? '' : `&cursor=${cursor}`}`;
      const answer = await workspace.ask('GET', `${path}${query}`);
      expect(answer.status, `${operationId} ${answer.text.slice(0, 300)}`).toBe(200);
      expect(Buffer.byteLength(answer.text), operationId).toBeLessThan(PAGE_BYTES_MAX);
      expect(answer.body.items.length, operationId).toBeGreaterThan(0);
      for (const one of answer.body.items as Record<string, unknown>[])
        seen.add(
          by
            .split('+')
            .map((key) =>
              key.split('.').reduce((of: unknown, name) => (of as Record<string, unknown>)[name], one),
            )
            .join(),
        );
      items += answer.body.items.length;
      cursor = answer.body.nextCursor;
      if (cursor !== null && answer.body.items.length < 1000) shorter.add(operationId);
    } while (cursor !== null);
    expect(seen.size, operationId).toBe(items);
    if (count !== null) expect(items, operationId).toBe(count);
  }
  // The rows of each are fat enough for the bound to have mattered.
  expect([...lists.keys()].filter((one) => !shorter.has(one))).toEqual([]);
});
