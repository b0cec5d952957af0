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
}

export interface TakingBack {
  backs: readonly Back[];
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
  { backs, requirements, facts, isScrap, before = [], required, check }: TakingBack,
): Promise<LedgerEntry[]> {
  const ids = backs.map(({ component }) => component.requirement.id);
  const amounts = backs.map(({ amount }) => decimalOf(amount));
  const read = async () => {
    const rows = await tx.query<IssueRow>(selectIssues, [tx.workspaceId, ids, amounts, ISSUES_MAX + 1]);
    if (rows.length <= ISSUES_MAX) return rows;
    throw new AppError('tree_too_large', {
      detail: `The components come from more than ${ISSUES_MAX} entries. Take back fewer at once, or the entries one by one.`,
      extensions: { limit: ISSUES_MAX },
    });
  };
  const named = (await read()).map((row) => ({ itemId: row.item_id, locationId: row.location_id }));
  const positions = await openPositions(tx, [...named, ...before]);
  check?.(positions);
  const issues = Map.groupBy(await read(), (row) => row.requirement_id);
  const movements = [
    ...before,
    ...backs.flatMap((back) =>
      movementsBack(back, issues.get(back.component.requirement.id) ?? [], facts, isScrap),
    ),
  ];
  if (movements.length === 0) return [];
  const recording = await startRecording(tx, positions);
  const { entries, refusals } = await recording.decide({ actor: by.actor, movements });
  if (refusals !== null) throw refuseMovements(refusals, new Map());
  const moves = new EntityMoves(tx, [by]);
  for (const { component, amount } of backs) {
    const more = { reserved: -amount, required: -(required?.get(component) ?? 0n) };
    requirements.raise(component.requirement.id, by, more);
  }
  requirements.keep(moves);
  await recording.write();
  await moves.write();
  return entries;
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
