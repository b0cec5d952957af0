/** Pages of lines. */

import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { resolveEntityId } from '../../entities/resolve-entity.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../http/list.ts';
import { WINDOW_ROWS } from '../records/find-by-text.ts';
import { type LineRow, lineBehaviours, lineOfRow, lineTypes } from '../records/line.ts';
import type { LineQuery, StockLine } from '../records/lines.schema.ts';
import { selectLinePage, selectLineWindowEnd } from '../records/lines.sql.ts';
import { showLine } from '../records/show-procurement.ts';
import { supplierKey } from '../records/supplier-key.ts';

/** In order of their ids. Throws `entity_not_found`, `invalid_cursor`. */
export async function listLines(
  tx: Tx,
  query: LineQuery,
): Promise<{ items: StockLine[]; nextCursor: string | null }> {
  const { type, itemEntityId, orderId, requirementId, state, limit, cursor } = query;
  const { requiredFrom, requiredBefore, supplier } = query;
  const item = itemEntityId === undefined ? null : await resolveEntityId(tx, itemEntityId);
  const order = orderId === undefined ? null : await resolveEntityId(tx, orderId);
  const requirement = requirementId === undefined ? null : await resolveEntityId(tx, requirementId);
  const after = decodeCursor('stock-lines', cursor, z.uuid());
  const types = type === undefined ? lineTypes : [type];
  const owners = [requirement, order, item].filter((one) => one !== null);
  const owner =
    requirement !== null ? 'requirement' : order !== null ? 'order' : item !== null ? 'item' : null;
  const isNarrowed = owner !== null && (state !== undefined || type !== undefined);
  const unindexed = [requiredFrom, requiredBefore, supplier].some((one) => one !== undefined);
  const by = {
    owner: owner ?? (type !== undefined && state === undefined ? 'type' : null),
    state: state !== undefined,
    window: unindexed || owners.length > 1 || isNarrowed,
  } as const;
  const behaviours = types.map((one) => lineBehaviours[one]);
  const days = [requiredBefore ?? null, requiredFrom ?? null];
  const key = supplier === undefined ? null : supplierKey(supplier);
  const filters = [types, item, order, state ?? null, behaviours, requirement, ...days, key];
  const names = [
    'number',
    'order_number',
    'item_number',
    'item_name',
    'location_number',
    'location_name',
    'state',
  ];
  const of = [tx.workspaceId, after];
  const rows = await readPage<LineRow>(
    tx,
    selectLinePage(by),
    [...of, limit + 1, ...filters, ...(by.window ? [WINDOW_ROWS] : [])],
    { limit, long: names },
  );
  const page = pageOf(
    'stock-lines',
    rows,
    (row) => row.id,
    (row) => showLine(lineOfRow(row)),
  );
  if (page.nextCursor !== null || !by.window) return page;
  const [end] = await tx.query<{ id: string }>(selectLineWindowEnd(by), [...of, WINDOW_ROWS, ...filters]);
  return end === undefined ? page : { ...page, nextCursor: encodeCursor('stock-lines', end.id) };
}
