/** Takes issued components back into stock, by the entries that issued them. */
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { decimalOf, type Micro, microOfDecimal } from '../../quantity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import {
  type LockedPositions,
  openPositions,
  startRecording,
} from '../../stock/movements/record-requests.ts';
import { refuseMovements } from '../../stock/movements/refuse-movements.ts';
import { least } from '../records/amounts.ts';
import { EntityMoves } from '../records/entity-moves.ts';
import type { RequirementChanges } from '../records/requirement-changes.ts';
import { type IssueRow, selectIssues } from './builds.sql.ts';
import type { BuildFacts } from './component-stock.ts';
import { type Component, divideUp } from './components.ts';

/** Issues that one call takes back. */
const ISSUES_MAX = 20_000;

export interface Back {
  readonly component: Component;
  readonly amount: Micro;
  /** Only what was issued in this booking comes back; absent: what was issued in any but `otherBookings`. */
  readonly bookingId?: string;
}

export interface TakingBack {
  /** A component may be there several times, each time for another booking. */
  backs: readonly Back[];
  otherBookings?: readonly string[];
  requirements: RequirementChanges;
  facts: BuildFacts;
  /** Whether it is written off where it comes back to. */
  isScrap: boolean;
  /** Movements before those of the components. */
  before?: readonly Movement[];
  /** How much less each component is required. */
  required?: ReadonlyMap<Component, Micro>;
  /** Sees the locked positions, and may refuse. */
  check?: (positions: LockedPositions) => void;
}

/**
 * Reverses the newest issues of each component, releases what they reserve again, and writes it off if it is scrap. The requirements are
 * locked. Throws `tree_too_large`, and `insufficient_stock` for `before`.
 */
export async function takeBack(
  tx: Tx,
  by: Mover,
  { backs, otherBookings = [], requirements, facts, isScrap, before = [], required, check }: TakingBack,
): Promise<LedgerEntry[]> {
  const ids = backs.map(({ component }) => component.requirement.id);
  const amounts = backs.map(({ amount }) => decimalOf(amount));
  const read = async () => {
    const bookings = backs.map(({ bookingId = null }) => bookingId);
    const of = [tx.workspaceId, ids, amounts, ISSUES_MAX + 1, bookings, otherBookings];
    const rows = await tx.query<IssueRow>(selectIssues, of);
    if (rows.length <= ISSUES_MAX) return rows;
    throw new AppError('tree_too_large', {
      detail: `The components come from more than ${ISSUES_MAX} entries. Take back fewer at once, or the entries one by one.`,
      extensions: { limit: ISSUES_MAX },
    });
  };
  const named = (await read()).map((row) => ({ itemId: row.item_id, locationId: row.location_id }));
  const positions = await openPositions(tx, [...named, ...before]);
  check?.(positions);
  const issues = Map.groupBy(await read(), (row) => row.place);
  const sums = new Map<Component, Micro>();
  const movements = [...before];
  for (const [at, back] of backs.entries()) {
    const own = movementsBack(back, issues.get(at + 1) ?? [], facts, isScrap);
    movements.push(...own.movements);
    sums.set(back.component, (sums.get(back.component) ?? 0n) + own.covered);
  }
  if (movements.length === 0) return [];
  const recording = await startRecording(tx, positions);
  const { entries, refusals } = await recording.decide({ actor: by.actor, movements });
  if (refusals !== null) throw refuseMovements(refusals, new Map());
  const moves = new EntityMoves(tx, [by]);
  for (const [component, amount] of sums) {
    const more = { reserved: -amount, required: -(required?.get(component) ?? 0n) };
    requirements.raise(component.requirement.id, by, more);
  }
  requirements.keep(moves);
  await recording.write();
  await moves.write();
  return entries;
}

/** Returns how much comes back of each component. */
export function sumsOf(backs: readonly Back[]): Map<Component, Micro> {
  const sums = new Map<Component, Micro>();
  for (const { component, amount } of backs) sums.set(component, (sums.get(component) ?? 0n) + amount);
  return sums;
}

function movementsBack(
  { component: { requirement }, amount }: Back,
  issues: readonly IssueRow[],
  facts: BuildFacts,
  isScrap: boolean,
): { movements: Movement[]; covered: Micro } {
  const movements: Movement[] = [];
  let left = amount;
  for (const row of issues) {
    if (left <= 0n) break;
    const remaining = microOfDecimal(row.remaining);
    const quantity = microOfDecimal(row.quantity);
    // Of a substitute as much as replaces the component comes back, rounded up; with all of it all that it covers.
    const part = left < remaining ? divideUp(quantity * left, remaining) : quantity;
    const covered = part === quantity ? remaining : left;
    left -= covered;
    const movement = {
      itemId: row.item_id,
      locationId: row.location_id,
      amount: part,
      orderId: requirement.orderId,
      requirementId: requirement.id,
      ...facts,
    };
    const { lot } = row;
    const reservedLeft = microOfDecimal(row.reserved);
    const reservedAmount = least(reservedLeft, part);
    const of = row.is_substitute ? { coveredQuantity: covered } : {};
    movements.push({ ...movement, ...of, type: 'MRIssue', reservedAmount, reversesId: row.id, lot });
    // All or nothing of a substitute had been reserved.
    if (reservedAmount > 0n)
      movements.push({ ...movement, ...of, type: 'MRRelease', amount: reservedAmount });
    if (isScrap) movements.push({ ...movement, type: 'Adjustment', amount: -part, reason: 'scrap', lot });
  }
  if (left > 0n) throw new Error('More of a component comes back than its entries issued');
  return { movements, covered: amount - left };
}
