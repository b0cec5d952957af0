/** Changes how much of an open line is wanted, and by when: the ledger gets the difference (ADR 79). */
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import type { EventChange } from '../../events/record-entity-events.ts';
import { type Money, moneyText } from '../../money/money.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import type { Entered } from '../../stock/entries/movement.ts';
import { followUnits } from '../builds/follow-units.ts';
import { enteredColumns } from '../records/entered.ts';
import { findLine, lockLine } from '../records/find-procured.ts';
import { followState } from '../records/follow-state.ts';
import { heldBy, isFinal, isSupply, type Line, nameOfLine, openOf } from '../records/line.ts';
import { updateLine } from '../records/lines.sql.ts';
import {
  invalidPromises,
  type LinePromise,
  promisesText,
  promisesWithin,
  requirePromises,
  showPromises,
  storedPromises,
} from '../records/promises.ts';
import { invalidLine } from '../records/refusals.ts';
import { upsertTerms } from '../records/suppliers/purchase-terms.sql.ts';
import { noTerms, priced, type Terms, termsColumns } from '../records/suppliers/purchase-terms.ts';
import { tellChange } from '../records/tell-change.ts';
import { holdLess, holdMore } from './line-movements.ts';

export interface LineChange {
  line: EntityRef;
  /** Absent: as it is. */
  amount: Micro | undefined;
  /** The amount as it was entered in another unit. */
  entered?: Entered | null | undefined;
  /** Required date; null clears it, absent keeps it. */
  requiredBy: string | null | undefined;
  /** The parts that the supplier promised. Absent: as it is, or nothing where the required date changes. */
  promises?: readonly LinePromise[] | undefined;
  /** Over-delivery in percent; null: as the workspace says, absent: as it is. */
  overDeliveryPercent?: number | null | undefined;
  /** Price and currency of a purchase line; null clears them, absent keeps them. */
  price?: Money | null | undefined;
  currency?: string | null | undefined;
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
export async function changeLine(tx: Tx, by: Mover, change: LineChange): Promise<Line> {
  const { line: ref, amount, entered = null, requiredBy, overDeliveryPercent, note, check } = change;
  const line = await lockLine(tx, ref);
  check(line);
  const wanted = {
    ...line,
    quantity: amount ?? line.quantity,
    entered: amount === undefined || amount === line.quantity ? line.entered : entered,
    requiredBy: requiredBy === undefined ? line.requiredBy : requiredBy,
    promises: promisesAfter(line, change),
    overDeliveryPercent: overDeliveryPercent === undefined ? line.overDeliveryPercent : overDeliveryPercent,
    terms: termsAfter(line, change, amount ?? line.quantity),
  };
  const changes = differences(line, wanted);
  if (changes.length === 0) return line;
  requireChangeable(line);
  if (wanted.quantity !== line.quantity) requireQuantity(line, wanted.quantity);

  const { workspaceId } = tx;
  await tx.query(updateLine, [
    workspaceId,
    line.id,
    decimalOf(wanted.quantity),
    wanted.requiredBy,
    wanted.overDeliveryPercent,
    ...enteredColumns([wanted.entered]).flat(),
    storedPromises(wanted.promises),
  ]);
  if (wanted.terms !== line.terms && wanted.terms !== null)
    await tx.query(upsertTerms, [workspaceId, [line.orderId], [line.id], ...termsColumns([wanted.terms])]);
  await tellChange(tx, by.actor, {
    id: line.id,
    subjectType: 'stockLine',
    changes,
    before: shown(line),
    after: shown(wanted),
    formerName: nameOfLine(line.quantity, line.itemName),
    name: nameOfLine(wanted.quantity, line.itemName),
  });
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
  const [formerly, now] = [promisesText(line.promises), promisesText(wanted.promises)];
  if (formerly !== now) changes.push({ property: 'promises', from: formerly, to: now });
  if (wanted.overDeliveryPercent !== line.overDeliveryPercent) {
    const [from, to] = [line.overDeliveryPercent, wanted.overDeliveryPercent];
    changes.push({ property: 'overDeliveryPercent', from, to });
  }
  const [from, to] = [priceText(line), priceText(wanted)];
  if (from !== to) changes.push({ property: 'price', from, to });
  return changes;
}

function priceText({ terms }: Line): string | null {
  return terms === null || terms.cost === null
    ? null
    : `${moneyText(terms.cost.price)} ${terms.cost.currency}`;
}

/** A line keeps its price when its quantity changes. Throws `validation_failed`. */
function termsAfter(line: Line, { price, currency }: LineChange, quantity: Micro): Terms | null {
  const { terms, type } = line;
  const cost = terms?.cost ?? null;
  if (price === null || currency === null) return terms === null ? null : { ...terms, cost: null };
  const [wantedPrice, wantedCurrency] = [price ?? cost?.price, currency ?? cost?.currency];
  if (wantedPrice === undefined && wantedCurrency === undefined) return terms;
  if (type !== 'purchaseOrder') throw invalidLine('price', 'Only a purchase line has a price.');
  if (wantedPrice === undefined || wantedCurrency === undefined)
    throw invalidLine(
      wantedPrice === undefined ? 'price' : 'currency',
      'A price and its currency are stated together.',
    );
  const isSame =
    wantedPrice === cost?.price && wantedCurrency === cost.currency && quantity === line.quantity;
  return isSame ? terms : priced(terms ?? noTerms, wantedPrice, wantedCurrency, quantity);
}

/** Throws `validation_failed`. */
function promisesAfter(line: Line, { promises, amount, requiredBy }: LineChange): readonly LinePromise[] {
  const quantity = amount ?? line.quantity;
  if (promises !== undefined) {
    if (promises.length > 0 && line.type !== 'purchaseOrder')
      throw invalidPromises('Only a purchase line has promised days.');
    requirePromises(promises, quantity);
    return promises;
  }
  if (requiredBy !== undefined && requiredBy !== line.requiredBy) return [];
  return quantity < line.quantity ? promisesWithin(line.promises, quantity) : line.promises;
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

function shown(line: Line) {
  const { number, quantity, requiredBy, promises, overDeliveryPercent } = line;
  return {
    number,
    quantity: numberOf(quantity),
    requiredBy,
    promises: showPromises(promises),
    overDeliveryPercent,
    price: priceText(line),
  };
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
