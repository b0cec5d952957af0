/** The totals of positions and of the ledger (contract §4.4). */
import { resolveEntityId } from '../entities/resolve-entity.ts';
import { invalidInput } from '../http/bodies/validate-input.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { COUNTED_MAX, StockTotals, TotalsQuery } from './positions/positions.schema.ts';
import { countStockRows } from './positions/totals.sql.ts';

const totals = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/stock/totals',
  operationId: 'getStockTotals',
  tag: 'Stock',
  summary: 'Count positions and ledger entries',
  description: `Of the workspace, of an item or of a location. Up to ${COUNTED_MAX} of each are counted; \`isAtLeast\` says where there are more.`,
  access: 'read',
  transaction: 'read',
  query: TotalsQuery,
  answers: { 200: { description: 'The totals.', schema: StockTotals } },
  errors: ['entity_not_found'],
  handle: async ({ query: { item, location } }, tx) => {
    if (item !== undefined && location !== undefined) {
      const message = '"location" cannot be combined with "item".';
      throw invalidInput([{ pointer: '/location', in: 'query', code: 'invalid', message }]);
    }
    const of = item !== undefined ? 'item' : location !== undefined ? 'location' : 'all';
    const entity = item ?? location;
    const ids = entity === undefined ? [] : [await resolveEntityId(tx, entity)];
    const [row] = await tx.query<{ positions: number; entries: number }>(countStockRows(of), [
      tx.workspaceId,
      COUNTED_MAX,
      ...ids,
    ]);
    const totalOf = (count = 0) => ({
      count: Math.min(count, COUNTED_MAX),
      isAtLeast: count > COUNTED_MAX,
    });
    return { status: 200, body: { positions: totalOf(row?.positions), entries: totalOf(row?.entries) } };
  },
});

export const stockTotalsRoutes: readonly AnyRoute[] = [totals];
