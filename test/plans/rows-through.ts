/** What passes through a plan as it ran. */
import type { PlanNode } from './recording-postgres.ts';

/** Those that a node gave or took for nothing, each time that it ran. */
export function rowsThrough(node: PlanNode): number {
  const { 'Rows Removed by Filter': removed = 0, 'Rows Removed by Join Filter': unjoined = 0 } = node;
  const own = (node['Actual Rows'] + removed + unjoined) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsThrough(inner), own);
}

/** A line for each, for people. */
export function nodesOf(node: PlanNode, depth = 0): string[] {
  const { 'Index Cond': condition = '', Filter: filter = '', 'Join Filter': join = '' } = node;
  const line = `${'  '.repeat(depth)}${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''} ${node['Actual Rows']} x ${node['Actual Loops']} ${condition} ${filter} ${join}`;
  return [line, ...(node.Plans ?? []).flatMap((inner) => nodesOf(inner, depth + 1))];
}
