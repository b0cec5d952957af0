/** Links found by what stands on them: where is R17? */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { decodeCursor, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { designatorKey, type LinkLine, linesOf, showLine } from '../links/link-line.ts';
import { resolveEntityId } from '../resolve-entity.ts';
import { revisionLabel } from '../revision-label.ts';
import { FindUsesQuery, FoundUse } from './structure.schema.ts';
import { selectUsesOfDesignator, selectUsesOfDesignatorIn } from './uses.sql.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';
const After = z.tuple([z.uuid(), z.uuid()]);

interface StoredFoundUse {
  parent_id: string;
  child_id: string;
  quantity: string;
  line: LinkLine | null;
  parent_number: string | null;
  parent_name: string;
  parent_revision: number;
  child_number: string | null;
  child_name: string;
  child_revision: number;
}

const findUses = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/uses',
  operationId: 'findUses',
  tag: 'Structure',
  summary: 'Find the assemblies of a reference designator',
  description:
    'Returns the links of the current structure with this designator, in order of parent and child ids: in the whole workspace, or in one assembly.',
  access: 'read',
  transaction: 'read',
  query: FindUsesQuery,
  answers: { 200: { description: 'A page of links.', schema: listOf(FoundUse) } },
  errors: ['entity_not_found'],
  handle: async ({ query }, tx) => {
    const designator = designatorKey(query.referenceDesignator);
    const parent = query.parent === undefined ? null : await resolveEntityId(tx, query.parent);
    const list = `uses of ${designator} in ${parent ?? 'all'}`;
    const [afterParent, afterChild] = decodeCursor(list, query.cursor, After) ?? [FIRST, FIRST];
    const params = [tx.workspaceId, designator, afterParent, afterChild, query.limit + 1];
    const page = await readPage<StoredFoundUse>(
      tx,
      parent === null ? selectUsesOfDesignator : selectUsesOfDesignatorIn,
      parent === null ? params : [...params, parent],
      { limit: query.limit, long: ['line', 'parent_number', 'parent_name', 'child_number', 'child_name'] },
    );
    const body = pageOf(
      list,
      page,
      (row) => [row.parent_id, row.child_id],
      (row) => showFoundUse(row, designator),
    );
    return { status: 200, body };
  },
});

/** Shows the line with the designator, if the child stands in several lines. */
function showFoundUse(row: StoredFoundUse, designator: string): FoundUse {
  const lines = linesOf(row);
  const line =
    lines.find(({ referenceDesignators: all }) => all?.some((one) => designatorKey(one) === designator)) ??
    lines[0];
  return {
    parentEntityId: row.parent_id,
    parentNumber: row.parent_number,
    parentName: row.parent_name,
    parentRevision: revisionLabel(row.parent_revision),
    childEntityId: row.child_id,
    childNumber: row.child_number,
    childName: row.child_name,
    childRevision: revisionLabel(row.child_revision),
    quantity: line?.quantity ?? Number(row.quantity),
    ...showLine(line),
  };
}

export const findUsesRoutes: AnyRoute[] = [findUses];
