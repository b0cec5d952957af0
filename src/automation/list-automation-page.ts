/** Pages of automations, those that come with the service first. */
import { z } from 'zod';
import { readPage } from '../db/read-page.ts';
import type { Tx } from '../db/transaction.ts';
import { decodeCursor, pageOf } from '../http/list.ts';
import { AutomationRow } from './automation.entity.ts';
import type { Automation, AutomationQuery } from './automation.schema.ts';
import { selectAutomations } from './automation.sql.ts';
import { showAutomation } from './show-automation.ts';
import { systemAutomations } from './system-automations.ts';

/** In order of their ids. Throws `invalid_cursor`. */
export async function listAutomationPage(
  tx: Tx,
  query: z.output<typeof AutomationQuery>,
): Promise<{ items: Automation[]; nextCursor: string | null }> {
  const { contextTypeId, limit, cursor } = query;
  const fits = (one: Automation) => contextTypeId === undefined || one.contextTypeId === contextTypeId;
  const list = `automations ${contextTypeId ?? ''}`;
  const after = decodeCursor(list, cursor, z.uuid());
  // Their ids are below every UUIDv7 of our time: one order for both kinds.
  const system = systemAutomations.filter((one) => fits(one) && (after === null || one.id > after));
  const room = Math.max(0, limit - system.length);
  const found = await readPage<{ id: string }>(
    tx,
    selectAutomations,
    [tx.workspaceId, after, contextTypeId ?? null, room + 1],
    { limit: room, long: ['script', 'description'], columns: 'r.id' },
  );
  const rows = await tx.em.find(
    AutomationRow,
    { workspaceId: tx.workspaceId, id: { $in: found.rows.map(({ id }) => id) } },
    { orderBy: { id: 'asc' } },
  );
  const page = {
    rows: [...system, ...rows.map(showAutomation)].slice(0, limit),
    more: found.more || system.length > limit,
  };
  return pageOf(
    list,
    page,
    (one) => one.id,
    (one) => one,
  );
}
