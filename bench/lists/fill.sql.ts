/**
 * What stands in a large workspace beside its ledger, made where it is stored: parts with numbers and names as people
 * give them, a structure, and lines, orders and requirements of the movements that the ledger has. $1 is the workspace.
 */

const idOf = (kind: string, n: string) => `('${kind}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** Ids that count, so that any can be named. */
export const partId = (n: number) => `019a0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
export const projectId = (n: number) => `019a0001-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
export const orderId = (n: number) => `019a0002-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

const words = (name: string, ...of: string[]) =>
  `(array[${of.map((word) => `'${word}'`).join(', ')}])[1 + ${name} % ${of.length}]`;

/** What the ledger's filler made has no place in the template: items become parts, places are Active. */
export const nameLedgerEntities = `
  update entity set category = case category when 'item' then 'part' else category end,
         state = case category when 'location' then 'Active' else state end,
         number = case category when 'location' then 'LOC-' else 'STK-' end || substr(number, 3),
         name = case category when 'location' then 'Shelf ' || substr(number, 3) else
           ${words('substr(number, 3)::int', 'Hex nut', 'Circlip', 'Flat washer', 'Dowel pin', 'Resistor', 'Capacitor', 'Fuse')}
             || ' ' || substr(number, 3)::int % 97 || ' mm' end
  where workspace_id = $1 and number like 'N-%'`;

/** $2 how many. One in ten is an assembly, one in twenty a material; one in fifty has no number. */
export const insertParts = `
  insert into entity (workspace_id, id, version_id, guid, number, name, category, state, properties, revised_by)
  select $1, ${idOf('019a0000', 'n')}, gen_random_uuid(), gen_random_uuid(),
         case when n % 50 = 7 then null else case when n % 10 = 0 then 'ASM-' when n % 20 = 3 then 'MAT-' else 'PRT-' end || lpad(n::text, 8, '0') end,
         ${words('n', 'Hex bolt', 'Socket screw', 'Bearing', 'Housing', 'Cover', 'Shaft', 'Spur gear', 'Bracket', 'Seal ring', 'Cable', 'Plate', 'Pipe', 'Motor', 'Sensor', 'Valve', 'Spring', 'Lever', 'Pulley', 'Connector')}
           || ' ' || ${words('(n / 19)', 'M8x40', 'M6x20', 'DN25', 'left', 'right', '230 V', 'long', 'short', 'd=12', 'IP67', 'size 3')}
           || ' ' || ${words('(n / 209)', 'steel', 'A2', 'brass', 'EN AW-6082', 'PA66', 'S235JR', 'FKM')}
           || case when n % 250000 = 11 then ' quetzalcoatl' else '' end,
         case when n % 10 = 0 then 'assembly' when n % 20 = 3 then 'material' else 'part' end,
         (array['In Work', 'In Work', 'In Review', 'Released', 'Released', 'Released', 'Ready for Procurement', 'Obsolete'])[1 + (n / 3 + n / 7) % 8],
         '{"Mass": 1.25, "Material": "EN AW-6082", "Supplier": "ACME", "Approved": true}', $1
  from generate_series(0, $2::int - 1) as n`;

/**
 * $2 how many parts, $3 how many links of each. Parents come before their children, most of them not long before, so that there is no
 * cycle and trees are as deep as machines are; the last part, a screw, is in one of ten.
 */
export const insertLinks = `
  insert into entity_link (workspace_id, parent_id, child_id, quantity)
  select distinct $1::uuid, ${idOf('019a0000', 'parent')}, ${idOf('019a0000', 'child')}, 2 from (
    select n as child, n / (8 + k) as parent from generate_series(1, $2::int - 1) as n cross join generate_series(1, $3::int) as k
    where n / (8 + k) < n
    union all select $2::int - 1, n * 10 from generate_series(0, ($2::int - 2) / 10) as n) as made
  where parent < $2::int - 1`;

export const insertProjects = `
  insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
  select $1, ${idOf('019a0001', 'n')}, gen_random_uuid(), 'PRJ-' || lpad(n::text, 4, '0'), 'Line ' || n, 'project', 'Open', $1
  from generate_series(0, 199) as n`;

/**
 * $2 lines and as many requirements, of what was received and what was reserved, one of twenty of them of the busy item ($3).
 * A movement has one id for both, so that half of the movements give lines and half requirements.
 */
export const takeMovements = `
  create temporary table moved as
  (select line_id as id, item_id, location_id, quantity, true as line from stock_ledger
   where workspace_id = $1 and movement_type = 'POReceipt' and item_id <> $3 and uuid_hash(line_id) & 1 = 1 limit $2::int * 19 / 20)
  union all
  (select line_id, item_id, location_id, quantity, true from stock_ledger
   where workspace_id = $1 and movement_type = 'POReceipt' and item_id = $3 and uuid_hash(line_id) & 1 = 1 limit $2::int / 20)
  union all
  (select line_id, item_id, location_id, quantity, false from stock_ledger
   where workspace_id = $1 and movement_type = 'MRReservation' and item_id <> $3 and uuid_hash(line_id) & 1 = 0 limit $2::int * 19 / 20)
  union all
  (select line_id, item_id, location_id, quantity, false from stock_ledger
   where workspace_id = $1 and movement_type = 'MRReservation' and item_id = $3 and uuid_hash(line_id) & 1 = 0 limit $2::int / 20)`;

