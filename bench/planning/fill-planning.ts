/** Fills a workspace with items, structures, stock, demand and supply to plan. */
import type { Client } from 'pg';

export interface Size {
  items: number;
  /** The first items; each has `linksEach` components. */
  assemblies: number;
  linksEach: number;
  demands: number;
  supplies: number;
}

const idOf = (kind: string, n: string) =>
  `('019a000${kind}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const item = (n: string) => idOf('0', n);

/** Numbers that look random and are the same in each run. */
const spread = (n: string, below: string) => `(((${n})::bigint * 2654435761) % 4294967296 % (${below}))::int`;

/** Each level has components of later levels only, ten levels in all; 8 % of the components are assemblies. */
export async function fillPlanning(
  client: Client,
  workspaceId: string,
  { items, assemblies, linksEach, demands, supplies }: Size,
): Promise<void> {
  const run = (sql: string, params: unknown[] = []) => client.query(sql, [workspaceId, ...params]);
  await client.query('begin');
  await client.query(`set local work_mem = '1GB'`);
  await client.query(`set local maintenance_work_mem = '2GB'`);
  const dropped = await dropIndexes(client);
  // The connection is that of the owner, who fills the tables without triggers.
  await client.query(`set local session_replication_role = replica`);
  await run(`insert into workspace (id, slug, name) values ($1, 'bench', 'Bench')`);
  await run(
    `insert into category (workspace_id, key, name, numbering, lifecycle, role, behaviour, hidden_from_new)
     values ($1, 'part', 'Part', '{"source":"payload"}', 'part', 'item', 'none', false), ($1, 'shelf', 'Shelf', '{"source":"payload"}', 'location', 'location', 'none', false),
            ($1, 'line', 'Line', '{"source":"payload"}', 'line', 'none', 'none', false)`,
  );
  const entities = (id: string, category: string, state: string, count: number) =>
    run(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, ${id}, ${id}, $2::text || n, 'An entity', $2, $3, $1 from generate_series(0, $4::int - 1) as n`,
      [category, state, count],
    );
  await entities(item('n'), 'part', 'In Work', items);
  await entities(idOf('1', 'n'), 'shelf', 'Active', 1);
  await entities(idOf('2', 'n'), 'line', 'Open', demands);
  await entities(idOf('3', 'n'), 'line', 'Ordered', supplies);
  await run(
    `insert into entity_link (workspace_id, parent_id, child_id, quantity)
     select distinct on (parent, child) $1::uuid, ${item('parent')}, ${item('child')}, 1 + ${spread('parent + child', '4')}
     from (
       select p as parent,
              case when k % 12 = 0 and p < $2::int * 9 / 10
                then ($2::int / 10) * (p / ($2::int / 10) + 1) + ${spread('p * 37 + k', '$2::int - ($2::int / 10) * (p / ($2::int / 10) + 1)')}
                else $2::int + ${spread('p * 101 + k * 7919', '$3::int - $2::int')} end as child
       from generate_series(0, $2::int - 1) as p cross join generate_series(1, $4::int) as k) l`,
    [assemblies, items, linksEach],
  );
  await run(
    `insert into stock_position (workspace_id, item_id, location_id, on_hand, reserved, on_order, sequence, hash, updated_at)
     select $1, ${item('n')}, ${idOf('1', '0')}, ${spread('n', '500')}, 0, 0, 1, decode(repeat('00', 32), 'hex'), now()
     from generate_series(0, $2::int - 1) as n where n % 10 < 7`,
    [items],
  );
  await run(
    `insert into item_planning (workspace_id, item_id, policy, reorder_point, safety, minimum, multiple, make_or_buy, lead_time_days)
     select $1, ${item('n')}, 'demand', 0, case when n % 5 = 0 then 10 else 0 end, case when n % 3 = 0 then 50 end,
            case when n % 4 = 0 then 25 end, case when n < $2::int then 'make' else 'buy' end, 1 + ${spread('n', '20')}
     from generate_series(0, $3::int - 1) as n`,
    [assemblies, items],
  );
  await run(
    `insert into supplier (workspace_id, id, name, key, currency) values ($1, ${idOf('4', '0')}, 'Seller', 'seller', 'EUR')`,
  );
  await run(
    `insert into supplier_part (workspace_id, id, item_id, supplier_id, sku, pack_quantity, rank, status, prices)
     select $1, ${idOf('5', 'n')}, ${item('n')}, ${idOf('4', '0')}, 'S-' || n, 10, 1, 'active',
            '[{"from":"1.000000","price":"0.500000","currency":"EUR","validFrom":null,"source":null}]'
     from generate_series($2::int, $3::int - 1) as n`,
    [assemblies, items],
  );
  await run(
    `insert into material_requirement (workspace_id, id, project_id, item_id, quantity, required_by)
     select $1, ${idOf('2', 'n')}, $1, ${item(spread('n', '$3::int'))}, 1 + ${spread('n * 3', '100')}, current_date + ${spread('n * 7', '180')}
     from generate_series(0, $2::int - 1) as n`,
    [demands, items],
  );
  await run(
    `insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, quantity, required_by)
     select $1, ${idOf('3', 'n')}, 'purchaseOrder', $1, ${item(spread('n * 5', '$3::int'))}, ${idOf('1', '0')}, 1 + ${spread('n * 3', '200')},
            current_date + ${spread('n * 11', '180')}
     from generate_series(0, $2::int - 1) as n`,
    [supplies, items],
  );
  for (const definition of dropped) await client.query(definition);
  await client.query('commit');
  await client.query('vacuum analyze');
}

/**
 * Drops the indexes that are slow to fill row by row, and returns the statements that make those again that planning reads by. Indexes for
 * texts and properties stay away: no plan asks for them.
 */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string; method: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition, a.amname as method
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
     where i.indrelid in ('entity'::regclass, 'entity_link'::regclass) and not i.indisunique`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.filter(({ method }) => method === 'btree').map(({ definition }) => definition);
}
