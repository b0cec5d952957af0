/**
 * What a page touches: buffers and rows of every statement that reading it runs, from EXPLAIN (ANALYZE,
 * BUFFERS) in its own transaction, with the role and the row security that the service has.
 */
import type { Db } from '../../src/db/connect.ts';
import { inTransaction, type Tx } from '../../src/db/transaction.ts';

export interface Touched {
  /** Rows of the page itself. */
  found: number;
  buffers: number;
  /** Rows that the scans read, those included that a filter then dropped. */
  rows: number;
}

interface PlanNode {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Reads the page once, with an EXPLAIN before each of its statements. */
export function touchedBy(db: Db, workspaceId: string, read: (tx: Tx) => Promise<number>): Promise<Touched> {
  return inTransaction(
    db,
    { workspaceId },
    async (tx) => {
      const touched: Touched = { found: 0, buffers: 0, rows: 0 };
      const explained: Tx = Object.assign(Object.create(tx), {
        query: async <Row>(sql: string, params?: readonly unknown[]) => {
          const [found] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
            `explain (analyze, buffers, format json) ${sql}`,
            params,
          );
          const plan = found?.['QUERY PLAN'][0].Plan;
          if (plan !== undefined) {
            touched.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
            touched.rows += rowsOf(plan);
          }
          return tx.query<Row>(sql, params);
        },
      });
      touched.found = await read(explained);
      return touched;
    },
    { readOnly: true },
  );
}

function rowsOf(plan: PlanNode): number {
  if (plan.Plans !== undefined) return plan.Plans.reduce((sum, child) => sum + rowsOf(child), 0);
  return (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
}