/** Five lines an order; of eight orders six buy, one sells, one makes. No parameters but the workspace. */
export const insertLines = `
  insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, quantity, required_by)
  select $1, id, ${words('(n / 5)', ...kindsOfOrders())}, ${idOf('019a0002', 'n / 5')}, item_id, location_id, abs(quantity) + n % 3,
         date '2026-01-01' + (n % 700)
  from (select *, (row_number() over (order by id))::int - 1 as n from moved where line) as m`;

export const insertOrders = `
  insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
  select $1, order_id, gen_random_uuid(), upper(left(type, 2)) || '-' || lpad(n::text, 6, '0'), 'Order of the week ' || n % 53, type,
         (array['Open', 'Closed', 'Closed', 'Cancelled'])[1 + n % 4], $1
  from (select order_id, type, (row_number() over (order by order_id))::int as n
        from (select distinct order_id, type from stock_line where workspace_id = $1) as o) as o`;

export const insertLineEntities = `
  insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
  select $1, id, gen_random_uuid(), 'L-' || lpad(n::text, 7, '0'), 'Line ' || n, type || 'Line',
         (array['Draft', case type when 'salesOrder' then 'Reserved' else 'Ordered' end, 'Closed', 'Closed'])[1 + n % 4], $1
  from (select id, type, row_number() over (order by id) as n from stock_line where workspace_id = $1) as l`;

/** A tenth are of the first project. */
export const insertRequirements = `
  insert into material_requirement (workspace_id, id, project_id, item_id, quantity, required_by)
  select $1, id, ${idOf('019a0001', 'case when n % 10 = 0 then 0 else n % 200 end')}, item_id, abs(quantity) + n % 3, date '2026-01-01' + (n % 700)::int
  from (select *, row_number() over (order by id) as n from moved where not line) as m`;

export const insertRequirementEntities = `
  insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
  select $1, id, gen_random_uuid(), 'MR-' || lpad(n::text, 6, '0'), 'Requirement ' || n, 'materialRequirement',
         (array['Open', 'Covered', 'Covered', 'Cancelled'])[1 + n % 4], $1
  from (select id, row_number() over (order by id) as n from material_requirement where workspace_id = $1) as r`;

/** What the years leave behind: $2 rows each of audit, batches (a hundredth), runs and deliveries. */
export const insertTraces: readonly string[] = [
  `insert into actor (workspace_id, id, type, name) values ($1, $1, 'apiKey', 'A key') on conflict do nothing`,
  `insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key, before, after)
   select $1, ${idOf('019a0003', 'n')}, $1, ${words('n', 'create', 'update', 'delete')},
          ${words('(n / 3)', 'category', 'lifecycle', 'apiKey', 'webhook', 'propertyDefinition')}, 'key-' || n % 1000,
          '{"name": "before"}', '{"name": "after"}' from generate_series(1, $2::int) as n`,
  `insert into sync_batch (workspace_id, id, status, phase, profile_name, submitted_by, finished_at, element_count, payload_kept, counts, failure)
   select $1, ${idOf('019a0004', 'n')}, case when n % 20 = 0 then 'failed' else 'completed' end, 'done', 'profile-' || n % 5, $1, now() - n * interval '1 minute', 100, false,
          '{"created": 90, "updated": 5, "skipped": 5, "error": 0, "warnings": 0}',
          case when n % 20 = 0 then '{"code": "chunk_failed", "message": "A piece failed."}'::jsonb end
   from generate_series(1, $2::int / 100) as n`,
  `insert into automation (workspace_id, id, name, context_type, script, enabled)
   select $1, ${idOf('019a0005', 'n')}, 'Rule ' || n, 1, 'return', false from generate_series(1, 20) as n`,
  `insert into automation_run (workspace_id, id, automation_id, script_version, event_id, event_index, context_type,
                               context, event_at, status, depth, finished_at, started_at, duration_ms)
   select $1, ${idOf('019a0006', 'n')}, ${idOf('019a0005', '1 + n % 20')}, 1, ${idOf('019a0006', 'n')}, 0, 1, '{}', now(),
          case when n % 5000 = 0 then 'failed' else 'succeeded' end, 0, now() - n * interval '1 second', now(), 1
   from generate_series(1, $2::int) as n`,
  `insert into webhook (workspace_id, id, url, description, events, enabled, secret)
   select $1, ${idOf('019a0007', 'n')}, 'https://example.com/' || n, '', '[]', false, 'x' from generate_series(1, 5) as n`,
  `insert into webhook_delivery (workspace_id, webhook_id, id, type, payload, status, last_error)
   select $1, ${idOf('019a0007', '1 + n % 5')}, ${idOf('019a0008', 'n')}, 'import.completed', '{}',
          case when n % 5000 = 0 then 'failed' else 'delivered' end, null from generate_series(1, $2::int) as n`,
];

function kindsOfOrders(): string[] {
  return [...Array.from({ length: 6 }, () => 'purchaseOrder'), 'salesOrder', 'manufacturingOrder'];
}
