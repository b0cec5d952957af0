/** Pages of requirements. */

import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityId } from '../../entities/resolve-entity.ts';
import { decodeCursor, directionOf, encodeCursor, pageOf } from '../../http/list.ts';
import { findByText, WINDOW_ROWS } from '../records/find-by-text.ts';
import { requirementOfRow, requirementStates } from '../records/requirement.ts';
import type { MaterialRequirement, RequirementQuery } from '../records/requirements.schema.ts';
import {
  type RequirementRow,
  selectRequirementPage,
  selectRequirementWindowEnd,
} from '../records/requirements.sql.ts';
import { showRequirement } from '../records/show-procurement.ts';

/** Lists requirements in order of their ids. Throws `entity_not_found`, `invalid_cursor`. */
export async function listRequirements(
  tx: Tx,
  query: RequirementQuery,
): Promise<{ items: MaterialRequirement[]; nextCursor: string | null }> {
  const { status, order, limit } = query;
  const list = order === 'asc' ? 'requirements' : 'requirements, newest first';
  const idOf = async (ref: EntityRef | undefined) => (ref === undefined ? null : resolveEntityId(tx, ref));
  const project = await idOf(query.projectId);
  const item = await idOf(query.itemEntityId);
  const line = await idOf(query.lineId);
  const after = decodeCursor(list, query.cursor, z.uuid());
  const owner = line !== null ? 'line' : item !== null ? 'item' : project !== null ? 'project' : null;
  const owners = [project, item, line].filter((one) => one !== null);
  // No index has these together.
  const isRare =
    query.requiredBefore !== undefined ||
    query.overdue === 'true' ||
    owners.length > 1 ||
    (owner !== null && status !== undefined);
  const found = await findByText(tx, query.q, isRare);
  const by = {
    owner,
    state: status !== undefined,
    among: found.among,
    text: query.q !== undefined,
    overdue: query.overdue === 'true',
  } as const;
  const direction = directionOf(order);
  const state = status === undefined ? null : requirementStates[status];
  const filters = [project, item, line, state, query.requiredBefore ?? null];
  const names = ['number', 'item_number', 'item_name', 'project_number', 'project_name', 'state'];
  const rows = await readPage<RequirementRow>(
    tx,
    selectRequirementPage(by, direction),
    [tx.workspaceId, after, limit + 1, ...filters, ...found.params],
    { limit, long: names },
  );
  const page = pageOf(
    list,
    rows,
    (row) => row.id,
    (row) => showRequirement(requirementOfRow(row)),
  );
  if (page.nextCursor !== null || found.among !== 'window') return page;
  const [end] = await tx.query<{ id: string }>(selectRequirementWindowEnd(by, direction), [
    tx.workspaceId,
    after,
    WINDOW_ROWS,
    ...filters,
  ]);
  return end === undefined ? page : { ...page, nextCursor: encodeCursor(list, end.id) };
}
