/** All entities of a workspace, or some, as a table (contract §3.2). */
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { sendTable } from '../../http/answers/send-table.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { compileConditions } from '../conditions/compile-conditions.ts';
import { EntityQuery } from '../entities.schema.ts';
import { viewOfEntities, withView } from '../views/apply-view.ts';
import { byView } from '../views/view.schema.ts';
import { type EntitiesWanted, exportEntities } from './export-entities.ts';

const downloadEntities = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/entities/export',
  operationId: 'exportEntities',
  tag: 'Entities',
  summary: 'Download entities as CSV',
  description:
    'All matching entities in order of creation: their fields, then a column `properties.KEY` for each property definition; with `view` in its order and with its columns. Texts that look like formulas are prefixed with an apostrophe. The download is not a snapshot of one moment: each page is read when its turn comes. It ends when its key is revoked.',
  access: 'read',
  transaction: 'none',
  query: EntityQuery.pick({
    category: true,
    state: true,
    role: true,
    number: true,
    q: true,
    archived: true,
    where: true,
  }).extend(byView),
  answers: {
    200: {
      description: 'The table.',
      alternatives: { 'text/csv': 'One entity per line, with a header line.' },
    },
  },
  errors: ['not_acceptable', 'too_many_streams', 'invalid_condition', 'view_not_found', 'too_many_to_sort'],
  handle: async (call) => {
    const { ctx, req, workspace, query, gone } = call;
    if (req.accepts('text/csv') === false)
      throw new AppError('not_acceptable', 'The table is to be had as text/csv.');
    // An answer that has begun cannot be refused any more.
    const wanted = await inTransaction(
      ctx.db,
      { workspaceId: workspace.id },
      async (tx): Promise<EntitiesWanted> => {
        const columns =
          query.view === undefined ? undefined : (await viewOfEntities(tx, call, query.view)).columns;
        const filters = await withView(tx, call, query);
        await compileConditions(tx, filters.where ?? []);
        return { ...filters, columns };
      },
      { readOnly: true },
    );
    const lines = exportEntities(ctx.db, workspace.id, wanted, gone);
    return sendTable(call, `entities-${workspace.slug}.csv`, lines);
  },
});

export const exportRoutes: AnyRoute[] = [downloadEntities];
