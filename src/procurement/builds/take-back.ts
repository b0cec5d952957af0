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
import { EntityMoves } from '../records/entity-moves.ts';
import type { RequirementChanges } from '../records/requirement-changes.ts';
import { type IssueRow, selectIssues } from './builds.sql.ts';
import type { BuildFacts } from './component-stock.ts';
import type { Component } from './components.ts';

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
  const movements = [
    ...before,
    ...backs.flatMap((back, at) => movementsBack(back, issues.get(at + 1) ?? [], facts, isScrap)),
  ];
  if (movements.length === 0) return [];
  const recording = await startRecording(tx, positions);
  const { entries, refusals } = await recording.decide({ actor: by.actor, movements });
  if (refusals !== null) throw refuseMovements(refusals, new Map());
  const moves = new EntityMoves(tx, [by]);
  for (const [component, amount] of sumsOf(backs)) {
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
): Movement[] {
  const movements: Movement[] = [];
  let left = amount;
  for (const row of issues) {
    if (left <= 0n) break;
    const remaining = microOfDecimal(row.remaining);
    const some = remaining < left ? remaining : left;
    left -= some;
    const movement = {
      itemId: row.item_id,
      locationId: row.location_id,
      amount: some,
      orderId: requirement.orderId,
      requirementId: requirement.id,
      ...facts,
    };
    const { lot } = row;
    const reservedLeft = microOfDecimal(row.reserved);
    const reservedAmount = reservedLeft < some ? reservedLeft : some;
    movements.push({ ...movement, type: 'MRIssue', reservedAmount, reversesId: row.id, lot });
    if (reservedAmount > 0n) movements.push({ ...movement, type: 'MRRelease', amount: reservedAmount });
    if (isScrap) movements.push({ ...movement, type: 'Adjustment', amount: -some, reason: 'scrap', lot });
  }
  if (left > 0n) throw new Error('More of a component comes back than its entries issued');
  return movements;
}
