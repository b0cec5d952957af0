/**
 * Tells listeners of each item that falls below its reorder point, once for each crossing: the item is forgotten when the reorder list no
 * longer has it. The figures are those of the list, read after the transactions that changed them have been committed. Looks, crossings and
 * events commit together, so a process that ends meanwhile loses and repeats nothing.
 */
import type { Logger } from 'pino';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { workInTurn } from '../../db/turns/work-in-turn.ts';
import { type Cause, setCause } from '../../events/cause.ts';
import { recordEvents } from '../../events/record-events.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import { numberOf } from '../../quantity.ts';
import { type ItemTotals, readItemTotals } from '../../stock/events/item-totals.ts';
import { findProposals, type Proposal, showFigures } from './find-proposals.ts';
import { type PlanningRow, selectPlannedItems } from './planning.sql.ts';
import {
  forgetCrossed,
  holdListeners,
  insertCrossed,
  selectLooking,
  takeLooks,
  tryLockLooks,
} from './watch-reorder-points.sql.ts';

const PERIOD_MS = 500;
const WORKSPACES_MAX = 100;
/** Looks that one transaction takes, which is as many items at most. */
const LOOKS_MAX = 200;

export interface Watching {
  db: Db;
  log: Pick<Logger, 'warn' | 'error'>;
}

interface LookRow {
  item_id: string;
  depth: number;
  run_id: string | null;
  root_id: string | null;
}

/** Takes looks of each workspace in turn until there are none. Returns how many were taken. */
function watchReorderPoints({ db, log }: Watching, signal: AbortSignal): Promise<number> {
  return workInTurn({
    db,
    log,
    signal,
    find: (tx) => tx.query<{ workspace_id: string }>(selectLooking, [WORKSPACES_MAX]),
    work: ({ workspace_id: workspaceId }) => inTransaction(db, { workspaceId }, look),
    failure: 'reorder points could not be looked at',
  });
}

async function look(tx: Tx): Promise<number> {
  const [lock] = await tx.query<{ is_locked: boolean }>(tryLockLooks, [tx.workspaceId]);
  if (lock?.is_locked !== true) return 0;
  const looks = await tx.query<LookRow>(takeLooks, [tx.workspaceId, LOOKS_MAX]);
  const [listener] = await tx.query<{ slug: string }>(holdListeners, [tx.workspaceId]);
  if (listener === undefined || looks.length === 0) return looks.length;
  const items = [...new Set(looks.map(({ item_id: id }) => id))];
  const rows = await tx.query<PlanningRow>(selectPlannedItems, [tx.workspaceId, items]);
  const below = new Map((await findProposals(tx, rows)).map((one) => [one.row.item_id, one]));
  const back = items.filter((id) => !below.has(id));
  if (back.length > 0) await tx.query(forgetCrossed, [tx.workspaceId, back]);
  if (below.size === 0) return looks.length;
  const crossed = await tx.query<{ item_id: string }>(insertCrossed, [tx.workspaceId, [...below.keys()]]);
  const totals = await readItemTotals(
    tx,
    crossed.map(({ item_id: id }) => id),
  );
  const events = totals.flatMap((item) => {
    const proposal = below.get(item.entityId);
    return proposal === undefined ? [] : [eventOf(item, proposal, listener.slug)];
  });
  await record(tx, events, looks);
  return looks.length;
}

function eventOf(item: ItemTotals, one: Proposal, workspaceSlug: string) {
  return {
    ...item,
    ...showFigures(one),
    quantity: numberOf(one.quantity),
    supplierPartId: one.offer?.part.id ?? null,
    supplier: one.offer?.part.supplier ?? null,
    sku: one.offer?.part.sku ?? null,
    leadTimeDays: one.leadTimeDays,
    locationEntityId: one.row.location_id,
    isPartial: one.isPartial,
    workspaceSlug,
  };
}

/** Events that runs of automations have caused count in the limits of their chains. The deepest cause of an item counts. */
async function record(
  tx: Tx,
  events: readonly ReturnType<typeof eventOf>[],
  looks: readonly LookRow[],
): Promise<void> {
  const deepest = new Map<string, LookRow>();
  for (const one of looks)
    if (one.depth >= (deepest.get(one.item_id)?.depth ?? 0)) deepest.set(one.item_id, one);
  const byRun = Map.groupBy(events, ({ entityId }) => deepest.get(entityId)?.run_id ?? null);
  for (const own of byRun.values()) {
    setCause(tx, causeOf(deepest.get(own[0]?.entityId ?? '')));
    await recordEvents(tx, 'belowReorderPoint', own);
  }
  setCause(tx, null);
}

function causeOf(look: LookRow | undefined): Cause | null {
  const { run_id: runId = null, root_id: rootId = null, depth = 0 } = look ?? {};
  return runId === null || rootId === null ? null : { runId, rootId, depth };
}

export function startWatchingReorderPoints(watching: Watching): PeriodicLoop {
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at once',
    run: (signal) => watchReorderPoints(watching, signal),
    failure: { log: watching.log, message: 'looks at reorder points have to wait' },
  });
}
