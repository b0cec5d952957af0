/** Finds, in a plan as it ran, the nodes that read more than what they gave can account for. */
import type { PlanNode, RecordedPlan } from './recording-postgres.ts';

export interface Excess {
  /** The statement, on one line. */
  statement: string;
  /** Kind, index or table. */
  node: string;
  rows: number;
  loops: number;
  blocks: number;
  removed: number;
  plan: string[];
}

/** A descent of an index, its leaf and the row, with room for what updates have left behind. */
const BLOCKS_FOR_EACH = 8;
export const REMOVED_FOR_EACH = 4;
/** Below this a whole table is read as cheaply as a row of it. */
const BLOCKS_ALWAYS = 60;
export const REMOVED_ALWAYS = 300;
/** What lies in so few blocks is read as cheaply as an index of it, whichever is taken; when it grows, it is seen here. */
const BLOCKS_OF_SMALL = 3;

export function excessOf({ 'Query Text': text, Plan }: RecordedPlan): Excess[] {
  const statement = text.replaceAll(/\s+/g, ' ').trim();
  return [...excessOfScans(statement, Plan), ...excessOfJoins(statement, Plan)];
}

/** Joins that put together what does not belong together: a side of them was not found by what the other gave. */
function excessOfJoins(statement: string, plan: PlanNode): Excess[] {
  return nodesOf(plan).flatMap((join) => {
    const loops = join['Actual Loops'];
    const removed = (join['Rows Removed by Join Filter'] ?? 0) * loops;
    const rows = Math.round(join['Actual Rows'] * loops);
    if (removed <= REMOVED_ALWAYS + REMOVED_FOR_EACH * (rows + loops)) return [];
    const blocks = join['Shared Hit Blocks'] + join['Shared Read Blocks'];
    const node = `${join['Node Type']} by ${join['Join Filter'] ?? '?'}`;
    return [{ statement, node, rows, loops, blocks, removed: Math.round(removed), plan: outline(plan) }];
  });
}

function excessOfScans(statement: string, plan: PlanNode): Excess[] {
  return scansOf(plan).flatMap((scan) => {
    const loops = scan['Actual Loops'];
    if (loops === 0) return [];
    const rows = Math.round(scan['Actual Rows'] * loops);
    // What is taken by its place is found by a sub-select that is looked at by itself, and whose blocks count here too.
    const isByPlace = scan['Node Type'] === 'Tid Scan';
    const blocks = isByPlace ? 0 : scan['Shared Hit Blocks'] + scan['Shared Read Blocks'];
    const removed =
      ((scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0)) * loops;
    const given = rows + loops;
    const isExcess =
      blocks > BLOCKS_ALWAYS + BLOCKS_FOR_EACH * given || removed > REMOVED_ALWAYS + REMOVED_FOR_EACH * given;
    if (!isExcess) return [];
    const node = `${scan['Node Type']} on ${scan['Index Name'] ?? scan['Relation Name'] ?? '?'}`;
    if (blocks <= BLOCKS_OF_SMALL * loops) return [];
    return [{ statement, node, rows, loops, blocks, removed: Math.round(removed), plan: outline(plan) }];
  });
}

/** The plan in a line for each node, for whoever has to mend it. */
function outline(node: PlanNode, depth = 0): string[] {
  const { 'Node Type': type, 'Index Cond': cond, Filter: filter, 'Join Filter': join } = node;
  const of = node['Index Name'] ?? node['Relation Name'] ?? '';
  const rows = `${node['Actual Rows']} rows (${node['Plan Rows']} expected) x ${node['Actual Loops']}`;
  const conditions = [cond, filter, join].filter((one) => one !== undefined).map((one) => one.slice(0, 200));
  const line = `${'  '.repeat(depth)}${type} ${of}: ${rows} ${conditions.join(' FILTER ')}`;
  return [line, ...(node.Plans ?? []).flatMap((inner) => outline(inner, depth + 1))];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Nodes that read a table; of a bitmap scan the one that holds both halves. */
function scansOf(node: PlanNode): PlanNode[] {
  const type = node['Node Type'];
  const own = /^(Seq|Sample|Tid|Tid Range|Index|Index Only|Bitmap Heap) Scan$/.test(type) ? [node] : [];
  return [...own, ...(node.Plans ?? []).filter(() => type !== 'Bitmap Heap Scan').flatMap(scansOf)];
}
