/** Changes how much of an open line is wanted, and by when: the ledger gets the difference (ADR 79). */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { categoryOf } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockEntityRow } from '../../entities/lock-entity-row.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { type EventChange, recordEntityUpdated } from '../../events/record-entity-events.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import { gatherProcured } from '../../stock/events/gather-changes.ts';
import { followUnits } from '../builds/follow-units.ts';
import { findLine, lockLine } from '../records/find-procured.ts';
import { followState } from '../records/follow-state.ts';
import { heldBy, isFinal, isSupply, type Line, nameOfLine, openOf } from '../records/line.ts';
import { updateLine } from '../records/lines.sql.ts';
import { holdLess, holdMore } from './line-movements.ts';

export interface LineChange {
  line: EntityRef;
  /** Absent: as it is. */
  amount: Micro | undefined;
  /** Required date; null clears it, absent keeps it. */
  requiredBy: string | null | undefined;
  note: string | null;
  /** Sees the line as it is locked, and may refuse. */
  check: (line: Line) => void;
}

/**
 * Changes a line. The on-order quantity changes by the difference (OnOrderAdd, OnOrderRelease), and so does the
 * reservation of a sales line (SOReservation, SORelease of the excess). A line with nothing open becomes Received
 * or Shipped. What a manufacturing line requires of its components follows, and a smaller one releases what it held beyond that. A change
 * to the present values writes nothing. Throws `line_not_found`, `line_not_open`, `quantity_below_done`, `insufficient_stock`,
 * `over_requirement`, `requirement_cancelled`.
 */
export async function changeLine(
  tx: Tx,
  by: Mover,
  { line: ref, amount, requiredBy, note, check }: LineChange,
): Promise<Line> {
  const line = await lockLine(tx, ref);
  check(line);
  const wanted = {
    ...line,
    quantity: amount ?? line.quantity,
    requiredBy: requiredBy === undefined ? line.requiredBy : requiredBy,
  };
  const changes = differences(line, wanted);
  if (changes.length === 0) return line;
  requireChangeable(line);
  if (wanted.quantity !== line.quantity) requireQuantity(line, wanted.quantity);

  const { workspaceId } = tx;
  await tx.query(updateLine, [workspaceId, line.id, decimalOf(wanted.quantity), wanted.requiredBy]);
  gatherProcured(tx, [line.id]);
  await tell(tx, by.actor, line, wanted, changes);
  if (wanted.quantity !== line.quantity && line.type === 'manufacturingOrder') {
    const more = wanted.quantity - line.quantity;
    await followUnits(tx, by, line, { formerly: 0n, afterwards: more, note });
  }
  if (wanted.quantity !== line.quantity) await followQuantity(tx, by, wanted, line.quantity, note);
  return findLine(tx, line.id);
}

function differences(line: Line, wanted: Line): EventChange[] {
  const changes: EventChange[] = [];
  if (wanted.quantity !== line.quantity) {
    changes.push({ property: 'quantity', from: numberOf(line.quantity), to: numberOf(wanted.quantity) });
  }
  if (wanted.requiredBy !== line.requiredBy) {
    changes.push({ property: 'requiredBy', from: line.requiredBy, to: wanted.requiredBy });
  }
  return changes;
}

function requireChangeable({ id, number, state }: Line): void {
  if (!isFinal(state)) return;
  throw new AppError('line_not_open', {
    detail: `Line ${number ?? id} is in state "${state}", its end: what was wanted stays as it was. Make another line.`,
    extensions: { state },
  });
}

function requireQuantity(line: Line, quantity: Micro): void {
  const { id, number, type, received, shipped } = line;
  const done = received + shipped;
  if (quantity < done) {
    const message = `${numberOf(done)} of line ${number ?? id} ${isSupply(type) ? 'have been received' : 'have been shipped'} already: it cannot be a line of ${numberOf(quantity)}.`;
    throw new AppError('quantity_below_done', {
      detail: message,
      errors: [{ pointer: '/quantity', code: 'quantity_below_done', message }],
      extensions: { receivedQty: numberOf(received), shippedQty: numberOf(shipped) },
    });
  }
}

/** The audit trail has what was wanted before; whoever listens to changed entities hears of it. */
async function tell(
  tx: Tx,
  actor: Actor,
  line: Line,
  wanted: Line,
  changes: readonly EventChange[],
): Promise<void> {
  const configuration = await configurationForWriting(tx);
  const row = await lockEntityRow(tx, line.id);
  const all = [...changes];
  // A name that somebody has given it stays; so does that of a released revision.
  const name = nameOfLine(wanted.quantity, line.itemName);
  const { releasedStates } = categoryOf(configuration, row.category).lifecycle;
  const isOwn = row.name === nameOfLine(line.quantity, line.itemName);
  if (isOwn && name !== row.name && !releasedStates.has(row.state)) {
    all.push({ property: 'name', from: row.name, to: name });
    tx.em.assign(row, { name });
    await tx.em.flush();
  }
  const shown = (values: Line) => ({
    number: line.number,
    quantity: numberOf(values.quantity),
    requiredBy: values.requiredBy,
  });
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'stockLine',
    subjectKey: line.id,
    before: shown(line),
    after: shown(wanted),
  });
  await recordEntityUpdated(tx, row, all);
}

/** The line has its new quantity, and is locked. A draft holds nothing, and neither does what has not begun yet. */
async function followQuantity(
  tx: Tx,
  by: Mover,
  line: Line,
  former: Micro,
  note: string | null,
): Promise<void> {
  const supply = isSupply(line.type);
  const hasBegun = supply ? line.onOrder > 0n || line.received > 0n : line.state !== 'Draft';
  if (!hasBegun) return;
  const open = openOf(line);
  const more = line.quantity - former;
  // What was released by hand stays released: a sales line reserves only what is wanted in addition.
  const beyond = heldBy(line) - open;
  if (more > 0n) await holdMore(tx, by, line, more, note);
  else await holdLess(tx, by, line, beyond, note);
  if (open > 0n) return;
  await followState(tx, by, { entity: line.id, toState: lineRules[line.type].fulfilled, note });
}
