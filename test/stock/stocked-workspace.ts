/** A workspace with items and locations, and the ways in which tests of stock look at it. */
import { Client } from 'pg';
import { expect } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { verifyLedger } from '../../src/stock/verify-ledger.ts';
import type { TestAnswer, TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

export interface StockedWorkspace extends DefaultWorkspace {
  items: string[];
  locations: string[];
  adjust(
    item: string | undefined,
    location: string | undefined,
    quantity: unknown,
    more?: { note?: string; key?: string },
  ): Promise<TestAnswer>;
  /** Fails unless every position equals the sum of its entries and the ledger verifies. */
  expectConsistent(): Promise<void>;
}

export async function makeStockedWorkspace(
  server: TestServer,
  { items = 3, locations = 3 } = {},
): Promise<StockedWorkspace> {
  const workspace = await makeDefaultWorkspace(server);
  const itemIds = await workspace.addEntities(items);
  const locationIds = await workspace.addEntities(locations, { category: 'location', state: 'Active' });
  return {
    ...workspace,
    items: itemIds,
    locations: locationIds,
    adjust: (itemEntityId, locationEntityId, quantity, { note, key } = {}) =>
      workspace.ask(
        'POST',
        '/stock/adjustments',
        { itemEntityId, locationEntityId, quantity, ...(note === undefined ? {} : { note }) },
        key === undefined ? {} : { 'Idempotency-Key': key },
      ),
    expectConsistent: async () => {
      const wrong = await workspace.transact((tx) => tx.query(selectDrift, [workspace.id]));
      expect(wrong).toEqual([]);
      const verification = await verifyLedger(server.ctx.db, workspace.id);
      expect(verification.problems).toEqual([]);
      expect(verification.ok).toBe(true);
    },
  };
}

// Written apart from the service's own verification, so that the two check each other.
const selectDrift = `
  select * from (
    select item_id, location_id, sum(on_hand_delta) as on_hand, sum(reserved_delta) as reserved,
           sum(on_order_delta) as on_order, max(sequence) as sequence, count(*) as entries,
           count(distinct sequence) as distinct_sequences
    from stock_ledger where workspace_id = $1 group by item_id, location_id
  ) l
  full join (select * from stock_position where workspace_id = $1) p using (item_id, location_id)
  where (l.on_hand, l.reserved, l.on_order, l.sequence, l.entries, l.distinct_sequences)
    is distinct from (p.on_hand, p.reserved, p.on_order, p.sequence, p.sequence, p.sequence)`;

/** A superuser's connection to the file's database, past every wall that the service has. */
export async function asSuperuser<T>(server: TestServer, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server.ctx.config.DATABASE_URL as string });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export const nowhere = newId();
