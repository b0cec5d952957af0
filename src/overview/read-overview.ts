/** Puts together what happened in a workspace in the last hours, and what needs somebody. */
import { firstIdAt } from '../db/ids.ts';
import { rfc3339 } from '../db/time.ts';
import type { Tx } from '../db/transaction.ts';
import { type LineRow, lineBehaviours, lineOfRow } from '../procurement/records/line.ts';
import { selectLines } from '../procurement/records/lines.sql.ts';
import { requirementOfRow } from '../procurement/records/requirement.ts';
import { type RequirementRow, selectRequirements } from '../procurement/records/requirements.sql.ts';
import { showLine, showRequirement } from '../procurement/records/show-procurement.ts';
import { type MovementType, movementTypes } from '../stock/entries/movement.ts';
import { readStillRejecting, type StillRejecting } from '../sync/batch/read-still-rejected.ts';
import type { Overview } from './overview.schema.ts';
import {
  countBatches,
  countFailedRuns,
  countMovements,
  selectFailedBatches,
  selectFailingWebhooks,
  selectOrderedLate,
  selectOverdue,
  selectPaused,
  selectWaitingBatches,
} from './overview.sql.ts';
import { readFailedMails, readLateSchedules } from './read-automation-problems.ts';

const BATCHES_MAX = 10_000;
const MOVEMENTS_MAX = 20_000;
const RUNS_MAX = 1000;
export const OPEN_MAX = 5000;
const LINE_MAX = 1000;
/** Number of batches up to which a line is checked for being full. */
const FULL_LOOKED_MAX = 10_000;
const FAILED_MAX = 1000;
const MESSAGE_CHARS_MAX = 300;
const SHOWN_MAX = 10;
const HOUR_MS = 3_600_000;

interface HourRow {
  hour: number;
  batches: number;
  elements: number;
  created: number;
  updated: number;
  counted: number;
}

interface FailedRow {
  automationId: string;
  name: string;
  failed: number;
  lastRunId: string;
  lastFailedAt: string | null;
  message: string | null;
  counted: number;
}

interface WebhookRow {
  webhookId: string;
  url: string;
  enabled: boolean;
  failingSince: string | null;
  disabledReason: string | null;
  /** With those beyond the ones that are shown. */
  counted: number;
}

interface FailedBatchRow {
  batchId: string;
  profileName: string;
  failedAt: string | null;
  message: string | null;
  counted: number;
}

interface FirstRow {
  batchId: string;
  submittedAt: string;
  movedAt: string;
  standsStill: boolean;
  counted: number;
  isFull: boolean;
}

export interface OverviewWanted {
  hours: number;
  /** Maximum number of batches in line. */
  queuedBatchesMax: number;
  /** After so long without a step the first of them stands still. */
  stillSeconds: number;
}

