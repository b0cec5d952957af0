/**
 * Finds, without running anything, the statements for which the planner takes an index although another one of the table holds more
 * of what is asked for: where a table is taken for small both cost the same, and it grows.
 */
import type { Client } from 'pg';
import type { PlanNode } from './recording-postgres.ts';

/** A statement as it was planned. */
export interface Planned {
  text: string;
  /** What its transaction has set for the planner. */
  settings: Record<string, string>;
}

export interface Tie {
  statement: string;
  taken: string;
  better: string;
  condition: string;
  filter: string;
}

interface Index {
  name: string;
  table: string;
  keys: string[];
  isPartial: boolean;
}

const selectIndexes = `
  select i.relname as name, t.relname as table, x.indpred is not null as "isPartial",
         (select array_agg(pg_get_indexdef(x.indexrelid, n, true) order by n) from generate_series(1, x.indnkeyatts) as n) as keys
  from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  join pg_am m on m.oid = i.relam
  where t.relnamespace = 'public'::regnamespace and m.amname = 'btree'`;

/** Within a transaction of a superuser. `explained` is how many statements it was asked of: those of functions name their variables. */
export async function findTies(
  client: Client,
  statements: readonly Planned[],
): Promise<{ ties: Tie[]; explained: number }> {
  const { rows: indexes } = await client.query<Index>(selectIndexes);
  const ties = new Map<string, Tie>();
  let explained = 0;
  for (const { text, settings } of statements) {
    const plan = await explain(client, text, settings);
    if (plan === null) continue;
    explained += 1;
    const statement = text.replaceAll(/\s+/g, ' ').trim();
    for (const tie of tiesOf(plan, indexes))
      ties.set(`${tie.taken} ${tie.better} ${statement}`, { statement, ...tie });
  }
  return { ties: [...ties.values()], explained };
}

/** As the role that asks it: what is of a workspace names it. */
async function explain(
  client: Client,
  text: string,
  settings: Record<string, string>,
): Promise<PlanNode | null> {
  const isOfWorkspace = /workspace_id = \$1/.test(text);
  await client.query('savepoint asked');
  try {
    await client.query(`set local role ${isOfWorkspace ? 'partbook_app' : 'partbook_system'}`);
    for (const [name, value] of Object.entries(settings))
      if (name.startsWith('enable_')) await client.query('select set_config($1, $2, true)', [name, value]);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (generic_plan, format json) ${text}`,
    );
    return rows[0]?.['QUERY PLAN'][0].Plan ?? null;
  } catch {
    return null;
  } finally {
    await client.query('rollback to savepoint asked');
  }
}

function tiesOf(node: PlanNode, indexes: readonly Index[], above = ''): Omit<Tie, 'statement'>[] {
  const { 'Index Cond': condition = '', Filter: filter = '' } = node;
  // Of a bitmap the filter stands above what reads the index.
  const filters = node['Node Type'] === 'Bitmap Index Scan' ? above : filter;
  const below = (node.Plans ?? []).flatMap((inner) => tiesOf(inner, indexes, filter));
  const taken = indexes.find(({ name }) => name === node['Index Name']);
  // A partial index is taken for what it leaves out, and one in which the row's own id is found gives one row.
  const bound = equalColumns(condition);
  if (taken === undefined || taken.isPartial || bound.has('id')) return below;
  const asked = new Set([...bound, ...equalColumns(filters)]);
  const better = indexes.find(({ table, isPartial, keys }) => {
    const end = keys.findIndex((key) => !asked.has(key));
    const held = new Set(keys.slice(0, end < 0 ? keys.length : end));
    return table === taken.table && !isPartial && held.size > bound.size && bound.isSubsetOf(held);
  });
  return better === undefined
    ? below
    : [{ taken: taken.name, better: better.name, condition, filter: filters }, ...below];
}

/** Columns of which one value is asked for, by equality or by a range from it to it. */
function equalColumns(condition: string): Set<string> {
  const equal = new Set<string>();
  const lower = new Set<string>();
  for (const clause of clausesOf(condition)) {
    const [, column, sign, value = ''] = /^\((?:\w+\.)?(\w+) (=|>=|<=) (.*)\)$/s.exec(clause) ?? [];
    // One of several values is another thing, unless they are one.
    if (column === undefined || (value.startsWith('ANY ') && !/^ANY \(ARRAY\[[^,]*\]\)$/.test(value)))
      continue;
    // PostgreSQL says the lower bound first where the statement does.
    if (sign === '>=') lower.add(`${column} ${value}`);
    else if (sign === '=' || lower.has(`${column} ${value}`)) equal.add(column);
  }
  return equal;
}

/** What must all be true: "(a AND b)" is two of them, "(a)" one, and so is "((a) OR (b))". */
function clausesOf(condition: string): string[] {
  const clauses: string[] = [];
  let [depth, begin] = [0, 0];
  const inner = condition.startsWith('((') ? condition.slice(1, -1) : condition;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '(') depth += 1;
    if (inner[at] === ')') depth -= 1;
    if (depth === 0 && inner.startsWith(' OR ', at)) return [];
    if (depth === 0 && inner.startsWith(' AND ', at)) {
      clauses.push(inner.slice(begin, at));
      begin = at + ' AND '.length;
    }
  }
  return [...clauses, inner.slice(begin)];
}
