/** A workspace with items and locations, and the ways in which tests of stock look at it. */
import { Client } from 'pg';
import { expect } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { verifyLedger } from '../../src/stock/ledger/verify-ledger.ts';
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
  /** Fails unless every position, line and requirement equals the sum of its entries and the ledger verifies. */
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
      for (const sql of [selectDrift, selectLineDrift, selectRequirementDrift, selectLotDrift]) {
        const wrong = await workspace.transact((tx) => tx.query(sql, [workspace.id]));
        expect(wrong).toEqual([]);
      }
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

const selectLineDrift = `
  select * from (
    select line_id, item_id, location_id, sum(case when movement_type like '_OReceipt' then on_hand_delta else 0 end) as received,
           sum(case when movement_type like '%Shipment' then -on_hand_delta else 0 end) as shipped,
           sum(case when movement_type like '%Return' then abs(on_hand_delta) * case when reverses_id is null then 1 else -1 end
                    else 0 end) as returned,
           sum(case when requirement_id is not null and movement_type like 'MR%' then 0 else reserved_delta end) as reserved,
           sum(on_order_delta) as on_order,
           sum(case when requirement_id is not null and on_hand_delta = 0 then on_order_delta else 0 end) as ordered_for,
           sum(case when requirement_id is not null and movement_type like '_OReceipt' then on_hand_delta else 0 end) as received_for
    from stock_ledger where workspace_id = $1 and line_id is not null group by line_id, item_id, location_id
  ) l
  full join (select * from stock_line_total where workspace_id = $1) t using (line_id, item_id, location_id)
  where (l.received, l.shipped, l.reserved, l.on_order, l.returned, l.ordered_for, l.received_for)
    is distinct from (t.received, t.shipped, t.reserved, t.on_order, t.returned, t.ordered_for, t.received_for)`;

const selectRequirementDrift = `
  select * from (
    select requirement_id, item_id, location_id,
           sum(case when movement_type in ('MRReservation', 'MRRelease') then sign(quantity) * coalesce(covered_quantity, abs(quantity))
                    when movement_type = 'MRIssue' and reserved_delta = 0 then coalesce(covered_quantity, -on_hand_delta)
                    when movement_type = 'MRIssue' and covered_quantity is null then reserved_delta - on_hand_delta
                    else 0 end) as reserved,
           sum(case when covered_quantity is null then 0 else reserved_delta end) as substitute_held,
           sum(case when covered_quantity is null or reserved_delta = 0 then 0
                    when movement_type = 'MRIssue' then -covered_quantity else sign(quantity) * covered_quantity end) as substitute_covers,
           sum(case when movement_type = 'MRIssue' then coalesce(covered_quantity, -on_hand_delta) else 0 end) as issued,
           sum(case when on_hand_delta = 0 then on_order_delta else 0 end) as ordered,
           sum(case when movement_type like '_OReceipt' then on_hand_delta else 0 end) as received,
           sum(case when movement_type = 'POReturn' then -on_hand_delta else 0 end) as returned
    from stock_ledger where workspace_id = $1 and requirement_id is not null group by requirement_id, item_id, location_id
  ) l
  full join (select * from stock_requirement_total where workspace_id = $1) t using (requirement_id, item_id, location_id)
  where (l.reserved, l.issued, l.ordered, l.received, l.returned, l.substitute_held, l.substitute_covers)
    is distinct from (t.reserved, t.issued, t.ordered, t.received, t.returned, t.substitute_held, t.substitute_covers)`;

const selectLotDrift = `
  select * from (
    select item_id, location_id, lot, sum(on_hand_delta) as on_hand
    from stock_ledger where workspace_id = $1 and lot is not null group by item_id, location_id, lot
  ) l
  full join (select * from stock_lot_position where workspace_id = $1) p using (item_id, location_id, lot)
  left join (select * from stock_position where workspace_id = $1) s using (item_id, location_id)
  left join stock_lot n on n.workspace_id = $1 and n.item_id = p.item_id and n.number = p.lot
  where l.on_hand is distinct from p.on_hand or n.id is null or (n.kind = 'serial') is distinct from p.is_serial
    or coalesce(s.in_lots, 0) <> (
      select sum(on_hand) from stock_lot_position o
      where o.workspace_id = $1 and o.item_id = s.item_id and o.location_id = s.location_id)`;

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

/**
 * Purchase lines and requirements of these ids at the first position of the workspace, with so many entries each: an order and
 * receipts for a line, reservations for a requirement. What the service looks at; no chain, no position.
 */
export async function fillLines(
  client: Client,
  { id, items: [item], locations: [location] }: StockedWorkspace,
  lines: readonly string[],
  entries: number,
  of: 'line' | 'requirement' = 'line',
): Promise<void> {
  await client.query(
    of === 'line'
      ? `insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, quantity)
         select $1, line, 'purchaseOrder', $1, $2, $3, 1000000 from unnest($4::uuid[]) as line`
      : `insert into material_requirement (workspace_id, id, project_id, item_id, quantity)
         select $1, line, $1, $2, 1000000 from unnest($4::uuid[]) as line where $3::uuid is not null`,
    [id, item, location, lines],
  );
  await client.query(
    `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
     select $1, line, line, null, 'A line', $3, $4, $1 from unnest($2::uuid[]) as line`,
    [id, lines, ...(of === 'line' ? ['purchaseOrderLine', 'Ordered'] : ['materialRequirement', 'Open'])],
  );
  await client.query(
    `insert into stock_ledger (workspace_id, id, item_id, location_id, sequence, recorded_at, movement_type, quantity,
                               on_hand_delta, reserved_delta, on_order_delta, on_hand_after, reserved_after, on_order_after,
                               ${of}_id, actor_id, hash)
     select $1, uuidv7(), $2, $3, 2 + n + $5 * (place - 1) + $6, now(), type, quantity,
            case type when 'POReceipt' then 1 else 0 end, case type when 'MRReservation' then 1 else 0 end,
            case type when 'MRReservation' then 0 when 'POReceipt' then -1 else quantity end, 1, 1, 1, line, $1, sha256('')
     from unnest($4::uuid[]) with ordinality as given (line, place)
     cross join generate_series(0, $5 - 1) as n
     cross join lateral (select case when $7 then 'MRReservation' when n = 0 then 'OnOrderAdd' else 'POReceipt' end as type,
                                case when not $7 and n = 0 then 1000000 else 1 end as quantity) as q`,
    [id, item, location, lines, entries, of === 'line' ? 0 : 1_000_000_000, of === 'requirement'],
  );
}

export const nowhere = newId();
