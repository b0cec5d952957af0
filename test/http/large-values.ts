/** The value of a position with a long history and many layers, and count tasks. */
import type { LargeWorkspace } from './large-workspace.ts';

type Run = (sql: string, params?: unknown[]) => Promise<unknown>;

const TASKS = 4000;
const LAYERS = 20_000;
const idOf = (number: string) => `('00000000-0001-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** The position has the entries already, each of one. Returns the id of a count task. */
export async function addValues(
  workspace: LargeWorkspace['workspace'],
  run: Run,
  { itemId, entries }: { itemId: string; entries: number },
): Promise<string> {
  const settings = await workspace.must(200, 'GET', '/stock/settings');
  const costing = { method: 'fifo', currency: 'EUR' };
  await workspace.must(200, 'PUT', '/stock/settings', { ...settings, costing });
  const [location, other] = workspace.locations;
  const position = [itemId, other, entries, LAYERS];
  await run(
    `insert into cost_step (workspace_id, item_id, location_id, id, method, layers, on_hand, known, value)
     select $1, $2, $3, ${idOf('n')}, 'fifo', n::bigint * $5::int / $4::int, n, n, n from generate_series(1, $4::int) n`,
    position,
  );
  for (const [table, kind, value] of [
    ['cost_layer', ', kind', ", 'priced'"],
    ['cost_open', '', ''],
  ])
    await run(
      `insert into ${table} (workspace_id, item_id, location_id, layer, entry_id, origin_id, quantity, cost${kind})
       select $1, $2, $3, n, id, id, each, each${value}
       from generate_series(1, $5::int) n, lateral (select $4::int / $5::int as each) q, lateral (select ${idOf('n * each')} as id) e`,
      position,
    );
  await run(
    `insert into count_task (workspace_id, id, location_id, below, note, created_by)
     select $1, ${idOf('n')}, $2, true, repeat('n', 2000), $1 from generate_series(1, $3::int) n`,
    [location, TASKS],
  );
  const task = { location, note: 'n'.repeat(2000) };
  return (await workspace.must(201, 'POST', '/stock/count-tasks', task)).id;
}
