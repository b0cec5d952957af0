/**
 * Gathers what a transaction changes of stock, lines and requirements, and records it as events when the transaction ends: one for each
 * item, line and requirement, with its figures after, however many movements there were.
 */
import type { Tx } from '../../db/transaction.ts';
import { listeningSlugs, recordEvents } from '../../events/record-events.ts';
import { numberOf } from '../../quantity.ts';
import type { LedgerEntry } from '../entries/ledger-entry.ts';
import { selectProcured } from './changes.sql.ts';
import { type ItemTotals, readItemTotals } from './item-totals.ts';
import { requestLooks } from './reorder-looks.ts';

/** Whether somebody listens to what moves of stock, and of lines and requirements, as the locks of the positions have read it. */
export interface Heard {
  moves: boolean;
  orders: boolean;
}

interface Gathered {
  entries: LedgerEntry[];
  /** Ids of lines and requirements, and of entities that may be neither. */
  procured: string[];
  /** The actors that moved stock. */
  actorIds: Set<string>;
}

/** How much was gathered when a part of the transaction began, which may be undone by itself. */
export interface Mark {
  entries: number;
  procured: number;
}

const gathered = new WeakMap<Tx, Gathered>();

/** Movements, and places, of one event: more are left out, and the event says so. */
const LISTED_MAX = 100;
/** Events that are one row of the outbox, whatever they list. */
const TOGETHER_MAX = 100;

export function gatherEntries(tx: Tx, { moves, orders }: Heard, entries: readonly LedgerEntry[]): void {
  if (moves) for (const entry of entries) gatheredOf(tx).entries.push(entry);
  if (!orders) return;
  for (const { actorId } of entries) gatheredOf(tx).actorIds.add(actorId);
  const ids = entries.flatMap(({ lineId, requirementId }) => [lineId, requirementId]);
  gatherProcured(
    tx,
    ids.filter((id) => id !== null),
  );
}

/** Entities that may be lines or requirements: the others are left out at the end. */
export function gatherProcured(tx: Tx, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const { procured } = gatheredOf(tx);
  for (const id of ids) procured.push(id);
}

export function markGathered(tx: Tx): Mark {
  const { entries, procured } = gathered.get(tx) ?? { entries: [], procured: [] };
  return { entries: entries.length, procured: procured.length };
}

/** Forgets what was gathered since. */
export function forgetGathered(tx: Tx, since: Mark): void {
  const some = gathered.get(tx);
  if (some === undefined) return;
  some.entries.length = since.entries;
  some.procured.length = since.procured;
}

/** Records what was gathered so far; what comes later is gathered anew. */
export async function recordGathered(tx: Tx): Promise<void> {
  const some = gathered.get(tx);
  if (some === undefined || some.entries.length + some.procured.length === 0) return;
  const entries = some.entries.splice(0);
  const procured = some.procured.splice(0);
  const ofItems = Map.groupBy(entries, ({ itemId }) => itemId);
  // Both are sent together: the calls that move stock wait for them.
  const [[ofMoves, ofOrders, ofReorder], totals] = await Promise.all([
    listeningSlugs(tx, ['stockMoved', 'orderChanged', 'belowReorderPoint']),
    ofItems.size === 0 ? [] : readItemTotals(tx, [...ofItems.keys()]),
  ]);
  if (ofMoves != null && totals.length > 0) await recordMoves(tx, ofMoves, { ofItems, totals });
  const actorIds = [...some.actorIds];
  some.actorIds.clear();
  // Entries of several actors, whose calls came together, are nobody's alone.
  const by = actorIds.length === 0 ? {} : { actorId: actorIds.length === 1 ? actorIds.join() : null };
  if (ofOrders != null && procured.length > 0) await recordProcured(tx, ofOrders, procured, by);
  if (ofReorder != null) await requestLooks(tx, { items: [...ofItems.keys()], procured });
}

function gatheredOf(tx: Tx): Gathered {
  const known = gathered.get(tx);
  if (known !== undefined) return known;
  const some: Gathered = { entries: [], procured: [], actorIds: new Set() };
  gathered.set(tx, some);
  tx.atEnd(() => recordGathered(tx));
  return some;
}

interface Moves {
  ofItems: ReadonlyMap<string, readonly LedgerEntry[]>;
  totals: readonly ItemTotals[];
}

async function recordMoves(tx: Tx, workspaceSlug: string, { ofItems, totals }: Moves): Promise<void> {
  const events = totals.map((item) => {
    const own = ofItems.get(item.entityId) ?? [];
    const movements = movementsOf(own);
    const positions = positionsOf(own);
    return {
      ...item,
      entryCount: own.length,
      movements: movements.slice(0, LISTED_MAX),
      positions: positions.slice(0, LISTED_MAX),
      isPartial: movements.length > LISTED_MAX || positions.length > LISTED_MAX,
      actorId: own.at(-1)?.actorId ?? null,
      workspaceSlug,
    };
  });
  const recorded = recordEvents(tx, 'stockMoved', events);
  // So few are one statement, which the commit follows.
  if (events.length <= TOGETHER_MAX) tx.withCommit(recorded);
  else await recorded;
}

/** Sums by type, location, line and requirement. */
function movementsOf(entries: readonly LedgerEntry[]) {
  const same = Map.groupBy(entries, ({ movementType, locationId, lineId, requirementId }) =>
    [movementType, locationId, lineId, requirementId].join(),
  );
  return [...same.values()].map((some) => {
    const { movementType, locationId, lineId, requirementId } = some[0] as LedgerEntry;
    return {
      movementType,
      locationEntityId: locationId,
      quantity: numberOf(some.reduce((sum, { quantity }) => sum + quantity, 0n)),
      lineId,
      requirementId,
    };
  });
}

/** The positions as the last entry of each leaves them. */
function positionsOf(entries: readonly LedgerEntry[]) {
  const last = new Map(entries.map((entry) => [entry.locationId, entry]));
  return [...last.values()].map((entry) => ({
    locationEntityId: entry.locationId,
    onHand: numberOf(entry.onHandAfter),
    reserved: numberOf(entry.reservedAfter),
    available: numberOf(entry.onHandAfter - entry.reservedAfter),
    onOrder: numberOf(entry.onOrderAfter),
  }));
}

async function recordProcured(
  tx: Tx,
  workspaceSlug: string,
  ids: readonly string[],
  by: { actorId?: string | null },
): Promise<void> {
  const rows = await tx.query<{ event: object }>(selectProcured, [tx.workspaceId, [...new Set(ids)]]);
  if (rows.length > 0)
    await recordEvents(
      tx,
      'orderChanged',
      rows.map(({ event }) => ({ ...event, workspaceSlug })),
      by,
    );
}
