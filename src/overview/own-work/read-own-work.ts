/** Reads what waits for a member, of what its areas allow. */
import { type Area, mayDo } from '../../areas.ts';
import { DAY_MS } from '../../calendar/days.ts';
import { firstIdAt } from '../../db/ids.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { selectTasks } from '../../stock/count-tasks/count-tasks.sql.ts';
import { type CountTaskRow, showTask } from '../../stock/count-tasks/count-tasks.ts';
import { COUNTED_MAX, type OwnWork, SHOWN_MAX } from './own-work.schema.ts';
import {
  countMentions,
  selectFaultyImports,
  selectOpenRequirements,
  selectOwnCountIds,
  selectOwnPlans,
} from './own-work.sql.ts';

const IMPORT_DAYS = 30;
const IMPORTS_OF_KEY_MAX = 200;
const PLAN_DAYS = 7;
const PLANS_MAX = 3;

export async function readOwnWork(
  tx: Tx,
  memberId: string,
  caller: { areas: readonly Area[] },
): Promise<OwnWork> {
  const ifAllowed = <Group>(area: Area, read: () => Promise<Group>) =>
    mayDo(caller, area) ? read() : Promise.resolve(null);
  const [requirements, counts, imports, plans, mentions] = await Promise.all([
    ifAllowed('procurement', () => readRequirements(tx)),
    ifAllowed('stock', () => readCounts(tx, memberId)),
    ifAllowed('engineering', () => readImports(tx, memberId)),
    ifAllowed('procurement', () => readPlans(tx, memberId)),
    tx.query<{ counted: number }>(countMentions, [tx.workspaceId, memberId, COUNTED_MAX + 1]),
  ]);
  return { requirements, counts, imports, plans, mentions: bounded(mentions[0]?.counted ?? 0) };
}

/** `read` returns one row more than is counted, if there are so many. */
const bounded = (read: number) => ({ count: Math.min(read, COUNTED_MAX), isAtLeast: read > COUNTED_MAX });

interface Counted {
  id: string | null;
  counted: number;
}

/** Rows of a group; the one without an id only says how many there are. */
const shownOf = <Row extends Counted>(rows: readonly Row[]) =>
  rows.filter((row): row is Row & { id: string } => row.id !== null);

interface RequirementRow extends Counted {
  number: string | null;
  quantity: string;
  /** The quantity that is neither reserved nor ordered. */
  open: string;
  required_by: string | null;
  item_id: string;
  item_number: string | null;
  item_name: string | null;
  project_id: string | null;
  project_number: string | null;
  project_name: string | null;
}

async function readRequirements(tx: Tx): Promise<OwnWork['requirements']> {
  const params = [tx.workspaceId, COUNTED_MAX + 1, SHOWN_MAX];
  const rows = await tx.query<RequirementRow>(selectOpenRequirements, params);
  const items = shownOf(rows).map((row) => ({
    id: row.id,
    number: row.number,
    item: { id: row.item_id, number: row.item_number, name: row.item_name ?? '' },
    project:
      row.project_id === null
        ? null
        : { id: row.project_id, number: row.project_number, name: row.project_name ?? '' },
    requiredQty: numberOf(microOfDecimal(row.quantity)),
    openQty: numberOf(microOfDecimal(row.open)),
    requiredBy: row.required_by,
  }));
  return { ...bounded(rows[0]?.counted ?? 0), items };
}

async function readCounts(tx: Tx, memberId: string): Promise<OwnWork['counts']> {
  const params = [tx.workspaceId, COUNTED_MAX + 1, SHOWN_MAX, memberId];
  const rows = await tx.query<Counted>(selectOwnCountIds, params);
  const ids = shownOf(rows).map(({ id }) => id);
  const tasks = ids.length === 0 ? [] : await tx.query<CountTaskRow>(selectTasks, [tx.workspaceId, ids]);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const items = ids.flatMap((id) => byId.get(id) ?? []).map(showTask);
  return { ...bounded(rows[0]?.counted ?? 0), items };
}

interface ImportRow extends Counted {
  profile_name: string;
  status: 'completed' | 'failed';
  errors: number;
  finished_at: string;
}

async function readImports(tx: Tx, memberId: string): Promise<OwnWork['imports']> {
  const since = firstIdAt(Date.now() - IMPORT_DAYS * DAY_MS);
  const params = [tx.workspaceId, memberId, since, IMPORTS_OF_KEY_MAX, SHOWN_MAX];
  const rows = await tx.query<ImportRow>(selectFaultyImports, params);
  const items = shownOf(rows).map(({ id, profile_name, status, errors, finished_at }) => ({
    ...{ id, status, errors, profileName: profile_name, finishedAt: rfc3339(finished_at) },
  }));
  const count = rows[0]?.counted ?? 0;
  return { count, isAtLeast: count >= IMPORTS_OF_KEY_MAX, items };
}

async function readPlans(tx: Tx, memberId: string): Promise<OwnWork['plans']> {
  const since = new Date(Date.now() - PLAN_DAYS * DAY_MS).toISOString();
  const params = [tx.workspaceId, memberId, since, PLANS_MAX, COUNTED_MAX];
  const rows = await tx.query<{
    id: string;
    status: 'completed' | 'failed';
    open: number;
    finished_at: string;
  }>(selectOwnPlans, params);
  const items = rows.map(({ id, status, open, finished_at }) => ({
    ...{ id, status, openActions: open, finishedAt: rfc3339(finished_at) },
  }));
  return { count: items.length, isAtLeast: false, items };
}