export async function readOverview(tx: Tx, { hours, ...ofLine }: OverviewWanted): Promise<Overview> {
  const last = Math.floor(Date.now() / HOUR_MS);
  const first = last - hours + 1;
  // Ids begin with the time at which they were made.
  const since = firstIdAt(first * HOUR_MS);
  const { workspaceId } = tx;
  const batches = await tx.query<HourRow>(countBatches, [workspaceId, since, BATCHES_MAX]);
  const movements = await tx.query<{ movementType: MovementType; count: number }>(countMovements, [
    workspaceId,
    since,
    movementTypes,
    MOVEMENTS_MAX,
  ]);
  const failed = await tx.query<FailedRow>(countFailedRuns, [
    workspaceId,
    since,
    RUNS_MAX,
    SHOWN_MAX,
    MESSAGE_CHARS_MAX,
  ]);
  const webhooks = await tx.query<WebhookRow>(selectFailingWebhooks, [workspaceId, SHOWN_MAX]);
  const paused = await tx.query<{ work: 'batch' | 'automation' | 'webhook'; since: string }>(selectPaused, [
    workspaceId,
  ]);
  const failedCount = failed[0]?.counted ?? 0;
  const rejecting = await readStillRejecting(tx, since);
  return {
    from: hourText(first),
    hours: hoursOf(batches, rejecting, first, last),
    batchesAreAtLeast: batches[0]?.counted === BATCHES_MAX,
    rejected: {
      count: rejecting.reduce((sum, { rejected }) => sum + rejected, 0),
      batchCount: rejecting.length,
      batches: rejecting
        .slice(0, SHOWN_MAX)
        .map(({ batchId, profileName, rejected }) => ({ batchId, profileName, count: rejected })),
    },
    movements: movements.map(({ movementType, count }) => ({
      movementType,
      count: Math.min(count, MOVEMENTS_MAX),
      isAtLeast: count > MOVEMENTS_MAX,
    })),
    failedRuns: {
      count: failedCount,
      isAtLeast: failedCount === RUNS_MAX,
      automations: failed.map(({ counted: _, ...one }) => ({
        ...one,
        lastFailedAt: timeOf(one.lastFailedAt),
      })),
    },
    failingWebhooks: webhooks.map(({ counted: _, ...one }) => ({
      ...one,
      failingSince: timeOf(one.failingSince),
    })),
    failingWebhookCount: webhooks[0]?.counted ?? 0,
    lateSchedules: await readLateSchedules(tx),
    failedMails: await readFailedMails(tx, since),
    failedBatches: await readFailedBatches(tx, since),
    waitingBatches: await readLine(tx, ofLine),
    paused: paused.map(({ work, since: at }) => ({ work, since: timeOf(at) })),
    overdueRequirements: await readOverdueRequirements(tx),
    overdueLines: await readOverdueLines(tx),
  };
}

async function readFailedBatches(tx: Tx, since: string): Promise<Overview['failedBatches']> {
  const rows = await tx.query<FailedBatchRow>(selectFailedBatches, [
    tx.workspaceId,
    since,
    FAILED_MAX,
    SHOWN_MAX,
    MESSAGE_CHARS_MAX,
  ]);
  const count = rows[0]?.counted ?? 0;
  const items = rows.map(({ counted: _, ...one }) => ({ ...one, failedAt: timeOf(one.failedAt) }));
  return { count, isAtLeast: count === FAILED_MAX, items };
}

async function readLine(
  tx: Tx,
  { queuedBatchesMax, stillSeconds }: Omit<OverviewWanted, 'hours'>,
): Promise<Overview['waitingBatches']> {
  const [first] = await tx.query<FirstRow>(selectWaitingBatches, [
    tx.workspaceId,
    LINE_MAX,
    queuedBatchesMax > FULL_LOOKED_MAX ? null : queuedBatchesMax - 1,
    stillSeconds,
  ]);
  if (first === undefined) return { count: 0, isAtLeast: false, isFull: false, first: null };
  const { batchId, submittedAt, movedAt, standsStill, counted, isFull } = first;
  // A full line is as long as it may be, however little of it was counted; a limit that was lowered leaves longer ones.
  const count = isFull ? Math.max(counted, queuedBatchesMax) : counted;
  return {
    count,
    isAtLeast: counted === LINE_MAX && !isFull,
    isFull,
    first: { batchId, submittedAt: timeOf(submittedAt), movedAt: timeOf(movedAt), standsStill },
  };
}

/** Every hour, also those without an import. */
function hoursOf(
  rows: readonly HourRow[],
  rejecting: readonly StillRejecting[],
  first: number,
  last: number,
): Overview['hours'] {
  const byHour = new Map(rows.map((row) => [row.hour, row]));
  const rejectedIn = Map.groupBy(rejecting, ({ hour }) => hour);
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const row = byHour.get(first + at);
    const { batches = 0, elements = 0, created = 0, updated = 0 } = row ?? {};
    const errors = (rejectedIn.get(first + at) ?? []).reduce((sum, { rejected }) => sum + rejected, 0);
    return { at: hourText(first + at), batches, elements, created, updated, errors };
  });
}

