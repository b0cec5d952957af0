/** Areas of the tools that write, each the area of the operation behind it. Every key has the area of the others, which is `read`. */
import type { Session } from '../typescript/generated/types.ts';

export type Area = Session['areas'][number];

const engineering: readonly Area[] = ['engineering'];
const procurement: readonly Area[] = ['procurement'];
const stock: readonly Area[] = ['stock'];

/** Areas by the name of the tool. Where a tool has several, the key needs one of them. */
const areasOfTools: ReadonlyMap<string, readonly Area[]> = new Map([
  ['propose_sync', engineering],
  ['commit_plan', engineering],
  ['replace_part', engineering],
  ['merge_part', engineering],
  ['archive_part', engineering],
  ['propose_bulk_edit', engineering],
  ['apply_bulk_edit', engineering],
  ['undo_bulk_edit', engineering],
  ['move_stock', stock],
  ['correct_entry', stock],
  ['reserve_shortages', stock],
  ['raise_requirements', procurement],
  ['order_shortages', procurement],
  ['propose_plan', procurement],
  ['commit_planned_actions', procurement],
  ['dismiss_planned_actions', procurement],
  ['run_action', ['stock', 'procurement', 'engineering', 'configuration']],
]);

/** Says whether a key with these areas may call the tool. */
export function mayUse(tool: string, held: readonly Area[]): boolean {
  const needed = areasOfTools.get(tool);
  return needed === undefined || needed.some((area) => held.includes(area));
}
