/** Pages of automations, those that come with the service first. */
import { z } from 'zod';
import { readPage } from '../db/read-page.ts';
import { rfc3339 } from '../db/time.ts';
import type { Tx } from '../db/transaction.ts';
import { decodeCursor, pageOf } from '../http/list.ts';
import { AutomationRow } from './automation.entity.ts';
import type { Automation, AutomationQuery, ListedAutomation } from './automation.schema.ts';
import { selectAutomations, selectRecentRuns } from './automation.sql.ts';
import { showAutomation } from './show-automation.ts';
import { systemAutomations } from './system-automations.ts';

const RECENT_RUNS = 10;

interface RecentRow {
  automation_id: string;
  id: string;
  status: ListedAutomation['recentRuns'][number]['status'];
  finished_at: string | null;
}

async function recentRuns(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, ListedAutomation['recentRuns']>> {
  const rows = await tx.query<RecentRow>(selectRecentRuns, [tx.workspaceId, ids, RECENT_RUNS]);
  const shown = new Map<string, ListedAutomation['recentRuns']>();
  for (const { automation_id, id, status, finished_at } of rows) {
    const runs = shown.get(automation_id) ?? [];
    runs.push({ id, status, finishedAt: finished_at === null ? null : rfc3339(finished_at) });
    shown.set(automation_id, runs);
  }
  return shown;
}

/** Lists automations in order of their ids. Throws `invalid_cursor`. */
export async function listAutomationPage(
  tx: Tx,
  query: z.output<typeof AutomationQuery>,
): Promise<{ items: ListedAutomation[]; nextCursor: string | null }> {
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
    { limit: room, long: ['script', 'description', 'actions', 'button', 'filter'], columns: 'r.id' },
  );
  const rows = await tx.em.find(
    AutomationRow,
    { workspaceId: tx.workspaceId, id: { $in: found.rows.map(({ id }) => id) } },
    { orderBy: { id: 'asc' } },
  );
  const recent = await recentRuns(
    tx,
    rows.map(({ id }) => id),
  );
  const withRuns = (one: Automation) => ({ ...one, recentRuns: recent.get(one.id) ?? [] });
  const page = {
    rows: [...system, ...rows.map(showAutomation)].slice(0, limit).map(withRuns),
    more: found.more || system.length > limit,
  };
  return pageOf(
    list,
    page,
    (one) => one.id,
    (one) => one,
  );
}