const supplyBehaviours = [lineBehaviours.purchaseOrder, lineBehaviours.manufacturingOrder];

interface OverdueRow {
  /** Id; null in the only row if nothing is overdue. */
  id: string | null;
  overdue: number;
  open: number;
}

/** Returns the overdue ones of these as they are shown, the longest overdue first. */
async function readOverdue<Item extends { id: string; requiredBy: string | null }>(
  tx: Tx,
  {
    of,
    state,
    behaviours,
  }: { of: 'material_requirement' | 'stock_line'; state: string; behaviours: readonly string[] },
  show: (ids: string[]) => Promise<Item[]>,
): Promise<{ count: number; isAtLeast: boolean; items: Item[] }> {
  const given = [tx.workspaceId, OPEN_MAX, SHOWN_MAX, state, behaviours];
  const found = await tx.query<OverdueRow>(selectOverdue(of), given);
  const ids = found.map(({ id }) => id).filter((id) => id !== null);
  const items = ids.length === 0 ? [] : await show(ids);
  return {
    count: found[0]?.overdue ?? 0,
    // Also where none of those that were looked at is overdue: one behind them may be.
    isAtLeast: found[0]?.open === OPEN_MAX,
    items: items.toSorted(longestOverdueFirst),
  };
}

interface Dated {
  id: string;
  requiredBy: string | null;
}

function longestOverdueFirst(a: Dated, b: Dated): number {
  return `${a.requiredBy} ${a.id}` < `${b.requiredBy} ${b.id}` ? -1 : 1;
}

/** Requirements whose day is past, and those for which the order comes too late. */
async function readOverdueRequirements(tx: Tx): Promise<Overview['overdueRequirements']> {
  const show = async (ids: readonly string[]) => {
    const rows = await tx.query<RequirementRow>(selectRequirements, [tx.workspaceId, ids]);
    return rows.map((row) => showRequirement(requirementOfRow(row)));
  };
  const open = { of: 'material_requirement', state: 'Open', behaviours: ['materialRequirement'] } as const;
  const past = await readOverdue(tx, open, show);
  const found = await tx.query<OverdueRow & { orderedFor: string | null }>(selectOrderedLate, [
    tx.workspaceId,
    OPEN_MAX,
    SHOWN_MAX,
    'Ordered',
    supplyBehaviours,
  ]);
  const orderedFor = new Map(found.flatMap(({ id, orderedFor: day }) => (id === null ? [] : [[id, day]])));
  const late = orderedFor.size === 0 ? [] : await show([...orderedFor.keys()]);
  return {
    count: past.count + (found[0]?.overdue ?? 0),
    isAtLeast: past.isAtLeast || found[0]?.open === OPEN_MAX,
    items: [...past.items, ...late]
      .toSorted(longestOverdueFirst)
      .slice(0, SHOWN_MAX)
      .map((item) => ({ ...item, orderedFor: orderedFor.get(item.id) ?? null })),
  };
}

/** Reads overdue lines as the list of lines finds them by state, and outbound ones by type as well. */
async function readOverdueLines(tx: Tx): Promise<Overview['overdueLines']> {
  const read = (state: string, behaviours: readonly string[]) =>
    readOverdue(tx, { of: 'stock_line', state, behaviours }, async (ids) => {
      const rows = await tx.query<LineRow>(selectLines, [tx.workspaceId, ids]);
      return rows.map((row) => showLine(lineOfRow(row)));
    });
  return {
    toCome: await read('Ordered', supplyBehaviours),
    toGo: await read('Reserved', [lineBehaviours.salesOrder]),
  };
}

function hourText(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString();
}

function timeOf(time: string | null): string | null {
  return time === null ? null : rfc3339(time);
}
